import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useMutation } from "../../api/mutation";
import { api, data } from "../../api/client";
import { useRun } from "../../streams/hooks";

const PAGE = 20;

/** Hand-off notes, newest first. */
export function useNotes() {
  return useInfiniteQuery({
    queryKey: ["notes", "list"],
    queryFn: ({ pageParam, signal }) =>
      data(
        api.GET("/api/v1/notes", {
          params: { query: { limit: PAGE, ...(pageParam === null ? {} : { before: pageParam }) } },
          signal,
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next ?? null,
    select: ({ pages }) => pages.flatMap((page) => page.items),
  });
}

export function usePendingNotes() {
  return useQuery({
    queryKey: ["notes", "pending"],
    queryFn: ({ signal }) => data(api.GET("/api/v1/notes/pending", { signal })),
  });
}

export function useRecovery() {
  return useQuery({
    queryKey: ["notes", "recovery"],
    queryFn: ({ signal }) => data(api.GET("/api/v1/recovery", { signal })),
  });
}

/** Has a note written of the newest conversation; its run tells when it is there. */
export function useMakeNote() {
  return useMutation({
    mutationFn: () => data(api.POST("/api/v1/notes", { body: { conversation_id: null, seat: null } })),
  });
}

export function useMakeRecovery() {
  return useMutation({
    mutationFn: (seat: string) => data(api.POST("/api/v1/recovery/{seat}", { params: { path: { seat } } })),
  });
}

/** Follows a run of writing. onDone: once, when it has ended well. */
export function useWriting(runId: string | null, onDone: () => void) {
  const client = useQueryClient();
  const run = useRun(runId);
  const state = run?.state;
  useEffect(() => {
    if (runId === null || state === undefined || state === "running") return;
    void client.invalidateQueries({ queryKey: ["notes"] });
    if (state === "done") onDone();
    // eslint-disable-next-line react-hooks/exhaustive-deps -- once for each end of a run
  }, [runId, state, client]);
  const going = runId !== null && (state === undefined || state === "running");
  return { going, problem: run?.problem ?? null };
}
