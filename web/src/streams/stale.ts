import type { KnownFrame } from "./events";

/** Reads that show what another part of the app changes. The keys are words of `changed` events. */
const ALSO: Readonly<Record<string, readonly string[]>> = {
  // A message shows what it told, and a question what entered its prompts: erased words must not stay there.
  memory: ["messages", "questions"],
  grades: ["questions"],
};

/** What a run changes without a `changed` event of its own. */
const BY_RUN: Readonly<Partial<Record<KnownFrame["type"], readonly string[]>>> = {
  remembered: ["memory"],
  proposed: ["memory"],
  ask_finished: ["memory", "questions"],
};

/** The first parts of the keys of everything that a page must read anew after `frame`. */
export function staleAfter(frame: KnownFrame): readonly string[] {
  if (frame.type !== "changed") return BY_RUN[frame.type] ?? [];
  return [frame.data.what, ...(ALSO[frame.data.what] ?? [])];
}
