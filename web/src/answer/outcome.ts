import type { Schemas } from "../api/client";
import type { AskResult, Correction, Passage } from "../streams/events";
import { repliedAs } from "../streams/run";
import { failureNow, failureThen, type FailureWords } from "./failure";

export type MemberState = ReturnType<typeof repliedAs>;

/** One member's answer as a page shows it, whether it has just come or was kept. */
export interface MemberAnswer extends FailureWords {
  readonly seat: string;
  readonly model: string;
  readonly state: MemberState;
  readonly text: string;
  readonly seconds: number;
  readonly costMicros: number;
  readonly stated: number | null;
  readonly shown: boolean;
  /** What grades say of it; null where they say nothing. */
  readonly right: boolean | null;
}

export interface CandidateView {
  readonly id: string;
  readonly text: string;
  readonly supporters: readonly string[];
  readonly chosen: boolean;
}

export type ReviewVerdict = "correct" | "incorrect" | "partially_correct" | "unreviewed";

export interface ReviewView {
  readonly reviewer: string;
  readonly verdict: ReviewVerdict;
  readonly issues: readonly string[];
  readonly correction: string;
}

/** A correction that entered the prompts, with what it was weighed by. */
export interface EnteredMemory {
  readonly correction: Pick<Correction, "id" | "claim" | "canonical_query" | "type" | "scope" | "pinned">;
  readonly factors: Readonly<Record<string, number>>;
  readonly score: number;
  readonly reason: string;
}

/** What came of a question: everything that stands beside its answer. */
export interface Outcome {
  readonly queryId: string;
  /** Whether it wants something written: then other words are no disagreement. */
  readonly open: boolean;
  readonly traceId: string | null;
  readonly members: readonly MemberAnswer[];
  readonly candidates: readonly CandidateView[];
  readonly confidence: { readonly label: string; readonly basis: string; readonly p: number | null } | null;
  /** The member who alone was asked; null where it was several. */
  readonly alone: string | null;
  readonly agree: number;
  readonly answered: number;
  /** How many failed, how many were not waited for, and how many answered without a vote. */
  readonly silent: number;
  readonly unawaited: number;
  readonly mute: number;
  readonly effectiveVotes: number | null;
  readonly reviews: readonly ReviewView[];
  readonly degraded: readonly string[];
  readonly asksGrade: "disagreement" | "audit" | null;
  readonly memory: readonly EnteredMemory[];
  readonly passages: readonly Passage[];
  readonly costMicros: number;
  /** From asking to the answer; 0 where it is not known yet. */
  readonly seconds: number;
  readonly receipt: { readonly seq: number; readonly level: string } | null;
  /** What the person said about the answers, as ends of sentences. */
  readonly said: readonly string[];
}

const MS = 1000;

/** How many say what was chosen, of how many whose answers had a vote. Whose answer could not be compared had none. */
function agreement(
  members: readonly MemberAnswer[],
  candidates: readonly CandidateView[],
): Pick<Outcome, "agree" | "answered" | "silent" | "unawaited" | "mute"> {
  const answered = candidates.reduce((sum, each) => sum + each.supporters.length, 0);
  const inState = (state: MemberState) => members.filter((each) => each.state === state).length;
  return {
    agree: candidates.find((each) => each.chosen)?.supporters.length ?? 0,
    answered,
    silent: inState("failed"),
    unawaited: inState("unawaited"),
    mute: answered > 0 ? Math.max(0, inState("answered") - answered) : 0,
  };
}

/** The member who alone was asked; null where it was several. */
function aloneOf(members: readonly MemberAnswer[]): string | null {
  return members.length === 1 ? (members[0]?.seat ?? null) : null;
}

/** The words of a member: its short answer, then what it adds, as one text. */
export function spoken(text: string, explanation: string): string {
  return explanation === "" || explanation === text ? text : `${text}\n\n${explanation}`;
}

/** The outcome of a question that has just ended. */
export function fromResult(result: AskResult): Outcome {
  const { decision } = result;
  const candidates = decision.candidates.map((each) => ({ ...each, chosen: each.id === decision.chosen }));
  const members = result.answers.map((each): MemberAnswer => {
    return {
      seat: each.seat.name,
      model: each.seat.model,
      state: repliedAs(each),
      text: spoken(each.text, each.explanation),
      ...failureNow(each.failure),
      seconds: each.usage.total_ms / MS,
      costMicros: each.usage.cost_micros,
      stated: each.stated_confidence,
      shown: each.seat.name === decision.shown_seat,
      right: null,
    };
  });
  const calls = [...result.answers, ...result.reviews].map((each) => each.usage);
  return {
    queryId: result.query_id,
    open: result.shape === "open",
    traceId: result.trace_id,
    members,
    candidates,
    alone: aloneOf(members),
    confidence: decision.confidence,
    ...agreement(members, candidates),
    effectiveVotes: decision.effective_votes,
    reviews: result.reviews,
    degraded: result.degraded,
    asksGrade: result.asks_grade,
    memory: result.memory.filter((each) => each.injected),
    passages: result.passages,
    costMicros: [...calls, result.compared].reduce((sum, usage) => sum + usage.cost_micros, 0),
    seconds: result.seconds,
    receipt: result.receipt,
    said: [],
  };
}

/** The outcome of a question of the past. basis: of its confidence; seconds: what it took. Its message keeps both. */
export function fromQuestion(shown: Schemas["QuestionShown"], basis: string, seconds: number): Outcome {
  const { decision } = shown;
  const chosen = decision.candidates.some((each) => each.chosen);
  const members = shown.answers.map((each): MemberAnswer => ({
    seat: each.seat,
    model: each.model,
    state: repliedAs(each),
    text: spoken(each.text, each.explanation),
    ...failureThen(each.failure),
    seconds: each.total_ms / MS,
    costMicros: each.cost_micros,
    stated: each.stated_confidence,
    shown: each.shown,
    right: each.right,
  }));
  return {
    queryId: shown.query_id,
    open: shown.shape === "open",
    traceId: shown.trace_id,
    members,
    candidates: decision.candidates,
    confidence: chosen ? { label: decision.confidence, basis, p: decision.p } : null,
    alone: aloneOf(members),
    ...agreement(members, decision.candidates),
    effectiveVotes: decision.effective_votes,
    reviews: shown.reviews.map((each) => ({ ...each, reviewer: each.seat })),
    degraded: shown.degraded,
    asksGrade: shown.asks_grade,
    memory: entered(shown.memory),
    passages: shown.memory?.passages ?? [],
    costMicros: shown.cost_micros,
    seconds,
    receipt: shown.receipt,
    said: shown.said.filter((each) => each.state === "holds").map((each) => each.words),
  };
}

function entered(memory: Schemas["WhyUsed"] | null): readonly EnteredMemory[] {
  const found = memory === null ? [] : memory.reasons;
  return found.flatMap(({ correction, weighed }) =>
    weighed.injected && correction
      ? [{ correction, factors: { ...weighed.factors }, score: weighed.score, reason: weighed.reason }]
      : [],
  );
}
