import { percent } from "../strings/numbers";
import "./data.css";
import { shown } from "../markdown/text";

interface MeterProps {
  /** What is measured. */
  label: string;
  /** A share in [0, 1]. */
  value: number;
  /** An interval around it, each in [0, 1]. */
  interval?: readonly [number, number];
  tone?: "accent" | "agree" | "differ" | "doubt";
  /** The value in words, where a percentage is not it. */
  words?: string;
}

/** A share as a bar, with its interval as a thin line where one is known. */
export function Meter({ label, value, interval, tone = "accent", words }: MeterProps) {
  const share = within(value);
  return (
    <div
      className={`meter meter-${tone}`}
      role="meter"
      aria-label={shown(label)}
      aria-valuemin={0}
      aria-valuemax={1}
      aria-valuenow={share}
      aria-valuetext={words ?? percent(share)}
    >
      <div className="meter-value" style={{ inlineSize: length(share) }} />
      {interval && (
        <div
          className="meter-interval"
          style={{ insetInlineStart: length(interval[0]), inlineSize: length(interval[1] - interval[0]) }}
        />
      )}
    </div>
  );
}

function within(share: number): number {
  return Math.min(1, Math.max(0, share));
}

function length(share: number): string {
  return `${within(share) * 100}%`;
}
