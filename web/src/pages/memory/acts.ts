import { useQueryClient } from "@tanstack/react-query";
import { useMutation } from "../../api/mutation";
import { api, data, type Schemas } from "../../api/client";

export type NewCorrection = Schemas["NewCorrection"];
export type Place = Schemas["Place"];

/** Forms say themselves what went wrong. */
const QUIET = { meta: { quiet: true } } as const;

function useRenewal() {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: ["memory"] });
}

export function useAdd() {
  const onSuccess = useRenewal();
  return useMutation({
    mutationFn: (told: NewCorrection) => data(api.POST("/api/v1/memory", { body: told })),
    onSuccess,
    ...QUIET,
  });
}

export function useEdit(id: string) {
  const onSuccess = useRenewal();
  return useMutation({
    mutationFn: (claim: string) =>
      data(api.PUT("/api/v1/memory/{correction_id}/words", { params: { path: { correction_id: id } }, body: { claim } })),
    onSuccess,
    ...QUIET,
  });
}

export function usePin(id: string) {
  const onSuccess = useRenewal();
  return useMutation({
    mutationFn: (pinned: boolean) =>
      data(api.PUT("/api/v1/memory/{correction_id}/pin", { params: { path: { correction_id: id } }, body: { pinned } })),
    onSuccess,
  });
}

export function useMove(id: string) {
  const onSuccess = useRenewal();
  return useMutation({
    mutationFn: (place: Place) =>
      data(api.PUT("/api/v1/memory/{correction_id}/place", { params: { path: { correction_id: id } }, body: place })),
    onSuccess,
    ...QUIET,
  });
}

/** Lets `winner` take the place of `loser`. */
export function useReplace() {
  const onSuccess = useRenewal();
  return useMutation({
    mutationFn: ({ winner, loser }: { winner: string; loser: string }) =>
      data(
        api.POST("/api/v1/memory/{correction_id}/replace", {
          params: { path: { correction_id: winner } },
          body: { older: loser },
        }),
      ),
    onSuccess,
  });
}

export function useConfirm() {
  const onSuccess = useRenewal();
  return useMutation({
    mutationFn: (id: string) =>
      data(
        api.POST("/api/v1/memory/{correction_id}/confirm", {
          params: { path: { correction_id: id } },
          body: { again: false },
        }),
      ),
    onSuccess,
  });
}

export function useErase(id: string) {
  const onSuccess = useRenewal();
  return useMutation({
    mutationFn: (everywhere: boolean) =>
      data(
        api.DELETE("/api/v1/memory/{correction_id}", { params: { path: { correction_id: id }, query: { everywhere } } }),
      ),
    onSuccess,
    ...QUIET,
  });
}

/** Says that both of a pair hold: they are offered no more until the words of one change. */
export function useKeepBoth() {
  const onSuccess = useRenewal();
  return useMutation({
    mutationFn: ({ one, other }: { one: string; other: string }) =>
      data(
        api.PUT("/api/v1/memory/{correction_id}/beside/{other_id}", {
          params: { path: { correction_id: one, other_id: other } },
        }),
      ),
    onSuccess,
  });
}
