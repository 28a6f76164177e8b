import { describe, expect, it } from "vitest";
import { isKnown, readFrame } from "./events";
import { answer, frame, started } from "./frames.test-support";
import { Seen } from "./seen";
import { RunStore } from "./store";

const atOnce = (flush: () => void) => flush();
const delta = (id: number, text: string, seat = "a") => frame(id, "answer_delta", { seat, text });
const view = {
  id: "r1",
  kind: "ask",
  text: "Capital?",
  conversation_id: "c1",
  query_id: "q1",
  started_at: "2026-01-01T00:00:00Z",
  ended_at: null,
  problem: null,
} as const;

describe("the store of runs", () => {
  it("takes a frame in once, however often it arrives", () => {
    const store = new RunStore(atOnce);
    expect([started(1, "q1", "a"), delta(2, "Can"), delta(2, "Can"), delta(3, "berra")].map((f) => store.take(f))).toEqual([
      true,
      true,
      false,
      true,
    ]);
    expect(store.buffer("r1", "a")?.text).toBe("Canberra");
  });

  it("lets go of a run whose conversation was deleted, with every word of it", () => {
    const store = new RunStore(atOnce);
    store.take(started(1, "q1", "a"));
    store.take(delta(2, "Canberra"));
    expect(store.take(frame(3, "run_forgotten", {}))).toBe(true);
    expect([store.runs.size, store.buffer("r1", "a"), store.handover().texts]).toEqual([0, null, []]);
  });

  it("replaces everything by a snapshot, whose frames are told again", () => {
    const store = new RunStore(atOnce);
    store.take(delta(1, "old", "gone"));
    const frames = [started(5, "q1", "a"), delta(7, "Canberra")];
    store.take(frame(9, "snapshot", { runs: [{ ...view, state: "running", frames }] }, ""));
    expect(store.buffer("r1", "gone")).toBeNull();
    expect(store.buffer("r1", "a")?.text).toBe("Canberra");
    expect(store.take(delta(8, "!"))).toBe(false);
    expect(store.take(delta(10, "!"))).toBe(true);
    expect(store.last).toBe(10);
  });

  it("takes a run of a snapshot as ended where it has ended", () => {
    const store = new RunStore(atOnce);
    store.take(frame(9, "snapshot", { runs: [{ ...view, state: "stopped", frames: [] }] }, ""));
    expect(store.runs.get("r1")).toMatchObject({ state: "stopped", conversationId: "c1", text: "Capital?" });
  });

  it("gives a member another buffer when it is asked once more", () => {
    const store = new RunStore(atOnce);
    [started(1, "q1", "a"), delta(2, "half")].forEach((f) => store.take(f));
    const first = store.buffer("r1", "a");
    [frame(3, "member_retried", { seat: "a", reason: "silent" }), delta(4, "whole")].forEach((f) => store.take(f));
    expect(first).toMatchObject({ closed: true, text: "half" });
    expect(store.buffer("r1", "a")).toMatchObject({ closed: false, text: "whole" });
  });

  it("closes a text with its answer, and takes no late word after it", () => {
    const store = new RunStore(atOnce);
    [delta(1, "Canberra"), frame(3, "answer_done", { answer: answer("a", "Canberra") }), delta(2, "?")].forEach((f) =>
      store.take(f),
    );
    expect(store.buffer("r1", "a")).toMatchObject({ closed: true, text: "Canberra" });
  });

  it("has no text of a member that answered without a word before, so that its answer is shown", () => {
    const store = new RunStore(atOnce);
    [started(1, "q1", "a"), frame(2, "answer_done", { answer: answer("a", "Canberra") })].forEach((f) => store.take(f));
    expect(store.buffer("r1", "a")).toBeNull();
  });

  it("hands everything over to a tab that joins, what waits for the next picture included", () => {
    const store = new RunStore(() => undefined);
    [started(1, "q1", "a"), delta(2, "Can")].forEach((f) => store.take(f));
    const joined = new RunStore(atOnce);
    joined.adopt(structuredClone(store.handover()));
    joined.take(delta(3, "berra"));
    expect(joined.last).toBe(3);
    expect(joined.runs.get("r1")).toEqual(store.runs.get("r1"));
    expect(joined.buffer("r1", "a")?.text).toBe("Canberra");
  });

  it("tells its listeners of states, and never of tokens", () => {
    const store = new RunStore(atOnce);
    let told = 0;
    store.subscribe(() => (told += 1));
    [started(1, "q1", "a"), delta(2, "a"), delta(3, "b"), delta(4, "c")].forEach((f) => store.take(f));
    expect(told).toBe(2);
  });

  it("keeps twenty ended runs", () => {
    const store = new RunStore(atOnce);
    for (let id = 1; id <= 30; id += 1) store.take(frame(id, "run_ended", { state: "done", problem: null }, `r${id}`));
    expect(store.runs.size).toBe(20);
    expect(store.runs.has("r30")).toBe(true);
  });
});

describe("frames", () => {
  it("are passed over where their type is unknown or their text is no frame", () => {
    expect(readFrame('{"id":1,"run":"","type":"invented","data":{}}')).toBeNull();
    expect(readFrame('{"id":"1","run":"","type":"notice","data":{}}')).toBeNull();
    expect(readFrame("not json")).toBeNull();
    expect(readFrame('{"id":1,"run":"","type":"notice","data":null}')).toBeNull();
    expect(isKnown({ type: "toString" })).toBe(false);
  });
});

describe("ids that have been seen", () => {
  it("let a late one in, and none twice", () => {
    const seen = new Seen();
    expect([3, 1, 2, 3, 1].map((id) => seen.admit(id))).toEqual([true, true, true, false, false]);
    expect(seen.last).toBe(3);
  });

  it("take room for the last few thousand only, and refuse what is older", () => {
    const seen = new Seen();
    for (let id = 1; id <= 10_000; id += 1) seen.admit(id);
    expect(seen.admit(1)).toBe(false);
    expect(seen.admit(10_001)).toBe(true);
  });

  it("begin again at a snapshot, also a lower one", () => {
    const seen = new Seen();
    seen.admit(500);
    seen.restart(3);
    expect([3, 4].map((id) => seen.admit(id))).toEqual([false, true]);
    expect(seen.last).toBe(4);
  });
});
