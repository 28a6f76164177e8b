import { useQuery } from "@tanstack/react-query";
import { createContext, use, useState } from "react";
import { api, data } from "../api/client";
import type { AccuracyLevel } from "../streams/events";
import { en } from "../strings/en";

export const LEVELS: readonly { readonly value: AccuracyLevel; readonly label: string }[] = (
  ["fast", "balanced", "high", "maximum"] as const
).map((value) => ({ value, label: en.composer.levels[value] }));

/** The settings that say at which level is asked where a conversation begins, and in one; and what they are unless set. */
const SETTINGS = { beginning: ["level", "balanced"], following: ["chat_level", "high"] } as const;

/** The level chosen by hand in one conversation, or for the next one: no content, and gone with the tab. */
const PREFIX = "auritas.level.";

/** Takes what was chosen by hand in one place along to another. */
export function carryLevel(from: string, to: string): void {
  keepLevel(to, chosenLevel(from));
}

export function chosenLevel(draft: string): AccuracyLevel | null {
  try {
    return levelOf(sessionStorage.getItem(PREFIX + draft));
  } catch {
    return null;
  }
}

export function keepLevel(draft: string, level: AccuracyLevel | null): void {
  try {
    if (level === null) sessionStorage.removeItem(PREFIX + draft);
    else sessionStorage.setItem(PREFIX + draft, level);
  } catch {
    // The next visit begins with what is set.
  }
}

export function levelOf(value: unknown): AccuracyLevel | null {
  return LEVELS.find((each) => each.value === value)?.value ?? null;
}

const LastLevelHere = createContext<AccuracyLevel | null>(null);

/** Says what stands in it at which level was asked last here. */
export const LastLevel = LastLevelHere.Provider;

/** The level at which was asked last here; null where nothing was asked yet. */
export function useLastLevel(): AccuracyLevel | null {
  return use(LastLevelHere);
}

/**
 * The level at which is asked here, and what chooses it: as was asked last, and where nothing was asked as the settings
 * say, until the person chooses another.
 */
export function useLevel(draft: string, beginning: boolean): [AccuracyLevel, (level: AccuracyLevel) => void] {
  const [name, usual] = SETTINGS[beginning ? "beginning" : "following"];
  const last = useLastLevel();
  const [chosen, setChosen] = useState(() => chosenLevel(draft));
  const { data: set } = useQuery({
    queryKey: ["settings", "all"],
    queryFn: ({ signal }) => data(api.GET("/api/v1/settings", { signal })),
    select: (settings) => levelOf(settings.find((each) => each.key === name)?.value),
  });
  const choose = (level: AccuracyLevel) => {
    keepLevel(draft, level);
    setChosen(level);
  };
  return [chosen ?? last ?? set ?? usual, choose];
}
