import type { QueryClient } from "@tanstack/react-query";

/** Tabs tell each other here which conversations were deleted. */
const CHANNEL = "auritas.deleted";

const gone = new Set<string>();

/** Whether a conversation was deleted while this tab was open, in it or in another one. */
export function wasDeleted(id: string): boolean {
  return gone.has(id);
}

/** Lets go of everything that was read of a conversation, here and in the other tabs: it is being deleted. */
export function dropConversation(client: QueryClient, id: string): void {
  drop(client, id);
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(id);
  channel.close();
}

/** Lets go of what other tabs delete. Returns what ends it. */
export function followDeletions(client: QueryClient): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = (event: MessageEvent<unknown>) => {
    if (typeof event.data === "string") drop(client, event.data);
  };
  return () => channel.close();
}

function drop(client: QueryClient, id: string): void {
  gone.add(id);
  for (const queryKey of [["messages", id], ["conversations", id]]) {
    client.removeQueries({ queryKey, type: "inactive" });
    // A page that shows it begins anew, and finds that it is gone.
    void client.resetQueries({ queryKey, type: "active" });
  }
}
