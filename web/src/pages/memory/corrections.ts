import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { api, data, type Schemas } from "../../api/client";
import { queryOf, type Filters } from "./filters";

export type Correction = Schemas["Correction"];
export type Entry = Schemas["Entry"];
export type Detail = Schemas["CorrectionDetail"];
export type Happened = Schemas["Happened"];
export type CorrectionType = Schemas["CorrectionType"];
export type Scope = Correction["scope"];
export type State = Correction["state"];
export type Kept = Schemas["Kept"];

/** Characters that a correction may have. */
export const LONGEST = 2_000;

const PAGE = 100;
const USES = 10;
const PAIRS = 20;

/** What is remembered and fits the filters, newest first, fetched as far as the reader scrolls. */
export function useCorrections(filters: Filters) {
  return useInfiniteQuery({
    queryKey: ["memory", "list", filters],
    queryFn: ({ pageParam, signal }) =>
      data(
        api.GET("/api/v1/memory", {
          params: { query: { ...queryOf(filters), limit: PAGE, ...(pageParam === null ? {} : { before: pageParam }) } },
          signal,
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next ?? null,
    placeholderData: (before) => before,
    select: ({ pages }) => ({ items: pages.flatMap((page) => page.items), total: pages[0]?.total ?? 0 }),
  });
}

/** How many there are of one state; null while that is not known. */
export function useCount(state: State): number | null {
  const { data: found } = useQuery({
    queryKey: ["memory", "count", state],
    queryFn: ({ signal }) => data(api.GET("/api/v1/memory", { params: { query: { state: [state], limit: 1 } }, signal })),
  });
  return found?.total ?? null;
}

/** What waits for a yes, newest first. */
export function useProposed() {
  return useQuery({
    queryKey: ["memory", "proposed"],
    queryFn: ({ signal }) =>
      data(api.GET("/api/v1/memory", { params: { query: { state: ["proposed"], limit: PAGE } }, signal })),
  });
}

/** Pairs that may be meant to replace one another. Without a model that compares words there are none. */
export function useAlike() {
  return useQuery({
    queryKey: ["memory", "alike"],
    queryFn: ({ signal }) => data(api.GET("/api/v1/memory/alike", { params: { query: { limit: PAIRS } }, signal })),
    retry: false,
  });
}

export function useCorrection(id: string) {
  return useQuery({
    queryKey: ["memory", "one", id],
    queryFn: ({ signal }) =>
      data(api.GET("/api/v1/memory/{correction_id}", { params: { path: { correction_id: id } }, signal })),
  });
}

/** Questions into whose prompts it went, newest first. */
export function useUses(id: string) {
  return useInfiniteQuery({
    queryKey: ["memory", "uses", id],
    queryFn: ({ pageParam, signal }) =>
      data(
        api.GET("/api/v1/memory/{correction_id}/uses", {
          params: { path: { correction_id: id }, query: { limit: USES, ...(pageParam === null ? {} : { before: pageParam }) } },
          signal,
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next ?? null,
    select: ({ pages }) => pages.flatMap((page) => page.items),
  });
}

/** How it was weighed for one question. */
export function useWeighed(id: string, question: string) {
  return useQuery({
    queryKey: ["memory", "why", id, question],
    queryFn: ({ signal }) =>
      data(api.GET("/api/v1/memory/why", { params: { query: { question, correction: id } }, signal })),
    select: (why) => why.reasons[0]?.weighed ?? null,
    retry: false,
  });
}

export function useResembling(id: string, enabled: boolean) {
  return useQuery({
    queryKey: ["memory", "resembling", id],
    queryFn: ({ signal }) =>
      data(api.GET("/api/v1/memory/{correction_id}/resembling", { params: { path: { correction_id: id } }, signal })),
    enabled,
    retry: false,
  });
}

/** Where else the words stand, asked only when they may be erased. */
export function useRepeated(id: string) {
  return useQuery({
    queryKey: ["memory", "repeated", id],
    queryFn: ({ signal }) =>
      data(api.GET("/api/v1/memory/{correction_id}/repeated", { params: { path: { correction_id: id } }, signal })),
    staleTime: 0,
  });
}

/** How many backups lie in the data folder; null where that is not known. */
export function useBackups(): number | null {
  const { data: backups } = useQuery({
    queryKey: ["keeping", "backups"],
    queryFn: ({ signal }) => data(api.GET("/api/v1/keeping/backups", { signal })),
    retry: false,
  });
  return backups?.length ?? null;
}
