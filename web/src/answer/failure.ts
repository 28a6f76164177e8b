import { en } from "../strings/en";

/** What a page says of a member that failed: a sentence, and what helps; empty where nothing is known to. */
export interface FailureWords {
  readonly failure: string;
  readonly remedy: string;
}

const NONE: FailureWords = { failure: "", remedy: "" };

interface Failed {
  readonly code: string;
  readonly message: string;
}

function known(code: string): readonly [string, string] | undefined {
  return Object.hasOwn(en.failures, code) ? en.failures[code] : undefined;
}

/** Of a question that has just ended: its own sentence says more than the code. */
export function failureNow(failed: Failed | null): FailureWords {
  return failed ? { failure: failed.message, remedy: known(failed.code)?.[1] ?? "" } : NONE;
}

/** Of a question of the past, of which only the code was kept. */
export function failureThen(failed: Failed | null): FailureWords {
  if (!failed) return NONE;
  const [failure, remedy] = known(failed.code) ?? [failed.message, ""];
  return { failure, remedy };
}
