import { describe, expect, it } from "vitest";
import { frame } from "./frames.test-support";
import { staleAfter } from "./stale";

describe("what is read anew", () => {
  it("is more than what changed: messages and questions show the words of memory, too", () => {
    const after = (what: string) => staleAfter({ ...frame(1, "changed", { what }), run: "" });
    expect(after("memory")).toEqual(["memory", "messages", "questions"]);
    expect(after("grades")).toEqual(["grades", "questions"]);
    expect(after("projects")).toEqual(["projects"]);
  });

  it("is memory where a run remembered or used something, and nothing for a token", () => {
    expect(staleAfter(frame(1, "remembered", {} as never))).toEqual(["memory"]);
    expect(staleAfter(frame(1, "ask_finished", {} as never))).toEqual(["memory", "questions"]);
    expect(staleAfter(frame(1, "answer_delta", { seat: "a", text: "x" }))).toEqual([]);
  });
});
