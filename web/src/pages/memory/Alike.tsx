import { useState } from "react";
import { useUndo } from "../../memory-bars/steering";
import { Asked } from "../../claim/Claim";
import { claimWords } from "../../claim/words";
import { en } from "../../strings/en";
import { Button } from "../../ui/Button";
import { useToast } from "../../ui/Toast";
import { LongText } from "../../why/LongText";
import { useKeepBoth, useReplace } from "./acts";
import { type Correction, useAlike } from "./corrections";
import { saidWords } from "./provenance";
import "./pending.css";

interface Pair {
  readonly newer: Correction;
  readonly older: Correction;
}

/** Pairs at first; settling one shows the next. */
const SHOWN = 1;

/** Pairs that say nearly the same, or the contrary, for the reader to settle. Without a model that compares words: none. */
export function Alike() {
  const words = en.memory.alike;
  const { data: pairs = [] } = useAlike();
  const [all, setAll] = useState(false);
  const visible = all ? pairs : pairs.slice(0, SHOWN);
  if (pairs.length === 0) return null;
  return (
    <section className="memory-desk" aria-labelledby="alike">
      <h2 id="alike">{words.title(pairs.length)}</h2>
      <p className="soft">{words.text}</p>
      <ul className="memory-pending">
        {visible.map((pair) => (
          <li key={`${pair.newer.id} ${pair.older.id}`} className="memory-pending-one" aria-label={words.label(claimWords(pair.newer))}>
            <Settle pair={pair} />
          </li>
        ))}
      </ul>
      {visible.length < pairs.length && (
        <Button className="memory-expand" kind="quiet" size="s" icon="down" onClick={() => setAll(true)}>
          {words.more(pairs.length - visible.length)}
        </Button>
      )}
    </section>
  );
}

interface SettleProps {
  pair: Pair;
  /** Called with whether both go on to hold. */
  onSettled?: (both: boolean) => void;
}

/** Two that resemble each other, and which of them is to hold. */
export function Settle({ pair, onSettled }: SettleProps) {
  const words = en.memory.alike;
  const toast = useToast();
  const undo = useUndo();
  const replace = useReplace();
  const keep = useKeepBoth();
  const settle = (winner: Correction, loser: Correction) =>
    replace.mutate(
      { winner: winner.id, loser: loser.id },
      {
        onSuccess: ({ act_id: act }) => {
          toast({ text: words.settled, undo: () => undo(act) });
          onSettled?.(false);
        },
      },
    );
  const { newer, older } = pair;
  const both = () =>
    keep.mutate(
      { one: newer.id, other: older.id },
      {
        onSuccess: ({ act_id: act }) => {
          toast({ text: words.both, ...(act ? { undo: () => undo(act) } : {}) });
          onSettled?.(true);
        },
      },
    );
  return (
    <>
      <dl className="memory-pair">
        <Side label={words.newer} correction={newer} />
        <Side label={words.older} correction={older} />
      </dl>
      <div className="memory-acts">
        <Button size="s" busy={replace.isPending} onClick={() => settle(newer, older)}>
          {words.keepNewer}
        </Button>
        <Button size="s" busy={keep.isPending} onClick={both}>
          {words.keepBoth}
        </Button>
        <Button size="s" busy={replace.isPending} onClick={() => settle(older, newer)}>
          {words.keepOlder}
        </Button>
      </div>
    </>
  );
}

function Side({ label, correction }: { label: string; correction: Correction }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <div className="memory-claim" dir="auto">
          <Asked said={correction} />
          <LongText text={correction.claim} />
        </div>
        <p className="memory-facts">
          <span>{saidWords(correction)}</span>
        </p>
      </dd>
    </div>
  );
}
