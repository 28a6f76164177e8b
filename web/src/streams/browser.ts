import type { KnownFrame } from "./events";
import type { Connection } from "./source";
import type { Handover } from "./store";

/** What tabs of one browser say to each other. */
export type Message =
  | { readonly kind: "frame"; readonly frame: KnownFrame }
  | { readonly kind: "connection"; readonly connection: Connection }
  | { readonly kind: "lost" }
  | { readonly kind: "hello" }
  | { readonly kind: "gone" }
  | { readonly kind: "handover"; readonly handover: Handover; readonly connection: Connection };

export interface Channel {
  send(message: Message): void;
  listen(listener: (message: Message) => void): void;
  close(): void;
}

/** Runs `lead` while this tab is the one that leads; resolves when `signal` is aborted or the tab closes. */
export type Election = (lead: () => () => void, signal: AbortSignal) => Promise<void>;

const LOCK = "auritas-stream";
const CHANNEL = "auritas-events";

export function openChannel(): Channel {
  const channel = new BroadcastChannel(CHANNEL);
  return {
    send: (message) => channel.postMessage(message),
    listen: (listener) => {
      // Only pages of this origin can post here, and they are of this app.
      channel.onmessage = (event: MessageEvent<Message>) => listener(event.data);
    },
    close: () => channel.close(),
  };
}

/** The tab that holds the lock leads. The browser hands it on when that tab closes, crashes or navigates away. */
export const lockElection: Election = async (lead, signal) => {
  const held = () =>
    new Promise<void>((resolve) => {
      const stop = lead();
      const end = () => {
        stop();
        resolve();
      };
      if (signal.aborted) end();
      else signal.addEventListener("abort", end, { once: true });
    });
  // Locks need a secure context; without one each tab follows for itself.
  if (!("locks" in navigator)) return held();
  try {
    await navigator.locks.request(LOCK, { signal }, held);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
};
