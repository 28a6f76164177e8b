import { useSyncExternalStore } from "react";

/** Whether the server lets this browser in: it may have no session (`closed`), or the store waits for its passphrase. */
export type Access = "open" | "closed" | "locked";

let access: Access = "open";
const listeners = new Set<() => void>();

export function setAccess(next: Access): void {
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
