import { useCallback, useSyncExternalStore } from "react";
import type { TextBuffer } from "./buffer";
import { useHub } from "./context";
import type { Run } from "./run";
import type { Connection } from "./source";

/** The runs that this browser knows, by id. */
export function useRuns(): ReadonlyMap<string, Run> {
  const { store } = useHub();
  return useSyncExternalStore(
    useCallback((listener) => store.subscribe(listener), [store]),
    () => store.runs,
  );
}

/** One run, or null where it is unknown here. The component is drawn again only when that run is different. */
export function useRun(id: string | null): Run | null {
  const { store } = useHub();
  return useSyncExternalStore(
    useCallback((listener) => store.subscribe(listener), [store]),
    () => (id === null ? null : (store.runs.get(id) ?? null)),
  );
}

/** The run that goes on in a conversation, or the one that ended there last; null where there is none. */
export function useRunIn(conversationId: string | null): Run | null {
  const { store } = useHub();
  return useSyncExternalStore(
    useCallback((listener) => store.subscribe(listener), [store]),
    () => latestIn(store.runs, conversationId),
  );
}

/** What a member writes in a run; null before its first word. Tokens do not draw the caller again: subscribe to it. */
export function useText(run: string, seat: string): TextBuffer | null {
  const { store } = useHub();
  return useSyncExternalStore(
    useCallback((listener) => store.subscribe(listener), [store]),
    () => store.buffer(run, seat),
  );
}

/** Whether this tab has been told what runs. Until then what nobody seems to answer may be answered just now. */
export function useFollowing(): boolean {
  const { store } = useHub();
  return useSyncExternalStore(
    useCallback((listener) => store.subscribe(listener), [store]),
    () => store.last !== null,
  );
}

export function useConnection(): Connection {
  const hub = useHub();
  return useSyncExternalStore(
    useCallback((listener) => hub.subscribe(listener), [hub]),
    () => hub.connection,
  );
}

function latestIn(runs: ReadonlyMap<string, Run>, conversationId: string | null): Run | null {
  if (conversationId === null) return null;
  const there = [...runs.values()].filter((run) => run.conversationId === conversationId);
  return there.findLast((run) => run.state === "running") ?? there.at(-1) ?? null;
}
