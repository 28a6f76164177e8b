import type {
  AccuracyLevel,
  Answer,
  AskResult,
  Correction,
  Decision,
  Expected,
  FrameData,
  KnownFrame,
  MemoryUsed,
  Notice,
  Problem,
  Progress,
  Remembered,
  Review,
  RunEnd,
  Seat,
} from "./events";

/** How far a run is. Phases only ever advance, in whatever order frames arrive. */
export const PHASES = ["starting", "asking", "decided", "reviewing", "final"] as const;
export type Phase = (typeof PHASES)[number];

export type MemberPhase = "waiting" | "reading" | "writing" | "answered" | "abstained" | "failed" | "unawaited";

/** One member in one run. Its growing text is no part of the state: it lives in a TextBuffer. */
export interface Member {
  readonly seat: Seat;
  readonly phase: MemberPhase;
  /** Tokens of the prompt read so far, and in all. */
  readonly reading: { readonly done: number; readonly total: number } | null;
  /** Why it was asked once more, each time. */
  readonly retries: readonly string[];
  readonly answer: Answer | null;
}

export interface ReviewState {
  readonly reviewer: string;
  readonly review: Review | null;
}

/** One run as its frames have told it so far. */
export interface Run {
  readonly id: string;
  readonly kind: string;
  readonly text: string;
  readonly conversationId: string | null;
  readonly queryId: string | null;
  readonly state: "running" | RunEnd;
  readonly phase: Phase;
  readonly level: AccuracyLevel | null;
  readonly expected: Expected | null;
  readonly members: readonly Member[];
  readonly memory: MemoryUsed | null;
  readonly remembered: readonly Remembered[];
  readonly proposed: readonly Correction[];
  readonly acknowledged: string | null;
  readonly decision: Decision | null;
  readonly reviews: readonly ReviewState[];
  readonly result: AskResult | null;
  readonly notices: readonly Notice[];
  /** How far work without members has come: an import, a check of the log. */
  readonly progress: Progress | null;
  readonly problem: Problem | null;
}

const UNASKED = {
  phase: "starting",
  level: null,
  expected: null,
  members: [],
  decision: null,
  reviews: [],
  result: null,
} as const satisfies Partial<Run>;

export function newRun(id: string): Run {
  return {
    ...UNASKED,
    id,
    kind: "ask",
    text: "",
    conversationId: null,
    queryId: null,
    state: "running",
    memory: null,
    remembered: [],
    proposed: [],
    acknowledged: null,
    notices: [],
    progress: null,
    problem: null,
  };
}

type Change<T extends keyof FrameData> = (run: Run, data: FrameData[T]) => Run;

const CHANGES: { readonly [T in keyof FrameData]?: Change<T> } = {
  run_started: (run, { kind, text, conversation_id }) => ({
    ...run,
    kind,
    text,
    conversationId: run.conversationId ?? conversation_id,
  }),
  run_ended: (run, { state, problem }) => (state === "running" ? run : { ...run, state, problem }),
  ask_started: askStarted,
  memory_used: (run, memory) => ({ ...run, memory }),
  remembered: (run, remembered) => ({ ...run, remembered: [...run.remembered, remembered] }),
  proposed: (run, { correction }) => ({ ...run, proposed: [...run.proposed, correction] }),
  acknowledged: (run, { conversation_id, text }) => ({
    ...run,
    conversationId: conversation_id,
    acknowledged: text,
  }),
  member_reading: (run, { seat, done, total }) =>
    withMember(run, seat, (member) =>
      pending(member) ? { ...member, phase: "reading", reading: { done, total } } : member,
    ),
  answer_delta: (run, { seat }) =>
    withMember(run, seat, (member) => (pending(member) ? { ...member, phase: "writing" } : member)),
  member_retried: (run, { seat, reason }) =>
    withMember(run, seat, (member) => ({
      ...member,
      phase: member.answer ? member.phase : "waiting",
      retries: [...member.retries, reason],
    })),
  answer_done: (run, { answer }) => withMember(run, answer.seat.name, (member) => answered(member, answer)),
  decided: (run, { decision }) => (run.result ? run : advanced({ ...run, decision }, "decided")),
  review_started: (run, { reviewer }) => (run.result ? run : advanced(withReview(run, reviewer, null), "reviewing")),
  review_done: (run, { review }) => (run.result ? run : advanced(withReview(run, review.reviewer, review), "reviewing")),
  ask_finished: (run, { result }) => finished(run, result),
  progress: (run, progress) => ({ ...run, progress }),
  notice: (run, notice) => ({ ...run, notices: [...run.notices, notice] }),
};

/** What `run` is after `frame`. Returns the same object where nothing shown is different. */
export function runState(run: Run, frame: KnownFrame): Run {
  // One lookup for all types: the table above ties each change to the data of its type.
  const change: ((run: Run, data: never) => Run) | undefined = CHANGES[frame.type];
  return change ? change(run, frame.data as never) : run;
}

function askStarted(run: Run, data: FrameData["ask_started"]): Run {
  // A message that corrects something is asked again in the same run: the new question starts from nothing.
  const again = run.queryId !== null && run.queryId !== data.query_id;
  const start: Run = again ? { ...run, ...UNASKED } : run;
  const known = new Map(start.members.map((member) => [member.seat.name, member]));
  const seated = data.seats.map((seat) => ({ ...(known.get(seat.name) ?? newMember(seat.name)), seat }));
  const others = start.members.filter((member) => !data.seats.some((seat) => seat.name === member.seat.name));
  return advanced(
    {
      ...start,
      queryId: data.query_id,
      conversationId: data.conversation_id,
      level: data.level,
      expected: data.expected,
      members: [...seated, ...others],
    },
    "asking",
  );
}

function finished(run: Run, result: AskResult): Run {
  const members = result.answers.reduce(
    (now, answer) => withMember(now, answer.seat.name, (member) => answered(member, answer)),
    run,
  ).members;
  return {
    ...run,
    members,
    phase: "final",
    queryId: result.query_id,
    conversationId: result.conversation_id,
    decision: result.decision,
    reviews: result.reviews.map((review) => ({ reviewer: review.reviewer, review })),
    memory: { uses: result.memory, passages: result.passages, resumed: result.resumed },
    result,
  };
}

function advanced(run: Run, phase: Phase): Run {
  return PHASES.indexOf(phase) > PHASES.indexOf(run.phase) ? { ...run, phase } : run;
}

function newMember(name: string): Member {
  return { seat: { name, model: "", digest: "", local: true }, phase: "waiting", reading: null, retries: [], answer: null };
}

function pending(member: Member): boolean {
  return member.answer === null && member.phase !== "writing";
}

function answered(member: Member, answer: Answer): Member {
  return { ...member, seat: answer.seat, phase: repliedAs(answer), answer };
}

/** The code of the failure of a member that the person did not want to wait for. */
const NOT_AWAITED = "not_awaited";

/** What a member's reply is: words, none of its own will, none for a reason, or none because nobody waited for it. */
export function repliedAs(reply: {
  readonly failure: { readonly code: string } | null;
  readonly abstained: boolean;
}): "answered" | "abstained" | "failed" | "unawaited" {
  if (reply.failure) return reply.failure.code === NOT_AWAITED ? "unawaited" : "failed";
  return reply.abstained ? "abstained" : "answered";
}

/** Whether the question could end with what was said by now: a member has answered, and something is still awaited. */
export function canConclude(run: Run): boolean {
  const awaited = run.members.some((each) => each.answer === null) || run.reviews.some((each) => each.review === null);
  return run.state === "running" && awaited && run.members.some((each) => each.phase === "answered");
}

function withMember(run: Run, name: string, change: (member: Member) => Member): Run {
  const at = run.members.findIndex((member) => member.seat.name === name);
  const before = run.members[at] ?? newMember(name);
  const after = change(before);
  if (at >= 0 && after === before) return run;
  return { ...run, members: at < 0 ? [...run.members, after] : run.members.with(at, after) };
}

function withReview(run: Run, reviewer: string, review: Review | null): Run {
  const at = run.reviews.findIndex((state) => state.reviewer === reviewer);
  if (at < 0) return { ...run, reviews: [...run.reviews, { reviewer, review }] };
  return review ? { ...run, reviews: run.reviews.with(at, { reviewer, review }) } : run;
}
