import { expect, it } from "vitest";
import { secondsLeft } from "./wait";

it("a wait is counted in whole seconds, never below none and never shorter than it is", () => {
  expect(secondsLeft(10_000, 0)).toBe(10);
  expect(secondsLeft(10_000, 8_001)).toBe(2);
  expect(secondsLeft(10_000, 10_000)).toBe(0);
  expect(secondsLeft(10_000, 99_000)).toBe(0);
});
