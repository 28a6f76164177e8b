import { announce } from "../../shell/announcer";
import { en } from "../../strings/en";
import { IconButton } from "../../ui/IconButton";

interface VersionsProps {
  /** Which one is shown, from 0, and how many there are. */
  at: number;
  count: number;
  onShow: (at: number) => void;
}

/** Leads through the answers that one question was given, the newest last. */
export function Versions({ at, count, onShow }: VersionsProps) {
  const words = en.answer.versions;
  const go = (to: number) => {
    if (to < 0 || to >= count) return;
    onShow(to);
    announce(words.said(to + 1, count));
  };
  return (
    <div className="versions tabular" role="group" aria-label={words.label}>
      {/* Not disabled: whoever has come to the first by keyboard keeps the focus. */}
      <IconButton size="s" icon="left" label={words.earlier} aria-disabled={at === 0} onClick={() => go(at - 1)} />
      <span>{words.place(at + 1, count)}</span>
      <IconButton size="s" icon="right" label={words.later} aria-disabled={at === count - 1} onClick={() => go(at + 1)} />
    </div>
  );
}
