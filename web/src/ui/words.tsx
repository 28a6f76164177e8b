import { type ReactNode, useSyncExternalStore } from "react";
import { en } from "../strings/en";
import { ago, money, moment, percent } from "../strings/numbers";
import "./data.css";

/** A key, or several pressed together. */
export function Kbd({ keys }: { keys: readonly string[] }) {
  return (
    <span className="keys">
      {keys.map((key) => (
        <kbd key={key}>{key}</kbd>
      ))}
    </span>
  );
}

/** Words for screen readers only. */
export function VisuallyHidden({ children }: { children: ReactNode }) {
  return <span className="visually-hidden">{children}</span>;
}

const MINUTE = 60_000;

/** One clock for all times on the page; it ticks once a minute while something listens. */
const clock = {
  now: Date.now(),
  listeners: new Set<() => void>(),
  timer: undefined as ReturnType<typeof setInterval> | undefined,
};

function tick(): void {
  clock.now = Date.now();
  for (const listener of clock.listeners) listener();
}

function onMinute(listener: () => void): () => void {
  clock.listeners.add(listener);
  if (clock.listeners.size === 1) {
    clock.now = Date.now();
    clock.timer = setInterval(tick, MINUTE);
  }
  return () => {
    clock.listeners.delete(listener);
    if (clock.listeners.size === 0) clearInterval(clock.timer);
  };
}

/** The time in milliseconds, to the minute. */
export function useNow(): number {
  return useSyncExternalStore(onMinute, () => clock.now);
}

/** When something was, seen from now; the exact moment on demand. at: ISO 8601. */
export function RelativeTime({ at }: { at: string }) {
  const now = useNow();
  const then = Date.parse(at);
  if (Number.isNaN(then)) return <span>{en.ui.none}</span>;
  return (
    // On paper the moment stands there: "2 minutes ago" would count from nobody knows when.
    <time className="ago" dateTime={at} title={moment(then)}>
      <span>{ago(then, Math.max(now, then))}</span>
    </time>
  );
}

/** Money, from millionths of a dollar of the United States. */
export function Money({ micros }: { micros: number }) {
  return <span className="tabular">{money(micros)}</span>;
}

/** A share in [0, 1]; a dash where it is not known. */
export function Percent({ share, places = 0 }: { share: number | null; places?: number }) {
  return <span className="tabular">{share === null ? en.ui.none : percent(share, places)}</span>;
}
