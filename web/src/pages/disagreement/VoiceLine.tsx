import { useSeatNumbers } from "../../answer/seats";
import { Markdown } from "../../markdown";
import { en } from "../../strings/en";
import { MemberMark, VerdictMark } from "../../ui/marks";
import { Meter } from "../../ui/Meter";
import { type FieldRecord, gradeOf } from "./rates";
import type { Voice } from "./requests";
import { shown } from "../../markdown/text";

interface VoiceLineProps {
  voice: Voice;
  /** How likely its answer is right by all grades; null where nobody has graded it. */
  p: number | null;
  record: FieldRecord | null;
}

/** A member behind a candidate: how sure it says it is, how often it was right in this field, and its own words. */
export function VoiceLine({ voice, p, record }: VoiceLineProps) {
  const words = en.disagreement;
  const numberOf = useSeatNumbers();
  const grade = gradeOf(p);
  const { seat, stated_confidence, explanation } = voice;
  return (
    <li className="voice">
      <p className="voice-head">
        <MemberMark seat={numberOf(seat)} />
        <span className="voice-seat">{shown(seat)}</span>
        {grade && (
          <span className="voice-grade">
            <VerdictMark verdict={grade.verdict} size={14} />
            {words.marks[grade.word]}
          </span>
        )}
        {stated_confidence !== null && <span className="soft">{words.stated(stated_confidence)}</span>}
      </p>
      {record && <RecordLine seat={seat} record={record} />}
      {explanation && (
        <details className="voice-words" open={voice.shown}>
          <summary>{words.words}</summary>
          <div className="voice-text">
            <Markdown text={explanation} />
          </div>
        </details>
      )}
    </li>
  );
}

function RecordLine({ seat, record }: { seat: string; record: FieldRecord }) {
  const words = en.disagreement;
  const rate = record.of(seat);
  if (!rate) return <p className="voice-record soft">{words.recordNone(record.field)}</p>;
  const line = words.record(rate.right, rate.graded, record.field);
  return (
    <div className="voice-record">
      <p className="soft tabular">{line}</p>
      <Meter label={words.recordMeter(seat, record.field)} value={rate.mean} interval={[rate.low, rate.high]} tone="doubt" />
    </div>
  );
}
