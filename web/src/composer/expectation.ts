import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { api, data } from "../api/client";
import type { AccuracyLevel } from "../streams/events";
import { en } from "../strings/en";
import { duration, money } from "../strings/numbers";

/** Milliseconds without a key before the server is asked what the question would take. */
const PAUSE = 500;
/** Characters that are enough to tell. */
const ENOUGH = 1_000;

export interface Expected {
  readonly calls: number;
  readonly cost_micros: number;
  readonly seconds?: number | null | undefined;
}

function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

/** What the question is likely to take at a level, of all members or of those that are named; nobody is asked by this. */
export function useExpectation(text: string, level: AccuracyLevel, members: readonly string[]) {
  const settled = useSettled(text.trim().slice(0, ENOUGH));
  return useQuery({
    queryKey: ["models", "expectation", settled, ...members],
    queryFn: ({ signal }) => data(api.GET("/api/v1/expectation", { params: { query: { text: settled, member: [...members] } }, signal })),
    select: (levels) => levels.find((each) => each.level === level)?.expected ?? null,
    placeholderData: keepPreviousData,
    gcTime: 60_000,
  });
}

/** "about 4 calls · $0 · about 6 s" */
export function expectedWords({ calls, cost_micros, seconds }: Expected): string {
  const words = en.composer.expected;
  const time = seconds == null ? words.unknownTime : words.seconds(duration(seconds));
  return [words.calls(calls), words.money(money(cost_micros)), time].join(" · ");
}
