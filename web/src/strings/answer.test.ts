import { expect, it } from "vitest";
import { en } from "./en";

it("what was noted ends with one full stop, whether its words brought one or not", () => {
  const { grade, remembered } = en.answer;
  for (const words of ["The answer of ada counts as wrong", "The answer of ada counts as wrong."]) {
    expect([grade.noted(words), grade.said(words), remembered.graded(words)].map((each) => /[^.]\.$/u.test(each))).toEqual([true, true, true]);
  }
  expect(grade.said("the right answer is “53.”")).toBe("You said: the right answer is “53.”");
});
