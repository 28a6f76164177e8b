import { type SubmitEvent, useEffect, useRef, useState } from "react";
import type { Said } from "../../answer/requests";
import { en } from "../../strings/en";
import { Button } from "../../ui/Button";
import { Field } from "../../ui/Field";
import { TextArea } from "../../ui/TextArea";
import type { Candidate } from "./requests";

interface SettleProps {
  question: string;
  candidates: readonly Candidate[];
  /** Candidates marked as saying the same; null where nothing is being merged. */
  merging: readonly string[] | null;
  onMerging: (next: readonly string[] | null) => void;
  busy: boolean;
  onSay: (said: Said, done?: () => void) => void;
}

/** What can be said besides picking one: that none is right, what is right, or that two say the same. */
export function Settle({ question, candidates, merging, onMerging, busy, onSay }: SettleProps) {
  const words = en.disagreement;
  const [telling, setTelling] = useState(false);
  const merge = ([first, second]: readonly (string | undefined)[]) => {
    if (first && second) onSay({ kind: "merge", question, first, second }, () => onMerging(null));
  };
  const two = candidates.length === 2;
  return (
    <section className="settle" aria-label={words.settle}>
      <p className="soft">{words.settleHint}</p>
      <div className="settle-acts">
        <Button icon="close" busy={busy} onClick={() => onSay({ kind: "none_right", question })}>
          {two ? words.bothWrong : words.noneRight}
        </Button>
        <Button icon="edit" aria-expanded={telling} onClick={() => setTelling(!telling)}>
          {words.key}
        </Button>
        {two ? (
          <Button busy={busy} onClick={() => merge(candidates.map((each) => each.id))}>
            {words.same}
          </Button>
        ) : (
          merging === null && <Button onClick={() => onMerging([])}>{words.merge}</Button>
        )}
      </div>
      {merging !== null && !two && (
        <div className="settle-acts" role="group" aria-label={words.merge}>
          <p role="status">{words.mergeHint}</p>
          <Button kind="primary" busy={busy} disabled={merging.length !== 2} onClick={() => merge(merging)}>
            {words.mergeThese}
          </Button>
          <Button kind="quiet" onClick={() => onMerging(null)}>
            {en.ui.cancel}
          </Button>
        </div>
      )}
      {telling && <KeyForm busy={busy} onTell={(text) => onSay({ kind: "key", question, text }, () => setTelling(false))} />}
    </section>
  );
}

/** Characters that a right answer may have. */
const LONGEST = 4_000;

function KeyForm({ busy, onTell }: { busy: boolean; onTell: (text: string) => void }) {
  const words = en.disagreement;
  const [text, setText] = useState("");
  const box = useRef<HTMLTextAreaElement>(null);
  useEffect(() => box.current?.focus(), []);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    onTell(text.trim());
  };
  return (
    <form className="settle-key" onSubmit={submit}>
      <Field label={words.keyLabel} hint={words.keyHint}>
        {(control) => (
          <TextArea {...control} ref={box} value={text} maxLength={LONGEST} onChange={(event) => setText(event.target.value)} />
        )}
      </Field>
      <Button kind="primary" type="submit" busy={busy} disabled={text.trim() === ""}>
        {words.keySend}
      </Button>
    </form>
  );
}
