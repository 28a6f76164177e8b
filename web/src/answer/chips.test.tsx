import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { Tooltip } from "radix-ui";
import { afterEach, expect, test } from "vitest";
import { MemoryChips } from "./MemoryChips";
import type { EnteredMemory } from "./outcome";

afterEach(cleanup);

function entered(count: number): readonly EnteredMemory[] {
  return Array.from({ length: count }, (_, at) => ({
    correction: { id: `c${at}`, claim: `Claim ${at}`, canonical_query: "", type: "factual_correction", scope: "global", pinned: false },
    factors: {},
    score: 1,
    reason: "score",
  }));
}

function shownChips(count: number): number {
  render(<MemoryChips memory={entered(count)} passages={[]} />, { wrapper: Tooltip.Provider });
  return screen.getAllByRole("listitem").length;
}

test("a few things remembered are all shown beside their answer", () => {
  expect(shownChips(8)).toBe(8);
  expect(screen.queryByRole("button", { expanded: false, name: /more/u })).toBeNull();
});

test("of many things remembered the first are shown, and the others at a press", () => {
  expect(shownChips(60)).toBe(9);
  fireEvent.click(screen.getByRole("button", { name: "and 52 more" }));
  expect(screen.getAllByRole("listitem")).toHaveLength(61);
  fireEvent.click(screen.getByRole("button", { name: "Show fewer" }));
  expect(screen.getAllByRole("listitem")).toHaveLength(9);
});
