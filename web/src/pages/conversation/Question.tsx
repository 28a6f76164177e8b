import type { ReactNode } from "react";
import { en } from "../../strings/en";
import { VisuallyHidden } from "../../ui/words";
import { shown } from "../../markdown/text";

/** What the person said, as it was written. */
export function Question({ text, children }: { text: string; children?: ReactNode }) {
  return (
    <div className="question">
      <VisuallyHidden>{en.ask.you}</VisuallyHidden>
      <p className="question-words" dir="auto">
        {shown(text)}
      </p>
      {children}
    </div>
  );
}
