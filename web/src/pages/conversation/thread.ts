import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { api, data, type Schemas } from "../../api/client";

export type Message = Schemas["ThreadMessage"];
export type Thread = Schemas["Thread"];

/** Messages fetched at a time. */
const PAGE = 60;
/** Messages fetched at a time behind the place where the reader began. */
const REST = 200;

type Place = { readonly before: string } | { readonly after: string } | { readonly around: string } | null;

function initialPlace(openAt: string | undefined): Place {
  return openAt === undefined ? null : { around: openAt };
}

async function fetchStretch(id: string, place: Place, signal: AbortSignal): Promise<Thread> {
  const limit = place && "after" in place ? REST : PAGE;
  return data(
    api.GET("/api/v1/conversations/{conversation_id}/messages", {
      params: { path: { conversation_id: id }, query: { limit, ...place } },
      signal,
    }),
  );
}

/** A conversation from its end, or around a message; earlier messages on demand, later ones by themselves. */
export function useThread(id: string, openAt: string | undefined) {
  const query = useInfiniteQuery({
    queryKey: ["conversations", id, "messages", openAt ?? ""],
    queryFn: ({ pageParam, signal }) => fetchStretch(id, pageParam, signal),
    initialPageParam: initialPlace(openAt),
    getPreviousPageParam: (first): Place => (first.before == null ? null : { before: first.before }),
    getNextPageParam: (last): Place => (last.after == null ? null : { after: last.after }),
  });
  const { hasNextPage, isFetching, isError, fetchNextPage } = query;
  useEffect(() => {
    // What failed is read again when the stream is back, and not in a circle.
    if (hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [hasNextPage, isFetching, isError, fetchNextPage]);
  return query;
}

/** The messages of all stretches in order. A stretch fetched anew may overlap the one beside it. */
export function messagesOf(pages: readonly Thread[]): readonly Message[] {
  const found = new Map<string, Message>();
  for (const page of pages) for (const message of page.messages) found.set(message.id, message);
  return [...found.values()].toSorted((a, b) => a.number - b.number);
}
