import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { api, data } from "../../api/client";
import { useDebounced } from "../../search/found";
import type { NewCorrection } from "./acts";

export type Told = NonNullable<NewCorrection["type"]>;

/** The types that a person can tell, the usual ones first. */
export const TOLD: readonly Told[] = [
  "factual_correction",
  "persistent_instruction",
  "preference_rule",
  "project_decision",
  "domain_rule",
  "failure_pattern",
];

/** Milliseconds after a letter before the server reads what was typed. */
const PAUSE = 300;

/** How the words read and what they would replace or resemble, as the server would store them; it stores nothing. */
export function useForeseen(told: NewCorrection | null) {
  const rested = useDebounced(told === null ? "" : JSON.stringify(told), PAUSE);
  return useQuery({
    queryKey: ["memory", "foreseen", rested],
    queryFn: ({ signal }) => data(api.POST("/api/v1/memory/preview", { body: JSON.parse(rested) as NewCorrection, signal })),
    enabled: rested !== "" && told !== null,
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 30_000,
  });
}
