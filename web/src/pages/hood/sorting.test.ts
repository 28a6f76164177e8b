import { describe, expect, it } from "vitest";
import { nextOrder, sorted } from "./sorting";

const ROWS = [
  { name: "bo", n: 2 },
  { name: "ada", n: null },
  { name: "cy 10", n: 7 },
  { name: "cy 9", n: 2 },
];
const names = (rows: readonly { name: string }[]) => rows.map((row) => row.name);

describe("rows", () => {
  it("are sorted by figures either way, what is unknown last, equals as they were", () => {
    expect(names(sorted(ROWS, (row) => row.n, true))).toEqual(["cy 10", "bo", "cy 9", "ada"]);
    expect(names(sorted(ROWS, (row) => row.n, false))).toEqual(["bo", "cy 9", "cy 10", "ada"]);
  });
  it("are sorted by name as a person counts", () => {
    expect(names(sorted(ROWS, (row) => row.name, false))).toEqual(["ada", "bo", "cy 9", "cy 10"]);
  });
});

describe("a header", () => {
  const column = { key: "n", header: "N", cell: () => null, numeric: true };
  it("begins with the highest figure or the first name, and turns round when pressed again", () => {
    const once = nextOrder({ key: "name", down: false }, column);
    expect(once).toEqual({ key: "n", down: true });
    expect(nextOrder(once, column)).toEqual({ key: "n", down: false });
    expect(nextOrder(once, { ...column, key: "name", numeric: false })).toEqual({ key: "name", down: false });
  });
});
