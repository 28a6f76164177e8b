import { describe, expect, it } from "vitest";
import { effectiveVotes, errorFloor, meanDeviation, wilson } from "./statistics";

/** E|X/n - p| by its definition, term by term. */
function byDefinition(p: number, n: number): number {
  let chance = (1 - p) ** n;
  let sum = 0;
  for (let k = 0; k <= n; k += 1) {
    sum += chance * Math.abs(k / n - p);
    chance *= ((n - k) / (k + 1)) * (p / (1 - p));
  }
  return sum;
}

describe("intervals", () => {
  it("are those of Wilson, and everything where nothing was counted", () => {
    expect(wilson(0, 0)).toEqual({ low: 0, high: 1 });
    const { low, high } = wilson(12, 20);
    expect(low).toBeCloseTo(0.3866, 4);
    expect(high).toBeCloseTo(0.7812, 4);
    expect(wilson(20, 20).high).toBe(1);
    expect(wilson(0, 20).low).toBe(0);
  });
});

describe("the floor of a calibration error", () => {
  it.each([
    [0.5, 1],
    [0.5, 20],
    [0.13, 7],
    [0.9, 10],
    [0.62, 200],
  ])("is the mean deviation of a share: p %d, n %d", (p, n) => {
    expect(meanDeviation(p, n)).toBeCloseTo(byDefinition(p, n), 10);
  });
  it("is nothing for somebody who is certain, and unknown without decisions", () => {
    expect(meanDeviation(1, 30)).toBe(0);
    expect(meanDeviation(0, 30)).toBe(0);
    expect(errorFloor([])).toBeNull();
  });
  it("weighs bins by their decisions", () => {
    const floor = errorFloor([
      { p: 0.5, count: 10 },
      { p: 0.9, count: 30 },
    ]);
    expect(floor).toBeCloseTo((10 * byDefinition(0.5, 10) + 30 * byDefinition(0.9, 30)) / 40, 10);
  });
});

describe("effective votes", () => {
  it("are all of them when errors have nothing in common, and one when they are the same", () => {
    expect(effectiveVotes(5, 0)).toBe(5);
    expect(effectiveVotes(5, -0.3)).toBe(5);
    expect(effectiveVotes(5, 1)).toBe(1);
    expect(effectiveVotes(3, 0.31)).toBeCloseTo(1.8519, 4);
  });
});
