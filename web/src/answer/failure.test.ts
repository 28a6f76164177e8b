import { describe, expect, it } from "vitest";
import { failureNow, failureThen } from "./failure";

const kept = (code: string) => ({ code, message: `It ended with ${code}.` });

describe("why a member failed", () => {
  it("is said in a sentence with its remedy also when only its code was kept", () => {
    expect(failureThen(kept("deadline_passed"))).toEqual({
      failure: "It did not finish in time and was stopped.",
      remedy: "Allow more time, ask for a shorter answer, or use a faster model.",
    });
  });

  it("is the code where a newer server knows more than the page, and nothing where it did not fail", () => {
    expect(failureThen(kept("constructor"))).toEqual({ failure: "It ended with constructor.", remedy: "" });
    expect(failureThen(null)).toEqual({ failure: "", remedy: "" });
  });

  it("is its own sentence while it is fresh, with the same remedy", () => {
    expect(failureNow({ code: "silent", message: "ada gave no answer." })).toEqual({ failure: "ada gave no answer.", remedy: "Ask again, or ask without it." });
  });
});
