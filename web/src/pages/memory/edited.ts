import { reportFailure } from "../../api/failures";
import { en } from "../../strings/en";
import { useToast } from "../../ui/Toast";
import { useEdit } from "./acts";
import type { Correction } from "./corrections";

/** Says that the words were changed, and gives them back on demand. */
export function useEdited(before: Correction): () => void {
  const toast = useToast();
  const { mutate } = useEdit(before.id);
  return () => toast({ text: en.memory.acts.edited, undo: () => mutate(before.claim, { onError: reportFailure }) });
}
