import { shown } from "../markdown/text";
import { en } from "../strings/en";

/** What is remembered, as far as its name is concerned: the words, and the question that they answer, if any. */
export interface Said {
  readonly claim: string;
  readonly canonical_query?: string | undefined;
}

/** Characters of a question in a name: more is cut, for the claim must stay in sight. */
const LONGEST = 80;

/** The question that it answers, in one line; empty where it stands for itself. */
export function askedOf({ canonical_query: asked = "" }: Said): string {
  const line = shown(asked).replace(/\s+/gu, " ").trim();
  return line.length > LONGEST ? `${line.slice(0, LONGEST).trimEnd()}…` : line;
}

/** How it is called in one line of text: "How many sing in our choir? – it is 53". */
export function claimWords(said: Said): string {
  const asked = askedOf(said);
  return asked === "" ? shown(said.claim) : en.memory.named(asked, shown(said.claim));
}
