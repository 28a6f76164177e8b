import { describe, expect, it } from "vitest";
import { answer, result } from "../streams/frames.test-support";
import { confidenceWords, factsOf } from "./facts";
import { fromResult, spoken } from "./outcome";

const base = result(
  answer("ada", "Canberra", { explanation: "It was built for that.", stated_confidence: 0.8 }),
  answer("bo", "Sydney"),
  answer("cy", "", { abstained: true }),
  answer("dee", "", { failure: { code: "gone", message: "It is away." } }),
);
const chosen = {
  ...base,
  decision: {
    ...base.decision,
    candidates: [
      { id: "x", text: "Canberra", supporters: ["ada"], score: 1, p: 0.4 },
      { id: "y", text: "Sydney", supporters: ["bo"], score: 0.5, p: 0.2 },
    ],
    chosen: "x",
    shown_seat: "ada",
    effective_votes: 1.84,
  },
};

describe("the outcome of a question", () => {
  const outcome = fromResult(chosen);

  it("counts who agrees among those whose answers had a vote, as its message does later", () => {
    const mute = { ...chosen, answers: [...chosen.answers, answer("mute", "Who knows what this says")] };
    expect([fromResult(mute).agree, fromResult(mute).answered]).toEqual([1, 2]);
    expect(fromResult(mute).members.filter((each) => each.state === "answered")).toHaveLength(3);
  });

  it("names the member who alone was asked", () => {
    expect(fromResult(chosen).alone).toBeNull();
    const alone = fromResult({ ...chosen, answers: chosen.answers.slice(0, 1) });
    expect(factsOf(alone).map((fact) => fact.text)).toContain("ada alone was asked");
  });

  it("tells apart who failed, who was not waited for and whose answer has no vote", () => {
    const left = answer("fay", "", { abstained: true, failure: { code: "not_awaited", message: "fay was not waited for." } });
    const mute = fromResult({ ...chosen, answers: [...chosen.answers, left, answer("mute", "Perth")] });
    const texts = factsOf(mute).map((fact) => fact.text);
    expect(texts).toEqual(expect.arrayContaining(["1 of 2 agree", "1 has no vote", "1 did not answer", "1 not waited for"]));
    expect(mute.members.find((each) => each.seat === "fay")).toMatchObject({ state: "unawaited", remedy: "Ask again to hear it, too." });
  });

  it("says what the question took, where that is known", () => {
    expect(factsOf(fromResult(chosen)).some((fact) => fact.key === "time")).toBe(false);
    expect(factsOf(fromResult({ ...chosen, seconds: 134 })).find((fact) => fact.key === "time")?.text).toBe("2 min 14 s");
  });

  it("counts who agrees among those who answered", () => {
    expect([outcome.agree, outcome.answered]).toEqual([1, 2]);
    expect(outcome.members.map((each) => each.state)).toEqual(["answered", "answered", "abstained", "failed"]);
  });

  it("knows whose words are shown, and why somebody failed", () => {
    expect(outcome.members.map((each) => each.shown)).toEqual([true, false, false, false]);
    expect(outcome.members[3]?.failure).toBe("It is away.");
  });
});

describe("the line under an answer", () => {
  it("names the confidence first, then what it rests on", () => {
    const texts = factsOf(fromResult(chosen)).map((fact) => fact.text);
    expect(texts.slice(0, 5)).toEqual(["Uncertain", "1 of 2 agree", "1 did not answer", "1.8 effective votes", "nothing"]);
  });

  it("shows a percentage only where it is a probability learned from grades", () => {
    expect(confidenceWords({ label: "High", basis: "prior", p: null })).toBe("High");
    expect(confidenceWords({ label: "High", basis: "212 grades", p: 0.872 })).toBe("High, 87%");
  });

  it("gives each verdict of a reviewer words and a glyph", () => {
    const review = { reviewer: "eve", verdict: "partially_correct" as const, issues: [], correction: "" };
    const fact = factsOf({ ...fromResult(chosen), reviews: [review] }).find((each) => each.key === "review partially_correct");
    expect(fact).toMatchObject({ text: "reviewed: partly correct", verdict: "doubt", title: "Blind review by eve" });
  });
});

it("a short answer that is also its explanation is said once", () => {
  expect([spoken("53", "53"), spoken("53", ""), spoken("53", "Counted.")]).toEqual(["53", "53", "53\n\nCounted."]);
});
