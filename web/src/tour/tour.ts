import { useSyncExternalStore } from "react";
import { STEPS } from "./steps";

/** The step that is shown, from 0; null while there is no tour. */
let at: number | null = null;
const listeners = new Set<() => void>();

function set(next: number | null): void {
  at = next;
  for (const listener of listeners) listener();
}

export function startTour(): void {
  set(0);
}

export function endTour(): void {
  set(null);
}

/** Goes on by `by` steps; beyond the last one the tour ends. */
export function move(by: number): void {
  if (at === null) return;
  const next = Math.max(0, at + by);
  set(next < STEPS.length ? next : null);
}

export function tourAt(): number | null {
  return at;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useTour(): number | null {
  return useSyncExternalStore(subscribe, tourAt);
}
