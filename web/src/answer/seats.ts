import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { api, data } from "../api/client";
import { keepMarks, keptMarks, marksOf, ownMark } from "./marks";

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
      const members = routed.waves.flatMap((wave): CouncilMember[] => wave.members);
      keepMarks(marksOf(members.map((each) => each.seat), keptMarks()));
      return members.toSorted((a, b) => a.seat.localeCompare(b.seat));
    },
  });
}

/** Gives the number (from 0) by which a member has its hue and shape; null until it is known who sits here. */
export type SeatNumbers = (seat: string) => number | null;

export function useSeatNumbers(): SeatNumbers {
  const { data: members, isError } = useCouncil();
  return useMemo(() => {
    if (members === undefined) return isError ? ownMark : () => null;
    const kept = keptMarks();
    const marks = marksOf(members.map((each) => each.seat), kept);
    return (seat) => marks[seat] ?? kept[seat] ?? ownMark(seat);
  }, [members, isError]);
}
