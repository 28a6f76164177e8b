import { useSyncExternalStore } from "react";

/**
 * Whether the server lets this browser in: it may have no session (`closed`), or the store waits for its passphrase
 * (`locked`), or was destroyed from this page (`gone`).
 */
export type Access = "open" | "closed" | "locked" | "gone";

let access: Access = "open";
/** Everything is being destroyed: what the server says meanwhile is no news. */
let ending = false;
const listeners = new Set<() => void>();

export function setAccess(next: Access): void {
  if (ending || access === "gone") return;
  change(next);
}

/** Says that everything is about to be destroyed from here. */
export function beginEnd(): void {
  ending = true;
}

/** Says how that went. */
export function endEnd(gone: boolean): void {
  ending = false;
  if (gone) change("gone");
}

function change(next: Access): void {
  if (next === access) return;
  access = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useAccess(): Access {
  return useSyncExternalStore(subscribe, () => access);
}

/** What an HTTP status says about access; null where it says nothing. */
export function accessOf(status: number): Access | null {
  if (status === 401) return "closed";
  if (status === 423) return "locked";
  return status >= 200 && status < 300 ? "open" : null;
}
