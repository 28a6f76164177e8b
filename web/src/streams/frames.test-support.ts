import type { Answer, AskResult, FrameData, FrameType, KnownFrame, Seat } from "./events";

/** Frames as the server writes them, for tests. */
export function frame<T extends FrameType>(id: number, type: T, data: FrameData[T], run = "r1"): FrameOf<T> {
  // The pair of type and data is right by the signature; the union cannot say so.
  return { id, run, type, data } as FrameOf<T>;
}

type FrameOf<T extends FrameType> = Extract<KnownFrame, { readonly type: T }>;

export function seat(name: string): Seat {
  return { name, model: `${name}-model`, digest: "", local: true };
}

const USAGE = { tokens_in: 1, tokens_out: 1, cost_micros: 0, first_token_ms: null, total_ms: 1 };

export function answer(name: string, text: string, more: Partial<Answer> = {}): Answer {
  return {
    run_id: `run of ${name}`,
    seat: seat(name),
    text,
    explanation: "",
    stated_confidence: null,
    domains: [],
    usage: USAGE,
    provenance: { engine: "", grammar_digest: "", model_digest: "", seed: null, temperature: 0 },
    raw: "",
    abstained: false,
    failure: null,
    attempts: 1,
    ...more,
  };
}

export function result(...answers: Answer[]): AskResult {
  return {
    query_id: "q1",
    conversation_id: "c1",
    trace_id: "t1",
    question: "What is the capital of Australia?",
    answers,
    decision: {
      candidates: [],
      chosen: null,
      shown_seat: null,
      confidence: { label: "Uncertain", basis: "nothing", p: null },
      policy: "majority",
      reason: "",
      effective_votes: null,
      without: {},
      abstains: false,
    },
    receipt: { seq: 1, level: "unsigned" },
    degraded: [],
    reviews: [],
    domains: {},
    shape: "closed",
    notices: [],
    asks_grade: null,
    compared: USAGE,
    memory: [],
    passages: [],
    resumed: "",
    seconds: 0,
  };
}

export function started(id: number, query = "q1", ...names: string[]): FrameOf<"ask_started"> {
  const data = { query_id: query, conversation_id: "c1", level: "balanced", seats: names.map(seat), expected: null } as const;
  return frame(id, "ask_started", data);
}
