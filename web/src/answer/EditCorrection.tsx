import { type SubmitEvent, useState } from "react";
import { useUndo } from "../memory-bars/steering";
import { en } from "../strings/en";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { Field } from "../ui/Field";
import { TextArea } from "../ui/TextArea";
import { useToast } from "../ui/Toast";
import type { EnteredMemory } from "./outcome";
import { useCorrectionActs } from "./requests";

/** Characters that a correction may have. */
const LONGEST = 2_000;

export function EditCorrection({ correction, onClose }: { correction: EnteredMemory["correction"]; onClose: () => void }) {
  const words = en.answer.memory;
  const [claim, setClaim] = useState(correction.claim);
  const { edit } = useCorrectionActs(correction.id);
  const toast = useToast();
  const undo = useUndo();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    edit.mutate(claim.trim(), {
      onSuccess: ({ act_id: act }) => {
        onClose();
        toast({ text: words.edited, ...(act ? { undo: () => undo(act) } : {}) });
      },
    });
  };
  return (
    <Dialog open onOpenChange={onClose} title={words.editTitle}>
      <form className="stack" onSubmit={submit}>
        <Field label={words.words} error={edit.error?.message} required>
          {(control) => (
            <TextArea {...control} value={claim} maxLength={LONGEST} onChange={(event) => setClaim(event.target.value)} />
          )}
        </Field>
        <div className="stack-foot">
          <Button onClick={onClose}>{en.ui.cancel}</Button>
          <Button kind="primary" type="submit" busy={edit.isPending} disabled={claim.trim() === ""}>
            {words.save}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
