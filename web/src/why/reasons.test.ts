import { describe, expect, it } from "vitest";
import { absences, fieldsOf, harder, memberRows, parted, rationaleOf, told, type Question, type Weighing } from "./reasons";

const candidate = (id: string, text: string) => ({ id, text, supporters: [], score: 1, p: null, chosen: false });

function answer(seat: string, total_ms: number, rest: Partial<Question["answers"][number]> = {}): Question["answers"][number] {
  return {
    run_id: seat,
    seat,
    model: seat,
    digest: "",
    engine: "",
    text: "x",
    explanation: "",
    stated_confidence: null,
    abstained: false,
    failure: null,
    attempts: 1,
    first_token_ms: null,
    total_ms,
    tokens_in: 1,
    tokens_out: 2,
    cost_micros: 0,
    candidate: null,
    shown: false,
    p: null,
    right: null,
    ...rest,
  };
}

function weighing(id: string, score: number, injected: boolean): Weighing {
  const factors = {
    relevance: 1,
    failure_prevention: 0,
    importance: 0,
    recency: 0,
    confidence: 0,
    pinned: 0,
    staleness: 0,
    token_cost: 0,
  };
  return { correction: null, weighed: { correction_id: id, score, injected, reason: "score", tokens: 1, factors } };
}

describe("the reasons", () => {
  it("name the three largest fields, and no noise", () => {
    const fields = fieldsOf({ art: 0.01, choral_music: 0.2, history: 0.5, law: 0.19, maths: 0.1 });
    expect(fields.map(({ name }) => name)).toEqual(["history", "choral music", "law"]);
  });

  it("measure each member's time against the slowest, and put those without an answer last", () => {
    const rows = memberRows([
      answer("eve", 10, { failure: { code: "x", message: "It broke." } }),
      answer("ada", 200),
      answer("bob", 50),
      answer("cleo", 1, { abstained: true }),
    ]);
    expect(rows.map(({ seat, share, state }) => [seat, share, state])).toEqual([
      ["bob", 0.25, "answered"],
      ["ada", 1, "answered"],
      ["cleo", 0.005, "abstained"],
      ["eve", 0.05, "failed"],
    ]);
    expect(memberRows([answer("ada", 0)])[0]?.share).toBe(0);
  });

  it("say first without whom something else would have been chosen", () => {
    const rows = absences({
      candidates: [candidate("1", "Canberra"), candidate("2", "Sydney")],
      without: [
        { seat: "ada", candidate: "1", turns: false },
        { seat: "bob", candidate: "2", turns: true },
        { seat: "cleo", candidate: null, turns: true },
      ],
    } as unknown as Question["decision"]);
    expect(rows.map(({ seat, text }) => [seat, text])).toEqual([
      ["bob", "Sydney"],
      ["cleo", null],
      ["ada", "Canberra"],
    ]);
  });

  it("part the rationale from what the confidence rests on, and keep one that has none", () => {
    expect(rationaleOf({ reason: "Two say so. Confidence High: prior: a score.", confidence: "High" })).toEqual({
      why: "Two say so.",
      basis: "prior: a score",
    });
    expect(rationaleOf({ reason: "It was stopped.", confidence: "Uncertain" })).toEqual({ why: "It was stopped.", basis: "" });
  });

  it("are found in their section by the name of what they tell", () => {
    const reasons = {
      query_id: "q",
      trace_id: "t",
      sections: [{ title: "What I saw" as const, lines: ["learned from: 3 graded questions; rule x", "ada: said so"] }],
    };
    expect(told(reasons, "What I saw", "learned from")).toEqual(["3 graded questions; rule x"]);
    expect(told(reasons, "What I considered", "learned from")).toEqual([]);
    expect(told(undefined, "What I saw", "ada")).toEqual([]);
  });

  it("part what entered from what did not, the highest score first", () => {
    const { inside, outside } = parted([weighing("a", 0.2, true), weighing("b", 0.1, false), weighing("c", 0.9, true)]);
    expect(inside.map(({ weighed }) => weighed.correction_id)).toEqual(["c", "a"]);
    expect(outside.map(({ weighed }) => weighed.correction_id)).toEqual(["b"]);
  });

  it("offer the next level of work, and none above the highest", () => {
    expect([harder("fast"), harder("high"), harder("maximum"), harder("?")]).toEqual(["balanced", "maximum", null, null]);
  });
});
