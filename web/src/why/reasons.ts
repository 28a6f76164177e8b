import { failureThen, type FailureWords } from "../answer/failure";
import type { MemberState } from "../answer/outcome";
import type { Schemas } from "../api/client";
import { repliedAs } from "../streams/run";

export type Question = Schemas["QuestionShown"];
export type Weighing = NonNullable<Question["memory"]>["reasons"][number];
type Reasons = Schemas["Reasons"];
type SectionTitle = Schemas["SectionTitle"];

const MS = 1000;
/** Shares of fields below this are noise of the classifier, and not told. */
const TOLD_SHARE = 0.05;
const TOLD_FIELDS = 3;

export interface FieldShare {
  readonly id: string;
  readonly name: string;
  readonly share: number;
}

/** What a question is about, the largest share first; at most three. */
export function fieldsOf(domains: Readonly<Record<string, number>>): readonly FieldShare[] {
  return Object.entries(domains)
    .map(([id, share]) => ({ id, name: fieldName(id), share }))
    .filter(({ share }) => share >= TOLD_SHARE)
    .toSorted((a, b) => b.share - a.share || a.id.localeCompare(b.id))
    .slice(0, TOLD_FIELDS);
}

/** The name of a field from its id. */
export function fieldName(id: string): string {
  return id.replaceAll("_", " ");
}

export interface MemberRow extends FailureWords {
  readonly seat: string;
  readonly model: string;
  readonly state: MemberState;
  readonly seconds: number;
  /** Its time as a share of the slowest one's. */
  readonly share: number;
  readonly read: number;
  readonly written: number;
  readonly costMicros: number;
  readonly attempts: number;
}

/** What each member took: who answered first, those that abstained or failed last. */
export function memberRows(answers: Question["answers"]): readonly MemberRow[] {
  const slowest = Math.max(0, ...answers.map((each) => each.total_ms));
  return answers
    .map((each): MemberRow => ({
      seat: each.seat,
      model: each.model,
      state: repliedAs(each),
      ...failureThen(each.failure),
      seconds: each.total_ms / MS,
      share: slowest > 0 ? each.total_ms / slowest : 0,
      read: each.tokens_in,
      written: each.tokens_out,
      costMicros: each.cost_micros,
      attempts: each.attempts,
    }))
    .toSorted((a, b) => ORDER[a.state] - ORDER[b.state] || a.seconds - b.seconds);
}

const ORDER = { answered: 0, abstained: 1, failed: 2, unawaited: 3 } as const;

export interface AbsenceRow {
  readonly seat: string;
  /** What would have been chosen; null where nobody else answered. */
  readonly text: string | null;
  readonly turns: boolean;
}

/** What would have been chosen without each member, where that is something else first. */
export function absences({ without, candidates }: Question["decision"]): readonly AbsenceRow[] {
  const texts = new Map(candidates.map((each) => [each.id, each.text]));
  return without
    .map(({ seat, candidate, turns }) => ({ seat, text: candidate === null ? null : (texts.get(candidate) ?? candidate), turns }))
    .toSorted((a, b) => Number(b.turns) - Number(a.turns) || a.seat.localeCompare(b.seat));
}

/** The rationale without the confidence that ends it, and what the confidence rests on. */
export function rationaleOf({ reason, confidence }: Pick<Question["decision"], "reason" | "confidence">) {
  const mark = `Confidence ${confidence}: `;
  const at = reason.lastIndexOf(mark);
  if (at < 0) return { why: reason, basis: "" };
  return { why: reason.slice(0, at).trim(), basis: reason.slice(at + mark.length).replace(/\.$/u, "") };
}

/** What the stored reasons say of one thing in one section: the ends of lines that begin with its name. */
export function told(reasons: Reasons | undefined, title: SectionTitle, name: string): readonly string[] {
  const lines = reasons?.sections.find((each) => each.title === title)?.lines ?? [];
  const mark = `${name}: `;
  return lines.filter((line) => line.startsWith(mark)).map((line) => line.slice(mark.length));
}

/** What was weighed, parted by whether it entered; the highest score first. */
export function parted(reasons: readonly Weighing[]): { readonly inside: readonly Weighing[]; readonly outside: readonly Weighing[] } {
  const sorted = reasons.toSorted((a, b) => b.weighed.score - a.weighed.score);
  return { inside: sorted.filter(({ weighed }) => weighed.injected), outside: sorted.filter(({ weighed }) => !weighed.injected) };
}

const LEVELS = ["fast", "balanced", "high", "maximum"] as const;
export type AskLevel = (typeof LEVELS)[number];

/** The next level of work above `level`; null where there is none. */
export function harder(level: string): AskLevel | null {
  const at = LEVELS.findIndex((each) => each === level);
  return at < 0 ? null : (LEVELS[at + 1] ?? null);
}
