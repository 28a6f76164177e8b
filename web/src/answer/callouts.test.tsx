import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, test } from "vitest";
import { answer, result } from "../streams/frames.test-support";
import { Callouts } from "./Callouts";
import { basisWords } from "./facts";
import { fromResult } from "./outcome";

afterEach(cleanup);

const base = result(answer("ada", "Rust sings on the hinge"), answer("bo", "Snow on the old wall"));

describe("what is said where members say different things", () => {
  test("members that wrote different texts did not disagree", () => {
    render(<Callouts queryId={null} outcome={fromResult({ ...base, shape: "open" })} disagreement notices={[]} />);
    expect(screen.queryByText("The members wrote different texts.")).not.toBeNull();
    expect(screen.queryByText(/disagree/u)).toBeNull();
  });

  test("members that gave different short answers did", () => {
    render(<Callouts queryId={null} outcome={fromResult({ ...base, shape: "closed" })} disagreement notices={[]} />);
    expect(screen.queryByText("The members disagree.")).not.toBeNull();
  });
});

describe("the basis of a confidence", () => {
  const full = "prior: a score of 0.61, no probability; 0 of the 100 grades that a probability needs";
  test("is a few words as long as nothing is graded, and keeps its whole sentence", () => {
    expect(basisWords(full)).toEqual({ text: "score 0.61, no grades yet", whole: full });
  });

  test("says how many grades there are, and what lowered it", () => {
    const capped = `${full.replace("; 0 of", "; 12 of")}; a reviewer doubts it`;
    expect(basisWords(capped)).toEqual({ text: "score 0.61, 12 of 100 grades; a reviewer doubts it", whole: capped });
  });

  test("is left as it is where it says something else", () => {
    expect(basisWords("a probability learned from 212 graded questions")).toEqual({ text: "a probability learned from 212 graded questions" });
  });
});
