import { confidenceWords } from "../answer/facts";
import type { Schemas } from "../api/client";
import { en } from "../strings/en";
import { Member } from "./Member";
import { LongText } from "./LongText";
import { type Question, rationaleOf } from "./reasons";
import { shown } from "../markdown/text";

interface ChosenProps {
  question: Question;
  reasons: Schemas["Reasons"] | undefined;
}

/** What was chosen, by which reasons, and how sure on what basis. */
export function Chosen({ question, reasons }: ChosenProps) {
  const words = en.why.chosen;
  const { decision, degraded, answers } = question;
  const chosen = decision.candidates.find((each) => each.chosen);
  const { why, basis } = rationaleOf(decision);
  const voices = answers.filter((each) => each.candidate !== null).length;
  return (
    <>
      {chosen ? (
        <p className="why-chosen">
          <LongText text={chosen.text} />
        </p>
      ) : (
        <p>{words.nothing}</p>
      )}
      {chosen && decision.shown_seat && (
        <p className="soft why-line">
          {words.shownOf} <Member seat={decision.shown_seat} />
        </p>
      )}
      {why && <p>{shown(why)}</p>}
      {chosen && (
        <dl className="why-confidence">
          <dt>{words.confidence}</dt>
          <dd>
            <strong className="tabular">{confidenceWords({ label: decision.confidence, basis, p: decision.p })}</strong>
            {basis && <p className="soft">{shown(basis)}.</p>}
          </dd>
        </dl>
      )}
      {decision.effective_votes !== null && <p className="soft">{words.votes(decision.effective_votes, voices)}</p>}
      {degraded.length > 0 && <p className="soft">{words.degraded(shown(degraded.join(", ")))}</p>}
      {reasons && <Stored reasons={reasons} />}
    </>
  );
}

/** What is bound into the audit log: the reasons as they were written. */
function Stored({ reasons }: { reasons: Schemas["Reasons"] }) {
  return (
    <details className="why-details">
      <summary>{en.why.chosen.words}</summary>
      <dl className="why-stored">
        {reasons.sections.map(({ title, lines }) => (
          <div key={title}>
            <dt>{title}</dt>
            {lines.map((line, at) => (
              <dd key={`${at} ${line}`}>{shown(line)}</dd>
            ))}
          </div>
        ))}
      </dl>
    </details>
  );
}
