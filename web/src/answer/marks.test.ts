import { beforeEach, expect, it } from "vitest";
import { forgetMarks, keepMarks, keptMarks, MARKS, marksOf, ownMark } from "./marks";

const COUNCIL = ["ada", "bob", "cleo", "eve", "calculator"];

beforeEach(() => localStorage.clear());

it("a member has the same mark by its name alone, in whatever order members are listed", () => {
  expect(marksOf(COUNCIL.toReversed(), {})).toEqual(marksOf(COUNCIL, {}));
  expect(marksOf(["ada"], {})).toEqual({ ada: ownMark("ada") });
});

it("as long as there are marks no two members share one", () => {
  const eight = Array.from({ length: MARKS }, (_, at) => `member ${at}`);
  expect(new Set(Object.values(marksOf(eight, {}))).size).toBe(MARKS);
  expect(marksOf([...eight, "ninth"], {})["ninth"]).toBe(ownMark("ninth"));
});

it("whoever joins or leaves changes nobody's mark", () => {
  const before = marksOf(COUNCIL, {});
  for (let n = 0; n < 50; n += 1) {
    const joined = marksOf([`newcomer ${n}`, ...COUNCIL], before);
    expect(Object.fromEntries(COUNCIL.map((seat) => [seat, joined[seat]]))).toEqual(before);
  }
  expect(marksOf(["eve", "bob"], before)).toEqual({ eve: before["eve"], bob: before["bob"] });
});

it("marks outlive a reload, and nonsense that was stored is no mark", () => {
  keepMarks({ ada: 3 });
  keepMarks({ bob: 4 });
  expect(keptMarks()).toEqual({ ada: 3, bob: 4 });
  localStorage.setItem("auritas.marks", '{"ada": 99, "bob": "x", "eve": 1}');
  expect(keptMarks()).toEqual({ eve: 1 });
  localStorage.setItem("auritas.marks", "[");
  expect(keptMarks()).toEqual({});
  forgetMarks();
  expect(localStorage.length).toBe(0);
});
