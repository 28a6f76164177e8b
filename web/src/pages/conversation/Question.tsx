import type { ReactNode } from "react";
import { en } from "../../strings/en";
import { Icon } from "../../ui/icons";
import { VisuallyHidden } from "../../ui/words";
import { shown } from "../../markdown/text";

/** That a question from further above is answered here. */
export function AskedAgain({ question }: { question: string }) {
  return (
    <p className="asked-again soft" dir="auto">
      <Icon name="retry" size={14} />
      <span>{en.answer.again(shown(question))}</span>
    </p>
  );
}

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
