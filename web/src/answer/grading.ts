import { en } from "../strings/en";
import { useToast } from "../ui/Toast";
import { type Said, useGrade, useUndoGrade } from "./requests";

/** Says who was right, tells that it was noted, and offers to take it back. */
export function useGiveGrade(): { give: (said: Said, done?: () => void) => void; busy: boolean } {
  const toast = useToast();
  const grade = useGrade();
  const taken = useUndoGrade();
  const words = en.answer.grade;
  const give = (said: Said, done?: () => void) =>
    grade.mutate(said, {
      onSuccess: (made) => {
        done?.();
        const undo = () => taken.mutate(made.id, { onSuccess: () => toast({ text: words.taken }) });
        toast({ text: words.noted(made.words), undo });
      },
    });
  return { give, busy: grade.isPending };
}
