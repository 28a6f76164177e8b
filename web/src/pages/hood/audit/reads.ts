import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { useMutation } from "../../../api/mutation";
import { saveText } from "../../../answer/files";
import { useProof } from "../../../answer/requests";
import { api, data, type Schemas } from "../../../api/client";
import { en } from "../../../strings/en";
import { useToast } from "../../../ui/Toast";
import { FRESH } from "../fresh";
import { PAGE } from "../reads";

const words = en.hood.audit;

export type Kind = Schemas["Kind"];

export interface EntryFilter {
  readonly kind: Kind | null;
  readonly trace: string | null;
}

/** Entries, newest first. */
export function useEntries({ kind, trace }: EntryFilter) {
  return useInfiniteQuery({
    ...FRESH,
    queryKey: ["audit", "entries", kind, trace],
    queryFn: ({ pageParam, signal }) =>
      data(
        api.GET("/api/v1/audit/entries", { params: { query: { limit: PAGE, before: pageParam, kind, trace } }, signal }),
      ),
    initialPageParam: null as number | null,
    getNextPageParam: (page) => page.next,
  });
}

/** One entry and the checkpoint that covers it. */
export function useEntry(seq: number) {
  return useQuery({
    ...FRESH,
    queryKey: ["audit", "entry", seq],
    queryFn: ({ signal }) => data(api.GET("/api/v1/audit/entries/{seq}", { params: { path: { seq } }, signal })),
  });
}

/** Where the log stands. */
export function useRoot() {
  return useQuery({
    ...FRESH,
    queryKey: ["audit", "root"],
    queryFn: ({ signal }) => data(api.GET("/api/v1/audit/root", { signal })),
  });
}

/** Signed heads, the largest first. */
export function useCheckpoints() {
  return useInfiniteQuery({
    ...FRESH,
    queryKey: ["audit", "checkpoints"],
    queryFn: ({ pageParam, signal }) =>
      data(api.GET("/api/v1/audit/checkpoints", { params: { query: { limit: PAGE, before: pageParam } }, signal })),
    initialPageParam: null as number | null,
    getNextPageParam: (page) => page.next,
  });
}

/** Signs the log as it stands. */
export function useSign() {
  const client = useQueryClient();
  const toast = useToast();
  return useMutation({
    mutationFn: () => data(api.POST("/api/v1/audit/checkpoints")),
    onSuccess: ({ size }) => {
      void client.invalidateQueries({ queryKey: ["audit"] });
      toast({ text: words.signedNow(size) });
    },
  });
}

/** Saves the proof of an entry as a file, and says that it did. */
export function useSaveProof() {
  const client = useQueryClient();
  const toast = useToast();
  const proof = useProof();
  const save = (seq: number) =>
    proof.mutate(seq, {
      onSuccess: ({ filename, text }) => {
        saveText(filename, text, "text/plain");
        void client.invalidateQueries({ queryKey: ["audit"] });
        toast({ text: words.proved(filename), detail: words.provedDetail });
      },
    });
  return { save, made: proof.data ?? null, busy: proof.isPending };
}

/** Copies a text, and says so. */
export function useCopy(): (text: string) => void {
  const toast = useToast();
  return (text) =>
    void navigator.clipboard.writeText(text).then(
      () => toast({ text: words.copied }),
      () => toast({ text: words.notCopied, kind: "failed" }),
    );
}
