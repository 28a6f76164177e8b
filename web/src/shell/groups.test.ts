import { describe, expect, it } from "vitest";
import { grouped, groupOf } from "./groups";

const at = (text: string) => new Date(text).getTime();
const NOW = at("2026-03-10T09:00:00");

describe("groups of conversations", () => {
  it.each([
    ["2026-03-10T00:01:00", "Today"],
    ["2026-03-11T12:00:00", "Today"],
    ["2026-03-09T23:59:00", "Yesterday"],
    ["2026-03-08T12:00:00", "Previous 7 days"],
    ["2026-03-03T00:00:00", "Previous 7 days"],
    ["2026-03-02T23:59:00", "March 2026"],
    ["2025-12-24T18:00:00", "December 2025"],
  ])("put %s under %s", (then, label) => {
    expect(groupOf(at(then), NOW)).toBe(label);
  });

  it("have one heading each, and leave the order alone", () => {
    const items = ["2026-03-10T08:00:00", "2026-03-10T07:00:00", "2026-03-09T07:00:00"].map((updated_at) => ({ updated_at }));
    const rows = grouped(items, NOW).map((row) => (row.kind === "group" ? row.label : row.item.updated_at.slice(8, 13)));
    expect(rows).toEqual(["Today", "10T08", "10T07", "Yesterday", "09T07"]);
  });
});
