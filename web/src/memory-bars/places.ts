import type { Schemas } from "../api/client";

export type Place = Schemas["Place"];
type Held = Pick<Schemas["Correction"], "scope" | "domain" | "project_id" | "conversation_id">;

/** Where something holds, as it is told to the server. */
export function placeOf({ scope, domain, project_id, conversation_id }: Held): Place {
  return { scope, domain, project_id, conversation_id };
}

/** What is known of where something could hold instead. */
export interface Known {
  /** The conversation in which it was said; null where it was said in none, or that is gone. */
  readonly origin: string | null;
  /** Of the question into whose answer it entered. */
  readonly conversation: string;
  readonly about: Readonly<Record<string, number>>;
  readonly fields: readonly { readonly id: string; readonly name: string }[];
}

export interface Elsewhere {
  /** The conversation in which it was said, where that is another one. */
  readonly conversation: string | null;
  /** Fields that the question is not about. */
  readonly fields: readonly { readonly id: string; readonly name: string }[];
}

/** Places in which something could hold and would not have entered this answer. */
export function elsewhere({ origin, conversation, about, fields }: Known): Elsewhere {
  return {
    conversation: origin === conversation ? null : origin,
    fields: fields.filter(({ id }) => (about[id] ?? 0) === 0).toSorted((a, b) => a.name.localeCompare(b.name)),
  };
}
