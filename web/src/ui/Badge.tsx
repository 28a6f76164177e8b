import type { ReactNode } from "react";
import { en } from "../strings/en";
import "./data.css";
import { Icon, type IconName } from "./icons";

export type Tone = "neutral" | "accent" | "agree" | "differ" | "doubt" | "danger";

/** A state in a word. Its colour only repeats what the word says. */
export function Badge({ tone = "neutral", icon, children }: { tone?: Tone; icon?: IconName; children: ReactNode }) {
  return (
    <span className={`badge tone-${tone}`}>
      {icon && <Icon name={icon} size={14} />}
      {children}
    </span>
  );
}

interface ChipProps {
  icon?: IconName;
  children: ReactNode;
  onPress?: () => void;
  /** Takes the thing away; `removeLabel` says which. */
  onRemove?: () => void;
  removeLabel?: string;
}

/** A small thing that can be opened or taken away: a memory that was used, a file that is attached. */
export function Chip({ icon, children, onPress, onRemove, removeLabel = en.ui.remove }: ChipProps) {
  const words = (
    <>
      {icon && <Icon name={icon} size={14} />}
      <span className="chip-words">{children}</span>
    </>
  );
  return (
    <span className="chip">
      {onPress ? (
        <button type="button" className="chip-part" onClick={onPress}>
          {words}
        </button>
      ) : (
        <span className="chip-part">{words}</span>
      )}
      {onRemove && (
        <button type="button" className="chip-remove" aria-label={removeLabel} onClick={onRemove}>
          <Icon name="close" size={14} />
        </button>
      )}
    </span>
  );
}
