import type { Schemas } from "../../../api/client";
import type { AccuracyLevel } from "../../../streams/events";

/** What one member is supposed to say, as it was typed. sure: a percentage, empty for none. */
export interface Supposed {
  readonly text: string;
  readonly sure: string;
}

/** The form as it stands. */
export interface Draft {
  readonly by: "text" | "domain";
  readonly text: string;
  readonly domain: string;
  readonly level: AccuracyLevel;
  readonly shape: "auto" | "closed" | "open";
  readonly supposed: Readonly<Record<string, Supposed>>;
}

export const EMPTY: Draft = { by: "text", text: "", domain: "", level: "balanced", shape: "auto", supposed: {} };

export type Problem = "missing" | "badSure";
export type Wanted = Schemas["RouteWanted"];

/** A share from a percentage that was typed: null where none was, undefined where it is no percentage. */
export function sureFrom(text: string): number | null | undefined {
  if (text.trim() === "") return null;
  const percentage = Number(text.trim().replace(",", "."));
  return percentage >= 0 && percentage <= 100 ? percentage / 100 : undefined;
}

/** What to ask the server for the form, or what is wrong with it. */
export function wantedOf(draft: Draft): { wanted: Wanted } | { problem: Problem } {
  const { by, text, domain, level, shape } = draft;
  if (by === "text" ? text.trim() === "" : domain === "") return { problem: "missing" };
  const said = Object.entries(draft.supposed).filter(([, each]) => each.text.trim() !== "");
  const answers = said.map(([seat, each]) => ({ seat, text: each.text.trim(), stated_confidence: sureFrom(each.sure) }));
  if (answers.some((each) => each.stated_confidence === undefined)) return { problem: "badSure" };
  const about = by === "text" ? { text: text.trim() } : { text: "", domains: { [domain]: 1 } };
  const given = answers.map((each) => ({ ...each, stated_confidence: each.stated_confidence ?? null }));
  return { wanted: { ...about, level, shape: shape === "auto" ? null : shape, answers: given } };
}
