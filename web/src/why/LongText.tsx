import { useState } from "react";
import { en } from "../strings/en";
import { Button } from "../ui/Button";
import { shown } from "../markdown/text";

/** Characters that are shown at once. */
const SHOWN = 320;

/** A text of a person or a member as it was written; a long one unfolds on demand. */
export function LongText({ text }: { text: string }) {
  const [all, setAll] = useState(false);
  const long = text.length > SHOWN * 1.25;
  const part = long && !all ? `${text.slice(0, SHOWN).trimEnd()}…` : text;
  return (
    <>
      <span className="long-text" dir="auto">
        {shown(part)}
      </span>
      {long && (
        <Button kind="quiet" size="s" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? en.disagreement.less : en.disagreement.all}
        </Button>
      )}
    </>
  );
}
