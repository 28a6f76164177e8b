import { useUndo } from "../../memory-bars/steering";
import { en } from "../../strings/en";
import { useToast } from "../../ui/Toast";

/** Says that the words were changed, and takes that act back on demand. */
export function useEdited(): (act: string) => void {
  const toast = useToast();
  const undo = useUndo();
  return (act) => toast({ text: en.memory.acts.edited, undo: () => undo(act) });
}
