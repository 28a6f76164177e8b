import { describe, expect, it } from "vitest";
import { tops } from "../../../charts/stacks";
import { daysFrom, layersOf, type Row, totalsOf } from "./summed";

function row(day: string, seat: string, calls: number, kind = "answer"): Row {
  return { day, seat, model: seat, kind, calls, failed: 0, tokens_in: 10 * calls, tokens_out: calls, cost_micros: calls };
}

const ROWS = [row("2026-03-01", "bo", 2), row("2026-03-01", "ada", 1), row("2026-02-27", "ada", 4, "review"), row("2026-02-27", "ada", 1)];

describe("days", () => {
  it("are all there, over the end of a month", () => {
    expect(daysFrom("2026-02-27", "2026-03-02")).toEqual(["2026-02-27", "2026-02-28", "2026-03-01", "2026-03-02"]);
    expect(daysFrom("2026-03-01", "2026-03-01")).toEqual(["2026-03-01"]);
  });
});

describe("layers", () => {
  const days = daysFrom("2026-02-27", "2026-03-01");
  it("are one a member, the largest first, with a value for each day", () => {
    expect(layersOf(ROWS, days, "calls", () => 0)).toEqual([
      { name: "ada", hue: 0, values: [5, 0, 1] },
      { name: "bo", hue: 0, values: [0, 0, 2] },
    ]);
  });
  it("count tokens in both directions, and leave out who took nothing and days out of range", () => {
    const free = { ...row("2026-03-01", "cy", 3), cost_micros: 0 };
    expect(layersOf([free, row("2025-01-01", "bo", 9)], days, "cost", () => 0)).toEqual([]);
    expect(layersOf([free], days, "tokens", () => 1)[0]?.values).toEqual([0, 0, 33]);
  });
  it("stand upon one another", () => {
    expect(tops(layersOf(ROWS, days, "calls", () => 0))).toEqual([
      [5, 0, 1],
      [5, 0, 3],
    ]);
  });
});

describe("totals", () => {
  it("lose no call", () => {
    const totals = totalsOf([...ROWS, ...ROWS]);
    expect(totals).toHaveLength(3);
    expect(totals.reduce((sum, each) => sum + each.calls, 0)).toBe(16);
  });
});
