import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMutation } from "../api/mutation";
import { api, data, type Schemas } from "../api/client";
import { ApiError } from "../api/errors";
import { undo } from "../memory-bars/steering";

export type Said = Schemas["GradeGiven"]["grade"];

const NO_BODY = { meta: { quiet: true } } as const;

/** Everything that was kept of a question. */
export function useQuestion(queryId: string, enabled: boolean) {
  return useQuery({
    queryKey: ["questions", queryId],
    queryFn: ({ signal }) =>
      data(api.GET("/api/v1/questions/{question}", { params: { path: { question: queryId } }, signal })),
    enabled,
  });
}

/** Says who was right. */
export function useGrade() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (grade: Said) => data(api.POST("/api/v1/grades", { body: { grade } })),
    onSuccess: () => client.invalidateQueries({ queryKey: ["questions"] }),
  });
}

export function useUndoGrade() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => data(api.DELETE("/api/v1/grades/{grade}", { params: { path: { grade: id } } })),
    onSuccess: () => client.invalidateQueries({ queryKey: ["questions"] }),
  });
}

/** A proof of one entry of the log, as a file. */
export function useProof() {
  return useMutation({
    mutationFn: (seq: number) => data(api.POST("/api/v1/audit/entries/{seq}/proof", { params: { path: { seq } } })),
  });
}

export interface Again {
  readonly queryId: string;
  readonly level?: Schemas["AccuracyLevel"] | null;
  readonly members?: readonly string[];
}

/** Asks a question once more; its earlier answer stays. */
export function useAskAgain() {
  return useMutation({
    mutationFn: ({ queryId, level = null, members = [] }: Again) =>
      data(
        api.POST("/api/v1/questions/{query_id}/again", {
          params: { path: { query_id: queryId } },
          body: { level, members: [...members] },
        }),
      ),
  });
}

/** Stops a run. One that has ended meanwhile is as good as stopped. */
export function useStop() {
  return useMutation({
    mutationFn: async (run: string) => {
      try {
        await data(api.DELETE("/api/v1/runs/{run_id}", { params: { path: { run_id: run } } }));
      } catch (error) {
        if (!(error instanceof ApiError && error.status === 404)) throw error;
      }
    },
  });
}

/** Ends a run with what members have answered by now. One that has ended meanwhile has its answer. */
export function useConclude() {
  return useMutation({
    mutationFn: async (run: string) => {
      try {
        await data(api.POST("/api/v1/runs/{run_id}/conclude", { params: { path: { run_id: run } } }));
      } catch (error) {
        if (!(error instanceof ApiError && error.status === 404)) throw error;
      }
    },
  });
}

/** What a person does with one thing that is remembered. */
export function useCorrectionActs(id: string) {
  const client = useQueryClient();
  const onSuccess = () => {
    void client.invalidateQueries({ queryKey: ["memory"] });
    void client.invalidateQueries({ queryKey: ["questions"] });
    void client.invalidateQueries({ queryKey: ["messages"] });
  };
  const path = { correction_id: id };
  const edit = useMutation({
    mutationFn: (claim: string) => data(api.PUT("/api/v1/memory/{correction_id}/words", { params: { path }, body: { claim } })),
    onSuccess,
    ...NO_BODY,
  });
  const pin = useMutation({
    mutationFn: (pinned: boolean) => data(api.PUT("/api/v1/memory/{correction_id}/pin", { params: { path }, body: { pinned } })),
    onSuccess,
  });
  const confirm = useMutation({
    mutationFn: (wish: { readonly again: boolean; readonly level: Schemas["AccuracyLevel"] | null }) =>
      data(api.POST("/api/v1/memory/{correction_id}/confirm", { params: { path }, body: wish })),
    onSuccess,
  });
  const dismiss = useMutation({
    mutationFn: () => data(api.POST("/api/v1/memory/{correction_id}/dismiss", { params: { path } })),
    onSuccess,
  });
  const takeBack = useMutation({ mutationFn: (act: string) => undo(act), onSuccess });
  return { edit, pin, confirm, dismiss, takeBack };
}
