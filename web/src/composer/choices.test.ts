import { beforeEach, expect, it } from "vitest";
import { carryLevel, chosenLevel, keepLevel } from "./choices";

beforeEach(() => sessionStorage.clear());

it("a level that was chosen by hand holds in its conversation and in no other", () => {
  keepLevel("one", "maximum");
  expect([chosenLevel("one"), chosenLevel("two")]).toEqual(["maximum", null]);
  carryLevel("one", "two");
  keepLevel("one", null);
  expect([chosenLevel("one"), chosenLevel("two")]).toEqual([null, "maximum"]);
});

it("what is no level was not chosen", () => {
  sessionStorage.setItem("auritas.level.one", "whatever");
  expect(chosenLevel("one")).toBeNull();
});
