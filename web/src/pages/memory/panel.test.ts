import { expect, test } from "vitest";
import { restAt } from "./panel";

test("a panel that fits stays where it is", () => {
  expect(restAt(16, 300, 500, 850)).toBe(16);
  expect(restAt(16, -300, 500, 850)).toBe(16);
});

test("a panel that is higher goes along until its end is in sight, and back until its beginning is", () => {
  expect(restAt(16, 100, 1_000, 850)).toBe(-84);
  expect(restAt(-84, 500, 1_000, 850)).toBe(-166);
  expect(restAt(-166, -100, 1_000, 850)).toBe(-66);
  expect(restAt(-66, -500, 1_000, 850)).toBe(16);
});
