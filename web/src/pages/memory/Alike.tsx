import { useState } from "react";
import { en } from "../../strings/en";
import { Button } from "../../ui/Button";
import { useToast } from "../../ui/Toast";
import { useReplace, useUndo } from "./acts";
import { type Correction, useAlike } from "./corrections";
import { useKeptPairs } from "./pairs";
import { saidWords } from "./provenance";
import { shown } from "../../markdown/text";

interface Pair {
  readonly newer: Correction;
  readonly older: Correction;
}

/** Pairs at first; settling one shows the next. */
const SHOWN = 1;

/** Pairs that say nearly the same, or the contrary, for the reader to settle. Without a model that compares words: none. */
export function Alike() {
  const words = en.memory.alike;
  const toast = useToast();
  const { data: found } = useAlike();
  const { open, keep, ask } = useKeptPairs();
  const [all, setAll] = useState(false);
  const pairs = open(found ?? []);
  const visible = all ? pairs : pairs.slice(0, SHOWN);
  if (pairs.length === 0) return null;
  const both = (pair: Pair) => {
    keep(pair);
    toast({ text: words.both, undo: () => ask(pair) });
  };
  return (
    <section className="memory-desk" aria-labelledby="alike">
      <h2 id="alike">{words.title(pairs.length)}</h2>
      <p className="soft">{words.text}</p>
      <ul className="memory-cards">
        {visible.map((pair) => (
          <li key={`${pair.newer.id} ${pair.older.id}`} className="memory-card" aria-label={words.label(shown(pair.newer.claim))}>
            <Settle pair={pair} onBoth={() => both(pair)} />
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
  onBoth: () => void;
  onSettled?: () => void;
}

/** Two that resemble each other, and which of them is to hold. */
export function Settle({ pair, onBoth, onSettled }: SettleProps) {
  const words = en.memory.alike;
  const toast = useToast();
  const undo = useUndo();
  const replace = useReplace();
  const settle = (winner: Correction, loser: Correction) =>
    replace.mutate(
      { winner: winner.id, loser: loser.id },
      {
        onSuccess: () => {
          toast({ text: words.settled, undo: () => undo() });
          onSettled?.();
        },
      },
    );
  const { newer, older } = pair;
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
        <Button size="s" onClick={onBoth}>
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
        <p className="memory-claim" dir="auto">
          {shown(correction.claim)}
        </p>
        <p className="memory-facts">
          <span>{saidWords(correction)}</span>
        </p>
      </dd>
    </div>
  );
}
