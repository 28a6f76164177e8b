import { useId, useState } from "react";
import { en } from "../../strings/en";
import { Badge } from "../../ui/Badge";
import { Button } from "../../ui/Button";
import type { FieldRecord } from "./rates";
import type { Candidate, Compared } from "./requests";
import { VoiceLine } from "./VoiceLine";
import { shown } from "../../markdown/text";

interface CandidateColumnProps {
  candidate: Candidate;
  calibrated: boolean;
  marks: Compared["marks"];
  record: FieldRecord | null;
  busy: boolean;
  onPick: () => void;
  /** Whether it is among those to be merged; null where nothing is being merged. */
  marked: boolean | null;
  onMark: () => void;
}

/** One candidate: its words with what differs, who says so, and the button that picks it. */
export function CandidateColumn(props: CandidateColumnProps) {
  const { candidate, calibrated, marks, record, busy, onPick, marked, onMark } = props;
  const words = en.disagreement;
  const id = useId();
  const { number, p, chosen, voices } = candidate;
  return (
    <article className={chosen ? "candidate-column candidate-chosen" : "candidate-column"} aria-labelledby={id}>
      <header className="candidate-head">
        <h3 id={id}>{words.candidate(number)}</h3>
        {chosen && <Badge tone="accent">{words.chosen}</Badge>}
        {p !== null && (
          <span className="candidate-figure tabular">{calibrated ? en.why.candidates.p(p) : en.why.candidates.score(p)}</span>
        )}
      </header>
      <Words candidate={candidate} />
      <ul className="voices" aria-label={words.supporters(voices.length)}>
        {voices.map((voice) => (
          <VoiceLine
            key={voice.run_id}
            voice={voice}
            p={marks.find((each) => each.run_id === voice.run_id)?.p ?? null}
            record={record}
          />
        ))}
      </ul>
      <div className="candidate-foot">
        {marked === null ? (
          <Button icon="check" busy={busy} onClick={onPick} aria-describedby={id}>
            {words.pick}
          </Button>
        ) : (
          <label className="merge-mark">
            <input type="checkbox" checked={marked} onChange={onMark} />
            {words.mergeMark(number)}
          </label>
        )}
      </div>
    </article>
  );
}

/** Characters of a candidate that are shown at once. */
const SHOWN = 700;
/** Up to so many it is set large, as a word or a line; beyond, as text. */
const SHORT = 80;

function Words({ candidate }: { candidate: Candidate }) {
  const [all, setAll] = useState(false);
  const long = candidate.text.length > SHOWN;
  const look = ["candidate-words", candidate.text.length > SHORT ? "candidate-essay" : "", long && !all ? "candidate-cut" : ""];
  return (
    <div>
      <p className={look.filter(Boolean).join(" ")} dir="auto">
        {candidate.spans.map((span, at) => (
          <Piece key={at} span={span} />
        ))}
      </p>
      {long && (
        <Button kind="quiet" size="s" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? en.disagreement.less : en.disagreement.all}
        </Button>
      )}
    </div>
  );
}

/** Some words; a mark ends with the last of them, not with the space after it. */
function Piece({ span }: { span: Candidate["spans"][number] }) {
  const { kind } = span;
  const text = shown(span.text);
  if (kind === "same") return <>{text}</>;
  const bare = text.trimEnd();
  return (
    <>
      <mark className="differs">{bare}</mark>
      {text.slice(bare.length)}
    </>
  );
}
