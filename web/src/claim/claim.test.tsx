import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, test } from "vitest";
import { Claim } from "./Claim";
import { askedOf, claimWords } from "./words";

afterEach(cleanup);

describe("how a remembered thing is called", () => {
  test("a claim that answers a question is named with it", () => {
    expect(claimWords({ claim: "it is 53", canonical_query: "How large is our choir?" })).toBe("How large is our choir? – it is 53");
  });

  test("a claim that stands for itself is named by its own words", () => {
    expect(claimWords({ claim: "Use metric units" })).toBe("Use metric units");
    expect(claimWords({ claim: "Use metric units", canonical_query: "" })).toBe("Use metric units");
  });

  test("a long question is cut, for the claim must stay in sight, and stands in one line", () => {
    const asked = askedOf({ claim: "it is 53", canonical_query: `How\nmany ${"very ".repeat(40)}` });
    expect(asked).toMatch(/^How many very .*…$/u);
    expect(asked.length).toBeLessThanOrEqual(81);
  });

  test("nothing in a question can turn the direction of the text beside it", () => {
    expect(claimWords({ claim: "it is 53", canonical_query: "How\u202Emany?" })).toContain("[U+202E]");
  });

  test("a reader of the screen hears the question before the claim", () => {
    render(<Claim said={{ claim: "it is 53", canonical_query: "How large is our choir?" }} />);
    expect(screen.getByText("it is 53").parentElement?.textContent).toBe("asked: How large is our choir? it is 53");
  });
});
