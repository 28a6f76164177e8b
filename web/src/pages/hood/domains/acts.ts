import { useQueryClient } from "@tanstack/react-query";
import { useMutation } from "../../../api/mutation";
import { api, data, type Schemas } from "../../../api/client";
import { en } from "../../../strings/en";
import { useToast } from "../../../ui/Toast";

const words = en.hood.domains;

export type Node = Schemas["DomainLine"];

/** How the tree is changed. name, into: what it is about. */
export type Wanted =
  | { readonly kind: "rename" | "alias"; readonly node: Node; readonly name: string }
  | { readonly kind: "merge"; readonly node: Node; readonly into: string }
  | { readonly kind: "demote"; readonly node: Node };

function sent(wanted: Wanted): Promise<Schemas["DomainChange"]> {
  const path = { domain: wanted.node.id };
  switch (wanted.kind) {
    case "rename":
      return data(api.POST("/api/v1/domains/{domain}/rename", { params: { path }, body: { name: wanted.name } }));
    case "alias":
      return data(api.POST("/api/v1/domains/{domain}/aliases", { params: { path }, body: { name: wanted.name } }));
    case "merge":
      return data(api.POST("/api/v1/domains/{domain}/merge", { params: { path }, body: { into: wanted.into } }));
    case "demote":
      return data(api.POST("/api/v1/domains/{domain}/demote", { params: { path } }));
  }
}

function told(wanted: Wanted): string {
  return words.done[wanted.kind](wanted.kind === "rename" ? wanted.name : wanted.node.name);
}

/** Changes the tree, says what was done, and offers to take it back. */
export function useDomainActs() {
  const client = useQueryClient();
  const toast = useToast();
  const onSuccess = () => {
    void client.invalidateQueries({ queryKey: ["domains"] });
    void client.invalidateQueries({ queryKey: ["grades"] });
  };
  const undo = useMutation({
    mutationFn: () => data(api.POST("/api/v1/domains/undo")),
    onSuccess: ({ kind, node }) => {
      onSuccess();
      toast({ text: words.undone(`${nameOf(node)} ${words.change[kind]}`) });
    },
  });
  const change = useMutation({
    mutationFn: sent,
    meta: { quiet: true },
    onSuccess: (_done, wanted) => {
      onSuccess();
      toast({ text: told(wanted), undo: () => undo.mutate() });
    },
  });
  const refresh = useMutation({
    mutationFn: () => data(api.POST("/api/v1/domains/refresh")),
    onSuccess: ({ compared, promoted, pruned, busy }) => {
      onSuccess();
      toast({ text: busy ? words.busy : words.refreshed(compared, promoted.length, pruned.length) });
    },
  });
  return { change, undo, refresh };
}

/** The name of a domain from its id. */
export function nameOf(id: string): string {
  return id.replaceAll("_", " ");
}
