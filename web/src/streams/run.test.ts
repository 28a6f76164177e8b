import { describe, expect, it } from "vitest";
import type { KnownFrame } from "./events";
import { answer, frame, result, started } from "./frames.test-support";
import { canConclude, newRun, type Run, runState } from "./run";

const after = (...frames: KnownFrame[]): Run => frames.reduce(runState, newRun("r1"));
const phases = (run: Run) => run.members.map((member) => [member.seat.name, member.phase]);

describe("a run as its frames tell it", () => {
  it("follows a question from its start to its committed answer", () => {
    const told = result(answer("a", "Canberra"), answer("b", "", { abstained: true }));
    const run = after(
      frame(1, "run_started", { kind: "ask", text: "Capital?", conversation_id: null }),
      started(2, "q1", "a", "b"),
      frame(3, "member_reading", { seat: "a", done: 5, total: 10 }),
      frame(4, "answer_delta", { seat: "a", text: "Can" }),
      frame(5, "answer_done", { answer: answer("a", "Canberra") }),
      frame(6, "answer_done", { answer: answer("b", "", { abstained: true }) }),
      frame(7, "decided", { decision: told.decision }),
      frame(8, "review_started", { reviewer: "b" }),
      frame(9, "ask_finished", { result: told }),
      frame(10, "run_ended", { state: "done", problem: null }),
    );
    expect(run).toMatchObject({ phase: "final", state: "done", text: "Capital?", conversationId: "c1", queryId: "q1" });
    expect(phases(run)).toEqual([
      ["a", "answered"],
      ["b", "abstained"],
    ]);
  });

  it("never falls back to an earlier phase when frames come out of order", () => {
    const told = result(answer("a", "Canberra"));
    const run = after(
      frame(9, "ask_finished", { result: told }),
      frame(4, "answer_delta", { seat: "a", text: "Can" }),
      frame(7, "decided", { decision: { ...told.decision, reason: "an older one" } }),
      frame(8, "review_started", { reviewer: "a" }),
      started(2, "q1", "a"),
    );
    expect(run.phase).toBe("final");
    expect(run.decision?.reason).toBe("");
    expect(phases(run)).toEqual([["a", "answered"]]);
  });

  it("knows a member by its first word, and its seat when the start comes late", () => {
    const run = after(frame(4, "answer_delta", { seat: "a", text: "x" }), started(2, "q1", "a", "b"));
    expect(phases(run)).toEqual([
      ["a", "writing"],
      ["b", "waiting"],
    ]);
    expect(run.members[0]?.seat.model).toBe("a-model");
  });

  it("is the same object after more text, so that a token draws nothing again", () => {
    const run = after(started(1, "q1", "a"), frame(2, "answer_delta", { seat: "a", text: "x" }));
    expect(runState(run, frame(3, "answer_delta", { seat: "a", text: "y" }))).toBe(run);
  });

  it("waits again when a member is asked once more, and says why", () => {
    const run = after(
      started(1, "q1", "a"),
      frame(2, "answer_delta", { seat: "a", text: "x" }),
      frame(3, "member_retried", { seat: "a", reason: "gave no answer" }),
    );
    expect(run.members[0]).toMatchObject({ phase: "waiting", retries: ["gave no answer"] });
  });

  it("begins anew when a correction makes the same run ask again", () => {
    const run = after(
      started(1, "q1", "a"),
      frame(2, "answer_done", { answer: answer("a", "ten") }),
      started(3, "q2", "a", "b"),
    );
    expect(run).toMatchObject({ queryId: "q2", phase: "asking" });
    expect(phases(run)).toEqual([
      ["a", "waiting"],
      ["b", "waiting"],
    ]);
  });

  it("keeps why it failed, and which member did", () => {
    const failure = { code: "timeout", message: "It was silent." };
    const problem = { code: "nobody", message: "Nobody answered.", remedy: "Try again." };
    const run = after(
      started(1, "q1", "a"),
      frame(2, "answer_done", { answer: answer("a", "", { failure }) }),
      frame(3, "run_ended", { state: "failed", problem }),
    );
    expect(run).toMatchObject({ state: "failed", problem });
    expect(run.members[0]).toMatchObject({ phase: "failed", answer: { failure } });
  });

  it("tells how far work without members has come", () => {
    const progress = { what: "import", done: 3, total: 10, note: "" };
    expect(after(frame(1, "progress", progress)).progress).toEqual(progress);
  });

  it("puts a review in the place of its start", () => {
    const review = {
      reviewer: "b",
      run_id: "x",
      verdict: "correct",
      issues: [],
      correction: "",
      raw: "",
      usage: { tokens_in: 0, tokens_out: 0, cost_micros: 0, first_token_ms: null, total_ms: 0 },
    } as const;
    const run = after(frame(1, "review_done", { review }), frame(2, "review_started", { reviewer: "b" }));
    expect(run.reviews).toEqual([{ reviewer: "b", review }]);
  });

  it("can be concluded while somebody has answered and something is still awaited", () => {
    const asked = started(1, "q1", "a", "b");
    const said = frame(2, "answer_done", { answer: answer("a", "Canberra") });
    const left = answer("b", "", { abstained: true, failure: { code: "not_awaited", message: "b was not waited for." } });
    const decided = [asked, said, frame(3, "answer_done", { answer: left })];
    const reading = frame(4, "review_started", { reviewer: "b" });
    const ended = frame(5, "run_ended", { state: "done", problem: null });
    const can = (...frames: KnownFrame[]) => canConclude(after(...frames));
    expect([can(asked), can(asked, said), can(...decided), can(...decided, reading), can(asked, said, ended)]).toEqual([false, true, false, true, false]);
    expect(phases(after(...decided))).toEqual([
      ["a", "answered"],
      ["b", "unawaited"],
    ]);
  });

  it("passes over what belongs to no run", () => {
    const run = newRun("r1");
    expect(runState(run, frame(1, "changed", { what: "memory" }))).toBe(run);
  });
});
