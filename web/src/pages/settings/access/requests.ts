import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMutation } from "../../../api/mutation";
import { api, data, type Schemas } from "../../../api/client";
import { en } from "../../../strings/en";

export type Token = Schemas["TokenView"];
export type Scope = Token["scopes"][number];

export const SCOPES = Object.keys(en.keeping.access.scopeNames) as readonly Scope[];

const KEY = ["tokens"] as const;
/** Tokens and sessions read at a time: more than anybody has. */
const MOST = 200;

export function useTokens(kind: "api" | "browser") {
  return useQuery({
    queryKey: [...KEY, kind],
    queryFn: async ({ signal }) =>
      (await data(api.GET("/api/v1/tokens", { params: { query: { kind, limit: MOST } }, signal }))).items,
  });
}

export function useMe() {
  return useQuery({ queryKey: ["me"], queryFn: ({ signal }) => data(api.GET("/api/v1/me", { signal })) });
}

/** Makes a token; the form says what was refused. */
export function useMakeToken() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: { name: string; scopes: Scope[]; expires_at: string | null }) =>
      data(api.POST("/api/v1/tokens", { body })),
    onSuccess: () => client.invalidateQueries({ queryKey: KEY }),
    meta: { quiet: true },
  });
}

/** Revokes a token, or signs a browser out. */
export function useRevoke() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => data(api.DELETE("/api/v1/tokens/{token_id}", { params: { path: { token_id: id } } })),
    onSuccess: () => client.invalidateQueries({ queryKey: KEY }),
  });
}

/** Signs this browser out. */
export function useSignOut() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => data(api.DELETE("/api/v1/me")),
    onSuccess: () => client.invalidateQueries(),
  });
}

export function usePeople(enabled: boolean) {
  return useQuery({
    queryKey: ["people"],
    queryFn: async ({ signal }) => (await data(api.GET("/api/v1/people", { signal }))).items,
    enabled,
  });
}

/** Lets a person in; the form says what was refused. */
export function useAdmit() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (name: string) => data(api.POST("/api/v1/people", { body: { name } })),
    onSuccess: () => client.invalidateQueries({ queryKey: ["people"] }),
    meta: { quiet: true },
  });
}

/** An address that lets one browser of a person in, once. */
export function useHandover() {
  return useMutation({ mutationFn: (owner: string) => data(api.POST("/api/v1/handover", { body: { owner } })) });
}
