import { useQuery, useQueryClient } from "@tanstack/react-query";
import { createContext, use } from "react";
import { useMutation } from "../api/mutation";
import { api, data } from "../api/client";
import { ApiError } from "../api/errors";
import { reportFailure } from "../api/failures";
import { claimWords } from "../claim/words";
import { en } from "../strings/en";
import { useToast } from "../ui/Toast";

const ConversationHere = createContext<string | null>(null);

/** Says in which conversation what is below it stands. */
export const Here = ConversationHere.Provider;

/** The conversation that is read; null outside of one. */
export function useHere(): string | null {
  return use(ConversationHere);
}

function useRenewal() {
  const client = useQueryClient();
  return () => {
    void client.invalidateQueries({ queryKey: ["memory"] });
    void client.invalidateQueries({ queryKey: ["questions"] });
    void client.invalidateQueries({ queryKey: ["conversations"] });
  };
}

/** Takes back the changes of memory that are named by their acts, the latest first, or the last one; says what it was. */
export function useUndo() {
  const onSettled = useRenewal();
  const toast = useToast();
  const { mutate } = useMutation({
    mutationFn: async (acts: readonly string[]) => {
      let undone = await undo(acts[0]);
      for (const act of acts.slice(1)) undone = await undo(act);
      return undone;
    },
    onSettled,
    onSuccess: ({ correction }) => toast({ text: en.memory.undone(claimWords(correction)) }),
    onError: (error) => {
      // Whoever wants to take something back looks at what is remembered: no need to send them there.
      if (error instanceof ApiError && error.code === "nothing_to_undo") toast({ kind: "failed", text: error.message });
      else reportFailure(error);
    },
    meta: { quiet: true },
  });
  return (...acts: string[]) => mutate(acts);
}

/** Takes back one change, or the last one. */
export function undo(act: string | undefined) {
  return data(api.POST("/api/v1/memory/undo", { params: { query: act === undefined ? {} : { act_id: act } } }));
}

/** What is left out of a conversation, the latest first. */
export function useLeftOut(conversation: string | null) {
  return useQuery({
    queryKey: ["memory", "left-out", conversation],
    queryFn: ({ signal }) =>
      data(
        api.GET("/api/v1/conversations/{conversation_id}/left-out", {
          params: { path: { conversation_id: conversation ?? "" } },
          signal,
        }),
      ),
    enabled: conversation !== null,
    select: (found) => found.items,
    retry: false,
  });
}

/** Leaves something out of a conversation, or brings it back, and offers the way back. */
export function useSteering(conversation: string) {
  const onSuccess = useRenewal();
  const toast = useToast();
  const back = useUndo();
  const change = useMutation({
    mutationFn: ({ id, out }: { id: string; out: boolean }) => {
      const params = { path: { conversation_id: conversation, correction_id: id } };
      const here = "/api/v1/conversations/{conversation_id}/left-out/{correction_id}";
      return data(out ? api.PUT(here, { params }) : api.DELETE(here, { params }));
    },
    onSuccess,
  });
  const set = (id: string, out: boolean) => {
    const done = ({ act_id: act }: { act_id: string }) =>
      toast({ text: out ? en.bars.leftOut : en.bars.broughtBack, ...(act ? { undo: () => back(act) } : {}) });
    change.mutate({ id, out }, { onSuccess: done });
  };
  return { set, busy: change.isPending };
}
