import type { AccuracyLevel } from "../streams/events";
import { en } from "../strings/en";

export const LEVELS: readonly { readonly value: AccuracyLevel; readonly label: string }[] = (
  ["fast", "balanced", "high", "maximum"] as const
).map((value) => ({ value, label: en.composer.levels[value] }));

/** The level chosen last in this browser: a habit, no content. */
const KEY = "auritas.level";

export function lastLevel(): AccuracyLevel {
  try {
    const kept = localStorage.getItem(KEY);
    return LEVELS.find((each) => each.value === kept)?.value ?? "balanced";
  } catch {
    return "balanced";
  }
}

export function keepLevel(level: AccuracyLevel): void {
  try {
    localStorage.setItem(KEY, level);
  } catch {
    // The next visit begins with the usual level.
  }
}
