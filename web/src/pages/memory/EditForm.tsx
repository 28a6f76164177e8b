import { type SubmitEvent, useEffect, useRef, useState } from "react";
import { en } from "../../strings/en";
import { Button } from "../../ui/Button";
import { Field } from "../../ui/Field";
import { TextArea } from "../../ui/TextArea";
import { useEdit } from "./acts";
import { type Correction, LONGEST } from "./corrections";
import "./forms.css";

interface EditFormProps {
  correction: Correction;
  save: string;
  /** Called once the new words are stored, with the act; it is empty where nothing was changed. */
  onSaved: (act: string) => void;
  onClose: () => void;
}

/** Changes the words where they stand. */
export function EditForm({ correction, save, onSaved, onClose }: EditFormProps) {
  const [claim, setClaim] = useState(correction.claim);
  const edit = useEdit(correction.id);
  const box = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    box.current?.focus();
    box.current?.setSelectionRange(claim.length, claim.length);
    // eslint-disable-next-line react-hooks/exhaustive-deps -- once, when the form opens
  }, []);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const next = claim.trim();
    if (next === correction.claim) onSaved("");
    else edit.mutate(next, { onSuccess: ({ act_id: act }) => onSaved(act) });
  };
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape leaves the form, as its button does
    <form
      className="memory-form"
      onSubmit={submit}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        onClose();
      }}
    >
      <Field label={en.memory.acts.words} error={edit.error?.message} required>
        {(control) => (
          <TextArea {...control} ref={box} value={claim} maxLength={LONGEST} onChange={(event) => setClaim(event.target.value)} />
        )}
      </Field>
      <div className="memory-acts">
        <Button size="s" kind="primary" type="submit" busy={edit.isPending} disabled={claim.trim() === ""}>
          {save}
        </Button>
        <Button size="s" kind="quiet" onClick={onClose}>
          {en.ui.cancel}
        </Button>
      </div>
    </form>
  );
}
