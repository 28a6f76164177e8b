import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { EditCorrection } from "../answer/EditCorrection";
import { useCorrectionActs } from "../answer/requests";
import type { Schemas } from "../api/client";
import { Claim } from "../claim/Claim";
import { FactorBars } from "../memory-bars/FactorBars";
import { NotHere } from "../memory-bars/NotHere";
import { en } from "../strings/en";
import { Button } from "../ui/Button";
import type { Question, Weighing } from "./reasons";

/** One remembered thing that was weighed: its words, why it entered or did not, its bars, and what can be done. */
export function RememberedThing({ reason, question }: { reason: Weighing; question: Question }) {
  const words = en.answer.memory;
  const { weighed, correction } = reason;
  return (
    <li className="why-thing">
      <p className="why-quote">{correction ? <Claim said={correction} /> : <span className="soft">{en.why.memory.erased}</span>}</p>
      <p className="soft why-line">
        {words.why[weighed.reason] ?? weighed.reason} <span className="tabular">{words.score(weighed.score.toFixed(2))}.</span>{" "}
        {correction?.state === "superseded" && en.why.memory.superseded}
      </p>
      <details className="why-details" open={weighed.injected}>
        <summary>{en.why.memory.weighed}</summary>
        <FactorBars factors={{ ...weighed.factors }} />
      </details>
      {correction && <Acts correction={correction} question={question} />}
    </li>
  );
}

function Acts({ correction, question }: { correction: Schemas["Correction"]; question: Question }) {
  const words = en.answer.memory;
  const [editing, setEditing] = useState(false);
  const { pin } = useCorrectionActs(correction.id);
  const { pinned, id } = correction;
  return (
    <div className="why-acts">
      {correction.state === "active" && (
        <>
          <Button kind="quiet" size="s" icon="edit" onClick={() => setEditing(true)}>
            {words.edit}
          </Button>
          <Button kind="quiet" size="s" icon="pin" busy={pin.isPending} onClick={() => pin.mutate(!pinned)}>
            {pinned ? words.unpin : words.pin}
          </Button>
          <NotHere id={id} conversation={question.conversation_id} kind="quiet" />
        </>
      )}
      <Link className="button button-quiet button-s" to="/memory/$id" params={{ id }}>
        {words.open}
      </Link>
      {editing && <EditCorrection correction={correction} onClose={() => setEditing(false)} />}
    </div>
  );
}
