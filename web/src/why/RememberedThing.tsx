import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { EditCorrection } from "../answer/EditCorrection";
import { useCorrectionActs } from "../answer/requests";
import type { Schemas } from "../api/client";
import { FactorBars } from "../memory-bars/FactorBars";
import { NotHere } from "../memory-bars/NotHere";
import { type Place, placeOf } from "../memory-bars/places";
import { useMove } from "../memory-bars/requests";
import { en } from "../strings/en";
import { Button } from "../ui/Button";
import type { Question, Weighing } from "./reasons";
import { shown } from "../markdown/text";

/** One remembered thing that was weighed: its words, why it entered or did not, its bars, and what can be done. */
export function RememberedThing({ reason, question }: { reason: Weighing; question: Question }) {
  const words = en.answer.memory;
  const { weighed, correction } = reason;
  return (
    <li className="why-thing">
      <p className="why-quote">{correction ? shown(correction.claim) : <span className="soft">{en.why.memory.erased}</span>}</p>
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
  const [asking, setAsking] = useState<"edit" | "place" | null>(null);
  const [before, setBefore] = useState<Place | null>(null);
  const { pin } = useCorrectionActs(correction.id);
  const move = useMove(correction.id);
  const close = () => setAsking(null);
  const moved = () => {
    setBefore(placeOf(correction));
    close();
  };
  const { pinned, id } = correction;
  return (
    <div className="why-acts">
      {correction.state === "active" && (
        <>
          <Button kind="quiet" size="s" icon="edit" onClick={() => setAsking("edit")}>
            {words.edit}
          </Button>
          <Button kind="quiet" size="s" icon="pin" busy={pin.isPending} onClick={() => pin.mutate(!pinned)}>
            {pinned ? words.unpin : words.pin}
          </Button>
          <Button kind="quiet" size="s" icon="close" onClick={() => setAsking("place")}>
            {en.bars.notHere}
          </Button>
        </>
      )}
      <Link className="button button-quiet button-s" to="/memory/$id" params={{ id }}>
        {words.open}
      </Link>
      {before && (
        <span role="status" className="why-moved">
          {en.bars.moved}
          <Button size="s" icon="undo" busy={move.isPending} onClick={() => move.mutate(before, { onSuccess: () => setBefore(null) })}>
            {en.ui.undo}
          </Button>
        </span>
      )}
      {asking === "edit" && <EditCorrection correction={correction} onClose={close} />}
      {asking === "place" && (
        <NotHere id={id} conversation={question.conversation_id} about={question.domains} onMoved={moved} onClose={close} />
      )}
    </div>
  );
}
