import { type SubmitEvent, useState } from "react";
import { en } from "../strings/en";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { Field } from "../ui/Field";
import { TextArea } from "../ui/TextArea";
import { useGiveGrade } from "./grading";

interface WrongFormProps {
  queryId: string;
  /** Says what is right, in the conversation. */
  onSay: (text: string) => void;
  onClose: () => void;
}

/** An answer is wrong: what is right is said and remembered, or it is only marked. */
export function WrongForm({ queryId, onSay, onClose }: WrongFormProps) {
  const words = en.answer;
  const [right, setRight] = useState("");
  const { give, busy } = useGiveGrade();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    onClose();
    onSay(words.wrongMessage(right.trim()));
  };
  return (
    <Dialog open onOpenChange={onClose} title={words.wrongTitle}>
      <form className="stack" onSubmit={submit}>
        <Field label={words.wrongLabel} hint={words.wrongHint}>
          {(control) => (
            <TextArea {...control} value={right} maxLength={2_000} onChange={(event) => setRight(event.target.value)} />
          )}
        </Field>
        <div className="stack-foot">
          <Button busy={busy} onClick={() => give({ kind: "verdict", question: queryId, right: false }, onClose)}>
            {words.wrongOnly}
          </Button>
          <Button kind="primary" type="submit" disabled={right.trim() === ""}>
            {words.wrongSend}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
