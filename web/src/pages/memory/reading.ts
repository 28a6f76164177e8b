import type { NewCorrection } from "./acts";

export type Told = NonNullable<NewCorrection["type"]>;

/**
 * What kind of thing a sentence is, by the words it begins with or turns on. It is a first reading which the person
 * sees and can change; what is shown is what is stored.
 */
const CUES: readonly (readonly [Told, RegExp])[] = [
  ["failure_pattern", /\b(?:you (?:keep|always|often) \w+ing|don['’]t (?:make|repeat) (?:that|this|the same)|(?:never|not) again|same mistake)\b/iu],
  ["project_decision", /\b(?:we(?:['’]ve| have)? (?:decided|agreed|chose|chosen|settled)|our decision|is decided|going with)\b/iu],
  ["preference_rule", /\b(?:I(?:['’]d| would)? (?:prefer|rather|like|love|hate|dislike)|my preference|my favou?rite)\b/iu],
  ["domain_rule", /^(?:in|for|when it comes to) (?:law|medicine|physics|chemistry|cooking|finance|python|sql|statistics|biology|history|music|code)\b/iu],
  ["persistent_instruction", /^(?:please |from now on,? |in (?:the )?future,? )*(?:always|never|do not|don['’]t|avoid|use|write|call|answer|reply|speak|keep|give|show|explain|format|cite|add|include|stop|start|remember to|make sure|be|put|say|ask|check|prefer|round)\b/iu],
  ["persistent_instruction", /\b(?:from now on|every time|whenever you|you (?:should|must))\b/iu],
];

/** Returns how a sentence reads; what gives no other cue is something to know. */
export function typeOf(sentence: string): Told {
  const words = sentence.trim();
  return CUES.find(([, cue]) => cue.test(words))?.[0] ?? "factual_correction";
}

/** The types that a person can tell, the usual ones first. */
export const TOLD: readonly Told[] = [
  "factual_correction",
  "persistent_instruction",
  "preference_rule",
  "project_decision",
  "domain_rule",
  "failure_pattern",
];
