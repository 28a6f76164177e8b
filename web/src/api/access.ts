import { useSyncExternalStore } from "react";

/**
 * Whether the server lets this browser in: it may have no session (`closed`), or the store waits for its passphrase
 * (`locked`), or everything was destroyed: from elsewhere (`gone`), or from this page (`ended`), which says so itself.
 */
export type Access = "open" | "closed" | "locked" | "gone" | "ended";

let access: Access = "open";
/** Everything is being destroyed: what the server says meanwhile is no news. */
let ending = false;
const listeners = new Set<() => void>();

export function setAccess(next: Access): void {
  if (ending || access === "gone" || access === "ended") return;
  change(next);
}

/** Says that everything is about to be destroyed from here. */
export function beginEnd(): void {
  ending = true;
}

/** Says how that went. */
export function endEnd(done: boolean): void {
  ending = false;
  if (done) change("ended");
}

function change(next: Access): void {
  if (next === access) return;
  access = next;
  for (const listener of listeners) listener();
}

/** Hears of changes of access. Returns what ends that. */
export function onAccess(listener: (access: Access) => void): () => void {
  return subscribe(() => listener(access));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useAccess(): Access {
  return useSyncExternalStore(subscribe, () => access);
}

/** What the server calls it when everything was destroyed while it ran. */
const GONE = "gone";

/** What an answer says about access; null where it says nothing. code: of its error, empty where it is none. */
export function accessOf(status: number, code = ""): Access | null {
  if (code === GONE) return "gone";
  if (status === 401) return "closed";
  if (status === 423) return "locked";
  return status >= 200 && status < 300 ? "open" : null;
}
