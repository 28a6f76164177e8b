import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { Claim } from "../claim/Claim";
import { askedOf, claimWords } from "../claim/words";
import { NotHere } from "../memory-bars/NotHere";
import { useHere } from "../memory-bars/steering";
import { en } from "../strings/en";
import { decimal } from "../strings/numbers";
import { Button } from "../ui/Button";
import { Icon } from "../ui/icons";
import { Meter } from "../ui/Meter";
import { Popover } from "../ui/Popover";
import { useToast } from "../ui/Toast";
import { RelativeTime } from "../ui/words";
import type { Passage } from "../streams/events";
import { EditCorrection } from "./EditCorrection";
import type { EnteredMemory } from "./outcome";
import { useCorrectionActs } from "./requests";
import { shown } from "../markdown/text";
import "./memories.css";

/** Factors that take from the score instead of adding to it. */
const LOWER = new Set(["staleness", "token_cost"]);

/** As many chips as say what an answer rests on; whoever remembers hundreds of things still sees the answer. */
const MOST_SHOWN = 8;

/** What of memory entered an answer: corrections, and passages of earlier conversations. The rest is a press away. */
export function MemoryChips({ memory, passages }: { memory: readonly EnteredMemory[]; passages: readonly Passage[] }) {
  const [all, setAll] = useState(false);
  const more = memory.length + passages.length - MOST_SHOWN;
  if (memory.length + passages.length === 0) return null;
  const said = all ? memory : memory.slice(0, MOST_SHOWN);
  const recalled = all ? passages : passages.slice(0, MOST_SHOWN - said.length);
  return (
    <ul className="memory-chips" aria-label={en.answer.memory.label}>
      {said.map((each) => (
        <li key={each.correction.id}>
          <MemoryChip entered={each} />
        </li>
      ))}
      {recalled.map((each) => (
        <li key={each.message_id}>
          <PassageChip passage={each} />
        </li>
      ))}
      {more > 0 && (
        <li>
          <button type="button" className="chip chip-part memory-chip" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? en.answer.memory.fewer : en.answer.memory.moreOf(more)}
          </button>
        </li>
      )}
    </ul>
  );
}

/** The room that chips will take, so that nothing moves when they have come. */
export function ComingChips({ count }: { count: number }) {
  return (
    <div className="memory-chips" aria-hidden="true">
      {Array.from({ length: Math.min(count, MOST_SHOWN + 1) }, (_, at) => (
        <span key={at} className="chip memory-chip memory-chip-coming" />
      ))}
    </div>
  );
}

function MemoryChip({ entered }: { entered: EnteredMemory }) {
  const words = en.answer.memory;
  const [editing, setEditing] = useState(false);
  const [open, setOpen] = useState(false);
  const { correction } = entered;
  const asked = askedOf(correction);
  return (
    <>
      <Popover
        open={open}
        onOpenChange={setOpen}
        label={words.where(claimWords(correction))}
        trigger={
          <button type="button" className="chip chip-part memory-chip">
            <Icon name={correction.pinned ? "pin" : "memory"} size={14} />
            {asked && <span className="chip-words chip-asked">{asked}</span>}{" "}
            <span className={asked ? "chip-words chip-claim" : "chip-words"}>{shown(correction.claim)}</span>
          </button>
        }
      >
        <Weighing entered={entered} onEdit={() => { setOpen(false); setEditing(true); }} />
      </Popover>
      {editing && <EditCorrection correction={correction} onClose={() => setEditing(false)} />}
    </>
  );
}

function Weighing({ entered, onEdit }: { entered: EnteredMemory; onEdit: () => void }) {
  const words = en.answer.memory;
  const { correction, factors, reason, score } = entered;
  const here = useHere();
  return (
    <div className="weighing">
      <p className="weighing-claim" dir="auto">
        <Claim said={correction} />
      </p>
      <p className="soft">
        {words.why[reason] ?? reason} <span className="tabular">{words.score(decimal(score))}</span>
      </p>
      <dl className="factors">
        {Object.entries(words.factors).map(([name, label]) => (
          <Factor key={name} label={label} value={factors[name] ?? 0} lowers={LOWER.has(name)} />
        ))}
      </dl>
      <div className="weighing-acts">
        <Button size="s" icon="edit" onClick={onEdit}>
          {words.edit}
        </Button>
        <PinButton correction={correction} />
        {here !== null && <NotHere id={correction.id} conversation={here} />}
        <Link className="button button-quiet button-s" to="/memory/$id" params={{ id: correction.id }}>
          {words.open}
        </Link>
      </div>
    </div>
  );
}

function Factor({ label, value, lowers }: { label: string; value: number; lowers: boolean }) {
  const figure = value.toFixed(2);
  const title = lowers ? `${label}, ${en.answer.memory.lowers}` : label;
  return (
    <div className="factor">
      <dt title={title}>{label}</dt>
      <dd>
        <Meter label={title} value={Number(figure)} words={figure} {...(lowers ? { tone: "differ" as const } : {})} />
        <span className="tabular">{figure}</span>
      </dd>
    </div>
  );
}

function PinButton({ correction }: { correction: EnteredMemory["correction"] }) {
  const words = en.answer.memory;
  const toast = useToast();
  const { pin } = useCorrectionActs(correction.id);
  const [pinned, setPinned] = useState(correction.pinned);
  const set = (next: boolean) =>
    pin.mutate(next, {
      onSuccess: () => {
        setPinned(next);
        toast({ text: next ? words.pinned : words.unpinned, undo: () => pin.mutate(!next, { onSuccess: () => setPinned(!next) }) });
      },
    });
  return (
    <Button size="s" icon="pin" busy={pin.isPending} onClick={() => set(!pinned)}>
      {pinned ? words.unpin : words.pin}
    </Button>
  );
}

function PassageChip({ passage }: { passage: Passage }) {
  return (
    <Popover
      label={en.answer.memory.passages}
      trigger={
        <button type="button" className="chip chip-part memory-chip">
          <Icon name="ask" size={14} />
          <span className="chip-words">{shown(passage.text)}</span>
        </button>
      }
    >
      <div className="weighing">
        <p className="passage-text" dir="auto">
          {shown(passage.text)}
        </p>
        <p className="soft">
          <RelativeTime at={passage.said_at} />
        </p>
        <Link to="/c/$id" params={{ id: passage.conversation_id }} search={{ message: passage.message_id }}>
          {en.answer.memory.passages}
        </Link>
      </div>
    </Popover>
  );
}
