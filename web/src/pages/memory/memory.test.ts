import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Dismissals } from "./dismissals";
import { narrows, NO_FILTERS, queryOf } from "./filters";
import { EVERYWHERE, placeFrom } from "./PlaceFields";
import { placeWords } from "./places";

describe("the filters of the list", () => {
  it("ask the server for nothing that was not chosen", () => {
    expect(queryOf(NO_FILTERS)).toEqual({ state: ["active"] });
    expect(narrows(NO_FILTERS)).toBe(false);
    expect(narrows({ ...NO_FILTERS, state: "superseded" })).toBe(false);
  });
  it("ask for a project only where something may hold in one", () => {
    const filters = { ...NO_FILTERS, projectId: "p1", text: " choir " };
    expect(queryOf(filters)).toEqual({ state: ["active"], project_id: "p1", text: "choir" });
    expect(queryOf({ ...filters, scope: "global" })).toEqual({ state: ["active"], scope: ["global"], text: "choir" });
  });
});

describe("a place", () => {
  it("is none until its project or field is chosen", () => {
    expect(placeFrom(EVERYWHERE, null)?.scope).toBe("global");
    expect(placeFrom({ ...EVERYWHERE, scope: "project" }, null)).toBeNull();
    expect(placeFrom({ ...EVERYWHERE, scope: "domain" }, null)).toBeNull();
    expect(placeFrom({ ...EVERYWHERE, scope: "conversation" }, null)).toBeNull();
    expect(placeFrom({ ...EVERYWHERE, scope: "conversation" }, "c1")?.conversation_id).toBe("c1");
  });
  it("is named by its project, and without the name said generally", () => {
    const placed = { scope: "project", project_id: "p1", domain: null } as const;
    expect(placeWords(placed, new Map([["p1", "Choir"]]))).toBe("in Choir");
    expect(placeWords(placed, new Map())).toBe("in a project");
  });
});

describe("a dismissal", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());
  const commit = () => vi.fn(() => Promise.resolve());

  it("hides at once and happens only after its time", () => {
    const dismissals = new Dismissals();
    const done = commit();
    dismissals.begin("a", 1000, done);
    expect(dismissals.hidden.has("a")).toBe(true);
    vi.advanceTimersByTime(999);
    expect(done).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(done).toHaveBeenCalledOnce();
    expect(dismissals.takeBack("a")).toBe(false);
  });
  it("never happens once it is taken back", () => {
    const dismissals = new Dismissals();
    const done = commit();
    dismissals.begin("a", 1000, done);
    expect(dismissals.takeBack("a")).toBe(true);
    vi.advanceTimersByTime(5000);
    expect(done).not.toHaveBeenCalled();
    expect(dismissals.hidden.size).toBe(0);
  });
  it("shows the proposal again where the server refuses", async () => {
    const dismissals = new Dismissals();
    dismissals.begin("a", 10, () => Promise.reject(new Error("no")));
    await vi.advanceTimersByTimeAsync(10);
    expect(dismissals.hidden.size).toBe(0);
  });
});
