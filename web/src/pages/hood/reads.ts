import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { api, data } from "../../api/client";
import { FRESH } from "./fresh";

/** Rows of a list that are read at a time. */
export const PAGE = 50;

/** What grades teach has keys that begin with "grades": it is read anew when somebody grades. */
export function useRecord() {
  return useQuery({
    ...FRESH,
    queryKey: ["grades", "record"],
    queryFn: ({ signal }) => data(api.GET("/api/v1/record", { signal })),
  });
}

export function useDomainRates() {
  return useQuery({
    ...FRESH,
    queryKey: ["grades", "domains"],
    queryFn: ({ signal }) => data(api.GET("/api/v1/record/domains", { signal })),
  });
}

export function useScores() {
  return useQuery({
    ...FRESH,
    queryKey: ["record", "scores"],
    queryFn: ({ signal }) => data(api.GET("/api/v1/record/scores", { signal })),
  });
}

export function useIndependence() {
  return useQuery({
    ...FRESH,
    queryKey: ["grades", "independence"],
    queryFn: ({ signal }) => data(api.GET("/api/v1/record/independence", { signal })),
  });
}

export function useCompliance() {
  return useQuery({
    ...FRESH,
    queryKey: ["record", "compliance"],
    queryFn: ({ signal }) => data(api.GET("/api/v1/record/compliance", { signal })),
  });
}

export function useCalibration() {
  return useQuery({
    ...FRESH,
    queryKey: ["grades", "calibration"],
    queryFn: ({ signal }) => data(api.GET("/api/v1/record/calibration", { signal })),
  });
}

export function useBalances() {
  return useQuery({
    ...FRESH,
    queryKey: ["grades", "balances"],
    queryFn: ({ signal }) => data(api.GET("/api/v1/record/balances", { signal })),
  });
}

/** What members earned, newest first; of one member where it is named. */
export function useLedger(seat: string | null) {
  return useInfiniteQuery({
    ...FRESH,
    queryKey: ["grades", "ledger", seat],
    queryFn: ({ pageParam, signal }) =>
      data(
        api.GET("/api/v1/record/ledger", {
          params: { query: { limit: PAGE, after: pageParam, seat } },
          signal,
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
  });
}

export function useReviewers() {
  return useQuery({
    ...FRESH,
    queryKey: ["reviewers"],
    queryFn: ({ signal }) => data(api.GET("/api/v1/reviewers", { signal })),
  });
}

export function useDomains() {
  return useQuery({
    ...FRESH,
    queryKey: ["domains"],
    queryFn: ({ signal }) => data(api.GET("/api/v1/domains", { signal })),
  });
}

/** What asking took on the last `days` days. */
export function useUsage(days: number) {
  return useQuery({
    ...FRESH,
    queryKey: ["usage", days],
    queryFn: ({ signal }) => data(api.GET("/api/v1/usage", { params: { query: { days } }, signal })),
  });
}

export interface EgressFilter {
  /** ISO 8601, or null for everything. */
  readonly since: string | null;
  readonly model: string | null;
}

export function useEgress({ since, model }: EgressFilter) {
  return useInfiniteQuery({
    ...FRESH,
    queryKey: ["egress", "requests", since, model],
    queryFn: ({ pageParam, signal }) =>
      data(api.GET("/api/v1/egress", { params: { query: { limit: PAGE, after: pageParam, since, model } }, signal })),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
  });
}

export function useEgressTotals({ since, model }: EgressFilter) {
  return useQuery({
    ...FRESH,
    queryKey: ["egress", "totals", since, model],
    queryFn: ({ signal }) => data(api.GET("/api/v1/egress/totals", { params: { query: { since, model } }, signal })),
  });
}
