import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMutation } from "../../api/mutation";
import type { Said } from "../../answer/requests";
import { api, data, type Schemas } from "../../api/client";

export type Compared = Schemas["ComparisonShown"];
export type Candidate = Schemas["Compared"];
export type Voice = Schemas["Voice"];

/** The candidates of a question side by side. */
export function useComparison(query: string) {
  return useQuery({
    queryKey: ["questions", query, "comparison"],
    queryFn: ({ signal }) =>
      data(api.GET("/api/v1/questions/{question}/comparison", { params: { path: { question: query } }, signal })),
  });
}

/** How often each member is right in each field. */
export function useRates() {
  return useQuery({
    queryKey: ["record", "by field"],
    queryFn: ({ signal }) => data(api.GET("/api/v1/record/domains", { signal })),
  });
}

/** Says who is right, and takes it back. What follows is read anew: the grades here, and the record of the members. */
export function useSaying() {
  const client = useQueryClient();
  const onSuccess = async () => {
    await Promise.all([
      client.invalidateQueries({ queryKey: ["questions"] }),
      client.invalidateQueries({ queryKey: ["record"] }),
    ]);
  };
  const say = useMutation({
    mutationFn: (grade: Said) => data(api.POST("/api/v1/grades", { body: { grade } })),
    onSuccess,
  });
  const undo = useMutation({
    mutationFn: (id: string) => data(api.DELETE("/api/v1/grades/{grade}", { params: { path: { grade: id } } })),
    onSuccess,
  });
  return { say, undo, busy: say.isPending || undo.isPending };
}
