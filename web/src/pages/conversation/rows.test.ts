import { describe, expect, it } from "vitest";
import { newRun, type Run } from "../../streams/run";
import { isLive, rowsOf } from "./rows";
import { messagesOf, type Message, type Thread } from "./thread";

function message(number: number, role: string, query: string | null, state = "finished"): Message {
  const question = query === null ? null : { query_id: query, trace_id: null, state, level: "fast", agree: 0, answered: 0, abstained: 0, cost_micros: 0 };
  return {
    id: `m${number}`, number, role, text: "x", created_at: "2026-11-20T10:00:00Z", question, models: [], disagreement: false,
    memory: 0, corrections: [], notices: [], confidence: null, edited_from: null, attachments: [],
  };
}
const run = (id: string, more: Partial<Run> = {}): Run => ({ ...newRun(id), conversationId: "c1", ...more });
const said = [message(1, "user", "q1"), message(2, "assistant", "q1")];
const ids = (messages: readonly Message[], runs: readonly Run[]) => rowsOf(messages, runs).map((row) => row.id);

describe("the rows of a conversation", () => {
  it("show a question that runs once, by its run", () => {
    expect(ids([...said, message(3, "user", "q2", "started")], [run("r", { queryId: "q2" })])).toEqual(["m1", "m2", "run r"]);
  });

  it("keep the question and the answer before it where it is asked once more", () => {
    const rows = rowsOf([message(1, "user", "q2"), message(2, "assistant", "q1")], [run("r", { queryId: "q2" })]);
    expect(rows.map((row) => row.id)).toEqual(["m1", "m2", "run r"]);
    expect(rows[2]).toMatchObject({ asks: false });
  });

  it("say where a question has no answer", () => {
    const rows = rowsOf([...said, message(3, "user", "q2", "interrupted")], []);
    expect(rows.map((row) => row.kind === "message" && row.unanswered)).toEqual([false, false, true]);
  });
});

describe("a run", () => {
  it("is shown by itself until the conversation was read after it ended", () => {
    expect(isLive(run("r"), new Set(["r"]))).toBe(true);
    expect(isLive(run("r", { state: "done" }), new Set())).toBe(true);
    expect(isLive(run("r", { state: "done" }), new Set(["r"]))).toBe(false);
  });

  it("that was refused before anything was written stays in sight", () => {
    expect(isLive(run("r", { state: "failed" }), new Set(["r"]))).toBe(true);
    expect(isLive(run("r", { state: "failed", queryId: "q" }), new Set(["r"]))).toBe(false);
  });
});

it("messages of stretches that overlap stand there once, in their order", () => {
  const page = (...messages: Message[]) => ({ messages }) as unknown as Thread;
  const [one, two] = said;
  if (!one || !two) throw new Error("two messages");
  expect(messagesOf([page(two), page(one, two)]).map((each) => each.id)).toEqual(["m1", "m2"]);
});
