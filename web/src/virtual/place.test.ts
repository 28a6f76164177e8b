import { expect, test } from "vitest";

import { below, wantsEarlier } from "./place";

const end = { id: "m9", size: 100 };

test("a reader at the end is told nothing", () => {
  expect(below(true, null, end)).toBe("nothing");
});

test("a reader who scrolled up is offered the end, and told when it has grown", () => {
  expect(below(false, end, end)).toBe("more");
  expect(below(false, end, { id: "m9", size: 140 })).toBe("news");
  expect(below(false, end, { id: "m10", size: 20 })).toBe("news");
});

test("earlier messages are asked for once for each first message, near the start alone", () => {
  expect(wantsEarlier(0, "m1", false, null)).toBe(true);
  expect(wantsEarlier(0, "m1", false, "m1")).toBe(false);
  expect(wantsEarlier(40, "m1", false, null)).toBe(false);
  expect(wantsEarlier(0, "m1", true, null)).toBe(false);
  expect(wantsEarlier(0, undefined, false, null)).toBe(false);
});
