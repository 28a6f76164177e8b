import { describe, expect, it } from "vitest";
import { aboutOf, areHeads, kindName, linesOf } from "./lines";

const ROOT = "7f".repeat(32);

describe("heads that were kept elsewhere", () => {
  it("are one a line; blank lines are none", () => {
    expect(linesOf(`  12:${ROOT}\r\n\n 20:${ROOT} `)).toEqual([`12:${ROOT}`, `20:${ROOT}`]);
    expect(areHeads(linesOf(`12:${ROOT}\n20:${ROOT.toUpperCase()}`))).toBe(true);
    expect(areHeads([])).toBe(true);
  });
  it.each([ROOT, `x:${ROOT}`, `12:${ROOT}0`, "12:abc", `12 ${ROOT}`])("are refused as %j", (line) => {
    expect(areHeads([line])).toBe(false);
  });
});

describe("an entry", () => {
  it("says what it is about, and leaves out what is not there", () => {
    expect(aboutOf({ query_id: "q1", size: 3, ok: true, none: null })).toBe("query id q1 · size 3 · ok true");
    expect(aboutOf({})).toBe("");
    expect(kindName("correction_created")).toBe("correction created");
  });
});
