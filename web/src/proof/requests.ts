import { useQueryClient } from "@tanstack/react-query";
import { useMutation } from "../api/mutation";
import { api, data, type Schemas } from "../api/client";

export type Proof = Schemas["ProofView"];
export type Proven = Schemas["ProvenView"];

/** Makes a proof of one entry; what no checkpoint covers yet is signed by that. */
export function useProve() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (seq: number) => data(api.POST("/api/v1/audit/entries/{seq}/proof", { params: { path: { seq } } })),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ["audit"] });
      void client.invalidateQueries({ queryKey: ["questions"] });
    },
  });
}

/** Makes a proof of one entry and checks it as a stranger would: by its text and the key of the log alone. */
export function useVerify() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (seq: number): Promise<Proven> => {
      const made = await data(api.POST("/api/v1/audit/entries/{seq}/proof", { params: { path: { seq } } }));
      return data(api.POST("/api/v1/audit/check", { body: { proof: made.text, key: made.key, witness_keys: [] } }));
    },
    onSuccess: () => void client.invalidateQueries({ queryKey: ["questions"] }),
    meta: { quiet: true },
  });
}
