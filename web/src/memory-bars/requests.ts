import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMutation } from "../api/mutation";
import { api, data } from "../api/client";
import type { Place } from "./places";

/** The conversation in which something was said; null where there is none any more. */
export function useOrigin(id: string) {
  return useQuery({
    queryKey: ["memory", id, "origin"],
    queryFn: async ({ signal }) => {
      const path = { correction_id: id };
      const found = await data(api.GET("/api/v1/memory/{correction_id}", { params: { path }, signal }));
      return found.origin?.conversation_id ?? null;
    },
  });
}

/** The fields of the domain tree. */
export function useFields() {
  return useQuery({
    queryKey: ["domains", "fields"],
    queryFn: async ({ signal }) => {
      const { nodes } = await data(api.GET("/api/v1/domains", { signal }));
      return nodes.map(({ id, name }) => ({ id, name }));
    },
  });
}

/** Lets something hold in another place. */
export function useMove(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (place: Place) =>
      data(api.PUT("/api/v1/memory/{correction_id}/place", { params: { path: { correction_id: id } }, body: place })),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ["memory"] });
      void client.invalidateQueries({ queryKey: ["questions"] });
    },
    meta: { quiet: true },
  });
}
