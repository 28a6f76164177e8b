import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useRuns } from "../../streams/hooks";

/** What grows with every run, without being announced: the first parts of the keys of what is read here. */
const GROWING = ["grades", "record", "domains", "reviewers", "usage", "egress", "audit"] as const;

/** Reads of this page are made anew when one visits it: asking changes them, and nothing says so. */
export const FRESH = { staleTime: 0, refetchOnMount: "always" } as const;

/** Reads what is in sight anew when a run has ended. */
export function useFresh(): void {
  const client = useQueryClient();
  // By name, not by number: of those that ended only the last are kept, so that their number stops growing.
  const ended = [...useRuns().values()].filter((run) => run.state !== "running").map((run) => run.id).join(" ");
  const before = useRef(ended);
  useEffect(() => {
    if (before.current === ended) return;
    before.current = ended;
    for (const key of GROWING) void client.invalidateQueries({ queryKey: [key] });
  }, [client, ended]);
}
