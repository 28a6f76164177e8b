import { type InfiniteData, type QueryClient, type QueryKey, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { api, data, type Schemas } from "../../api/client";
import { ApiError } from "../../api/errors";
import { useHub } from "../../streams/context";
import type { RunStore } from "../../streams/store";
import { withNewest } from "./newest";

export type Message = Schemas["ThreadMessage"];
export type Thread = Schemas["Thread"];

/** A stretch as it was read. ended: the runs that were over by then: what came of them stands in it. */
export interface Stretch extends Thread {
  readonly ended: readonly string[];
}

export type Place = { readonly before: string } | { readonly after: string } | { readonly around: string } | null;
export type Stretches = InfiniteData<Stretch, Place>;

/** Messages fetched at a time. */
const PAGE = 60;
/** Messages fetched at a time behind the place where the reader began. */
const REST = 200;

type Read = (place: Place, signal: AbortSignal) => Promise<Stretch>;

function reading(id: string, store: RunStore): Read {
  return async (place, signal) => {
    const ended = [...store.runs.values()].filter((run) => run.state !== "running").map((run) => run.id);
    const limit = place && "after" in place ? REST : PAGE;
    const stretch = await data(
      api.GET("/api/v1/conversations/{conversation_id}/messages", {
        params: { path: { conversation_id: id }, query: { limit, ...place } },
        signal,
      }),
    );
    return { ...stretch, ended };
  };
}

function begun(openAt: string | undefined): Place {
  return openAt === undefined ? null : { around: openAt };
}

/**
 * A conversation from its end, or around a message; earlier messages on demand, later ones by themselves. What happens in
 * it reads its newest messages anew (`refresh`), what happens to memory all that were read. lost: why it is not there
 * (any more), whatever was read of it before.
 */
export function useThread(id: string, openAt: string | undefined) {
  const { store } = useHub();
  const read = reading(id, store);
  const queryKey = ["messages", id, openAt ?? ""];
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => read(pageParam, signal),
    initialPageParam: begun(openAt),
    getPreviousPageParam: (first): Place => (first.before == null ? null : { before: first.before }),
    getNextPageParam: (last): Place => (last.after == null ? null : { after: last.after }),
    // A person asks for earlier messages again, and what else failed is read when the stream is back.
    retry: false,
  });
  const { refetch: refresh, error: lost } = useQuery({
    queryKey: ["conversations", id, "newest", openAt ?? ""],
    queryFn: ({ client, signal }) => readNewest(client, queryKey, store, (place) => read(place, signal)),
    initialData: null,
    enabled: query.data !== undefined,
  });
  const { hasNextPage, isFetching, isError, fetchNextPage } = query;
  useEffect(() => {
    // What failed is read again when the stream is back, and not in a circle.
    if (hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [hasNextPage, isFetching, isError, fetchNextPage]);
  return { thread: query, refresh, lost: isGone(query.error) ? query.error : isGone(lost) ? lost : null };
}

function isGone(error: Error | null): boolean {
  return error instanceof ApiError && (error.status === 404 || error.status === 422);
}

/** Reads the newest messages into those that were read before; all of them where the newest do not tell everything. */
async function readNewest(client: QueryClient, queryKey: QueryKey, store: RunStore, read: (place: Place) => Promise<Stretch>): Promise<null> {
  for (;;) {
    // What is being read just now would replace what is put beside it.
    await client.getQueryCache().find({ queryKey })?.promise?.catch(() => undefined);
    const before = client.getQueryData<Stretches>(queryKey);
    const newest = await read(null);
    const state = client.getQueryState<Stretches>(queryKey);
    if (state?.data !== before || state?.fetchStatus === "fetching") continue;
    const joined = before ? withNewest(before, newest, store.runs) : null;
    if (joined) client.setQueryData(queryKey, joined);
    else await client.refetchQueries({ queryKey, exact: true }, { throwOnError: true });
    return null;
  }
}

/** The messages of all stretches in order. A stretch fetched anew may overlap the one beside it. */
export function messagesOf(stretches: readonly Thread[]): readonly Message[] {
  const found = new Map<string, Message>();
  for (const stretch of stretches) for (const message of stretch.messages) found.set(message.id, message);
  return [...found.values()].toSorted((a, b) => a.number - b.number);
}
