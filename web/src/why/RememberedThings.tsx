import { Link } from "@tanstack/react-router";
import { en } from "../strings/en";
import { RelativeTime } from "../ui/words";
import { LongText } from "./LongText";
import { parted, type Question } from "./reasons";
import { RememberedThing } from "./RememberedThing";

/** What of memory was weighed: what entered with its reasons, what did not on demand, then passages and notes. */
export function RememberedThings({ question }: { question: Question }) {
  const words = en.why.memory;
  const { memory } = question;
  const { inside, outside } = parted(memory?.reasons ?? []);
  const passages = memory?.passages ?? [];
  const notes = memory?.notes ?? [];
  if (inside.length + outside.length + passages.length + notes.length === 0) return <p className="soft">{words.none}</p>;
  return (
    <>
      {inside.length === 0 && outside.length > 0 && <p className="soft">{words.noneEntered}</p>}
      {inside.length > 0 && <Things reasons={inside} question={question} />}
      {outside.length > 0 && (
        <details className="why-details">
          <summary>{words.out(outside.length)}</summary>
          <Things reasons={outside} question={question} />
        </details>
      )}
      {passages.length > 0 && <h4>{words.passages}</h4>}
      {passages.map((each) => (
        <div key={each.message_id} className="why-passage">
          <p className="why-quote">
            <LongText text={each.text} />
          </p>
          <p className="soft why-line">
            {en.answer.passage("")} <RelativeTime at={each.said_at} />
            {" · "}
            <Link to="/c/$id" params={{ id: each.conversation_id }} search={{ message: each.message_id }}>
              {words.toMessage}
            </Link>
          </p>
        </div>
      ))}
      {notes.length > 0 && <h4>{words.notes}</h4>}
      {notes.map((each) => (
        <p key={`${each.kind} ${each.ref_id}`} className="soft">
          {words.note(each.seat)}
        </p>
      ))}
    </>
  );
}

function Things({ reasons, question }: { reasons: ReturnType<typeof parted>["inside"]; question: Question }) {
  return (
    <ul className="why-things">
      {reasons.map((each) => (
        <RememberedThing key={each.weighed.correction_id} reason={each} question={question} />
      ))}
    </ul>
  );
}
