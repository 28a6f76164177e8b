import { afterEach, describe, expect, it } from "vitest";
import { STEPS } from "./steps";
import { endTour, move, startTour, tourAt } from "./tour";

afterEach(endTour);

describe("the tour", () => {
  it("has five steps, goes both ways, and ends after the last", () => {
    startTour();
    expect([STEPS.length, tourAt()]).toEqual([5, 0]);
    move(-1);
    expect(tourAt()).toBe(0);
    for (let step = 1; step < STEPS.length; step += 1) move(1);
    expect(tourAt()).toBe(4);
    move(1);
    expect(tourAt()).toBeNull();
  });

  it("stays ended until it is begun again", () => {
    move(1);
    expect(tourAt()).toBeNull();
  });

  it("finds nothing where nothing is in sight, instead of failing", () => {
    expect(STEPS.map((step) => step.find())).toEqual([null, null, null, null, null]);
  });
});
