import { describe, expect, it } from "vitest";
import { newRun, type Run } from "../../streams/run";
import { isLive, liveRun, rowOf, rowsOf } from "./rows";
import { messagesOf, type Message, type Thread } from "./thread";

function message(number: number, role: string, query: string | null, state = "finished"): Message {
  const question = query === null ? null : { query_id: query, trace_id: null, state, level: "fast", agree: 0, answered: 0, abstained: 0, cost_micros: 0, copied: false, seconds: 0 };
  return {
    id: `m${number}`, number, role, text: "x", created_at: "2026-11-20T10:00:00Z", question, models: [], disagreement: false,
    memory: 0, corrections: [], notices: [], confidence: null, edited_from: null, attachments: [],
  };
}
const run = (id: string, more: Partial<Run> = {}): Run => ({ ...newRun(id), conversationId: "c1", ...more });
const said = [message(1, "user", "q1"), message(2, "assistant", "q1")];
const ids = (messages: readonly Message[], runs: readonly Run[]) => rowsOf(messages, runs.map((each) => liveRun(each, new Set()))).map((row) => row.id);

describe("the rows of a conversation", () => {
  it("show a question that runs once, by its run", () => {
    expect(ids([...said, message(3, "user", "q2", "started")], [run("r", { queryId: "q2" })])).toEqual(["m1", "m2", "run r"]);
  });

  it("keep the question and the answer before it where it is asked once more", () => {
    const rows = rowsOf([message(1, "user", "q2"), message(2, "assistant", "q1")], [liveRun(run("r", { queryId: "q2" }), new Set())]);
    expect(rows.map((row) => row.id)).toEqual(["m1", "m2", "run r"]);
    expect(rows[2]).toMatchObject({ asks: false });
  });

  it("show what is told once, by its run, although it was read meanwhile, and by its messages from then on", () => {
    const told = [...said, message(3, "user", null), message(4, "assistant", null)];
    const here = run("m25", { acknowledged: "Noted.", state: "done" });
    expect(ids(told, [here])).toEqual(["m1", "m2", "run m25"]);
    expect(rowsOf(told, []).map((row) => row.id)).toEqual(["m1", "m2", "m3", "m4"]);
  });

  it("show what was told once also where its run asks an earlier question again", () => {
    const here = liveRun(run("m25", { queryId: "q2", acknowledged: "Noted." }), new Set());
    const rows = rowsOf([message(1, "user", "q2", "started"), message(2, "assistant", "q1"), message(3, "user", null)], [here]);
    expect(rows.map((row) => row.id)).toEqual(["m1", "m2", "run m25"]);
    expect(rows.at(-1)).toMatchObject({ asks: true });
  });

  it("never call a question unanswered whose run has not yet said which question it asks", () => {
    const rows = rowsOf([...said, message(3, "user", "q2", "started")], [liveRun(run("m25"), new Set())]);
    expect(rows.map((row) => row.id)).toEqual(["m1", "m2", "run m25"]);
  });

  it("show a question that failed once while it is asked again", () => {
    expect(ids([...said, message(3, "user", "q2", "failed")], [run("r", { queryId: "q3", text: "x" })])).toEqual(["m1", "m2", "run r"]);
  });

  it("keep what was said after a run that was refused before it began", () => {
    const refused = run("m15", { state: "failed" });
    expect(rowsOf([...said, message(3, "user", null)], [liveRun(refused, new Set(["m15"]))]).map((row) => row.id)).toEqual(["m1", "m2", "m3", "run m15"]);
  });

  it("say where a question has no answer", () => {
    const rows = rowsOf([...said, message(3, "user", "q2", "interrupted")], []);
    expect(rows.map((row) => row.kind === "message" && row.unanswered)).toEqual([false, false, true]);
  });
});

describe("answers to one question", () => {
  const answers = (number: number, query: string, asked: string, copied = false): Message => {
    const one = message(number, "assistant", query);
    return { ...one, question: one.question && { ...one.question, asked_in: asked, copied } };
  };
  const shown = (messages: readonly Message[], runs: readonly Run[] = []) =>
    rowsOf(messages, runs.map((each) => liveRun(each, new Set()))).map((row) => [row.id, row.kind === "message" ? row.versions.length : 0, row.again]);

  it("that follow each other are versions of one, the newest last", () => {
    const messages = [message(1, "user", "q3"), answers(2, "q1", "m1"), answers(3, "q2", "m1"), answers(4, "q3", "m1")];
    expect(shown(messages)).toEqual([["m1", 1, null], ["m2", 3, null]]);
    expect([rowOf(rowsOf(messages, []), "m4"), rowOf(rowsOf(messages, []), "m1"), rowOf(rowsOf(messages, []), "mx")]).toEqual(["m2", "m1", "mx"]);
  });

  it("stand where they were given, and say what they answer, where something was said between", () => {
    const messages = [message(1, "user", "q3"), answers(2, "q1", "m1"), message(3, "user", "q2"), answers(4, "q2", "m3"), answers(5, "q3", "m1")];
    expect(shown(messages)).toEqual([["m1", 1, null], ["m2", 1, null], ["m3", 1, null], ["m4", 1, null], ["m5", 1, "x"]]);
  });

  it("say so while they are being written, too", () => {
    const messages = [message(1, "user", "q3"), answers(2, "q1", "m1"), message(3, "user", "q2"), answers(4, "q2", "m3")];
    expect(shown(messages, [run("r", { queryId: "q3" })]).at(-1)).toEqual(["run r", 0, "x"]);
    expect(shown(messages, [run("r", { queryId: "q2" })]).at(-1)).toEqual(["run r", 0, null]);
  });

  it("that were copied into a branch stay versions of one", () => {
    const messages = [message(1, "user", null), answers(2, "q1", "m0", true), answers(3, "q2", "m0", true)];
    expect(shown(messages)).toEqual([["m1", 1, null], ["m2", 2, null]]);
  });

  it("of programs, of which no question is known, stand each by itself", () => {
    expect(shown([message(1, "user", null), message(2, "assistant", null), message(3, "assistant", null)])).toHaveLength(3);
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
