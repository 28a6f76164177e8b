import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { api, data } from "../api/client";

/** A member as the council has it now. local: what it is asked stays on this machine. votes: its answer counts. */
export interface CouncilMember {
  readonly seat: string;
  readonly model: string;
  readonly local: boolean;
  readonly votes: boolean;
}

/** Any question serves: at the highest level everybody who sits is in the order of asking. */
const ANYTHING = "What is asked here?";

/** Who sits in the council now, by name. Nobody is asked by this. */
export function useCouncil() {
  return useQuery({
    queryKey: ["models", "council"],
    queryFn: async ({ signal }) => {
      const routed = await data(api.POST("/api/v1/routing", { body: { text: ANYTHING, level: "maximum", answers: [] }, signal }));
      return routed.waves
        .flatMap((wave): CouncilMember[] => wave.members)
        .toSorted((a, b) => a.seat.localeCompare(b.seat));
    },
  });
}

/** Hues and shapes that there are. */
const MARKS = 8;

/** The number (from 0) by which a member has its hue and shape: the same wherever it is shown. */
export function numberOf(seat: string, council: readonly string[]): number {
  const at = council.indexOf(seat);
  // Somebody who sat here once comes after all who sit now; its name decides, so that it is the same each time.
  return at >= 0 ? at : council.length + (sumOf(seat) % MARKS);
}

function sumOf(name: string): number {
  let sum = 0;
  for (let at = 0; at < name.length; at += 1) sum += name.charCodeAt(at);
  return sum;
}

/** Gives the number of each member. */
export function useSeatNumbers(): (seat: string) => number {
  const { data: members } = useCouncil();
  return useMemo(() => {
    const names = (members ?? []).map((each) => each.seat);
    return (seat) => numberOf(seat, names);
  }, [members]);
}
