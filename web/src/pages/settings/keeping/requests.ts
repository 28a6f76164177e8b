import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useHub } from "../../../streams/context";
import { useMutation } from "../../../api/mutation";
import { beginEnd, endEnd } from "../../../api/access";
import { api, data } from "../../../api/client";
import { forgetDrafts } from "../../../composer/draft";

const KEY = ["keeping"] as const;

/** How the store's key is kept. */
export function useKeeping() {
  return useQuery({ queryKey: [...KEY, "key"], queryFn: ({ signal }) => data(api.GET("/api/v1/keeping", { signal })) });
}

export function useBackups() {
  return useQuery({ queryKey: [...KEY, "backups"], queryFn: ({ signal }) => data(api.GET("/api/v1/keeping/backups", { signal })) });
}

/** Begins a backup; its run is followed by the stream. */
export function useBackUp() {
  return useMutation({
    mutationFn: (passphrase: string | null) => data(api.POST("/api/v1/keeping/backups", { body: { passphrase } })),
  });
}

/** Sets or changes the passphrase; the form says what was refused. */
export function useChangePassphrase() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: { new: string; old: string | null }) => data(api.PUT("/api/v1/keeping/passphrase", { body })),
    onSuccess: () => client.invalidateQueries({ queryKey: KEY }),
    meta: { quiet: true },
  });
}

/** Destroys everything. The page that did it stays where it is, to say what came of it; the other tabs are told to clear. */
export function usePanic() {
  const client = useQueryClient();
  const hub = useHub();
  return useMutation({
    mutationFn: () => data(api.POST("/api/v1/keeping/panic", { body: { word: "DESTROY" } })),
    onMutate: beginEnd,
    onSuccess: () => {
      hub.end(); // before this tab follows nothing any more
      endEnd(true);
      forgetDrafts();
      client.removeQueries({ type: "inactive" });
    },
    onError: () => endEnd(false),
    meta: { quiet: true },
  });
}
