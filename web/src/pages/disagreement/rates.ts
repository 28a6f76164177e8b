import type { Schemas } from "../../api/client";
import { fieldsOf } from "../../why/reasons";
import type { Compared } from "./requests";

type DomainRate = Schemas["DomainRate"];
type Rate = DomainRate["rate"];

/** Grades below this are shares of questions that were hardly about the field: they tell nothing. */
const TELLING = 0.05;

/** The field that a question is mostly about, and how each member does in it. */
export interface FieldRecord {
  readonly field: string;
  readonly of: (seat: string) => Rate | null;
}

/** Returns the records in the field with the largest share. Null where the question was not sorted into a field. */
export function recordIn(domains: Readonly<Record<string, number>>, rates: readonly DomainRate[]): FieldRecord | null {
  const [field] = fieldsOf(domains);
  if (!field) return null;
  const known = new Map(rates.filter((each) => each.domain === field.id).map(({ seat, rate }) => [seat, rate]));
  const of = (seat: string) => {
    const rate = known.get(seat);
    return rate && rate.graded >= TELLING ? rate : null;
  };
  return { field: field.name, of };
}

/** Seats whose answers are known to be right or wrong, in the order of the answers. */
export function graded(marks: Compared["marks"]): readonly string[] {
  return marks.filter(({ right }) => right !== null).map(({ seat }) => seat);
}

/** Adds a candidate to those marked, or takes it off; of three the two marked last stay. */
export function marked(before: readonly string[], id: string): readonly string[] {
  return before.includes(id) ? before.filter((each) => each !== id) : [...before, id].slice(-2);
}

const EVEN = 0.5;

/** What all grades of an answer come to: a person's word settles it, a reviewer's makes it likely. Null: not known. */
export function gradeOf(p: number | null) {
  if (p === null || p === EVEN) return null;
  if (p > EVEN) return { verdict: "agree", word: p === 1 ? "right" : "likelyRight" } as const;
  return { verdict: "differ", word: p === 0 ? "wrong" : "likelyWrong" } as const;
}
