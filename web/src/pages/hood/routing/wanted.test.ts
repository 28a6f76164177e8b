import { describe, expect, it } from "vitest";
import { EMPTY, sureFrom, wantedOf } from "./wanted";

describe("the form of the simulator", () => {
  it("asks for a question or a domain", () => {
    expect(wantedOf({ ...EMPTY, text: "  " })).toEqual({ problem: "missing" });
    expect(wantedOf({ ...EMPTY, by: "domain", text: "anything" })).toEqual({ problem: "missing" });
  });
  it("sends words or a domain, never both", () => {
    expect(wantedOf({ ...EMPTY, text: " Why? ", domain: "history" })).toEqual({
      wanted: { text: "Why?", level: "balanced", shape: null, answers: [] },
    });
    expect(wantedOf({ ...EMPTY, by: "domain", text: "Why?", domain: "history", shape: "open" })).toEqual({
      wanted: { text: "", domains: { history: 1 }, level: "balanced", shape: "open", answers: [] },
    });
  });
  it("sends only what was supposed, with its sureness as a share", () => {
    const supposed = { ada: { text: " 1989 ", sure: "90" }, bo: { text: "1990", sure: "" }, cy: { text: " ", sure: "5" } };
    expect(wantedOf({ ...EMPTY, text: "When?", supposed })).toMatchObject({
      wanted: {
        answers: [
          { seat: "ada", text: "1989", stated_confidence: 0.9 },
          { seat: "bo", text: "1990", stated_confidence: null },
        ],
      },
    });
  });
  it("refuses what is no percentage", () => {
    expect(sureFrom("101")).toBeUndefined();
    expect(sureFrom("very")).toBeUndefined();
    expect(sureFrom("0")).toBe(0);
    const supposed = { ada: { text: "1989", sure: "very" } };
    expect(wantedOf({ ...EMPTY, text: "When?", supposed })).toEqual({ problem: "badSure" });
  });
});
