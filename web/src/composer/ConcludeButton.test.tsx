import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { Tooltip } from "radix-ui";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { onAnnouncement } from "../shell/announcer";
import { en } from "../strings/en";
import { ConcludeButton } from "./ConcludeButton";

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

function shownButton(onConclude: () => Promise<void>): HTMLElement {
  render(
    <Tooltip.Provider>
      <ConcludeButton onConclude={onConclude} />
    </Tooltip.Provider>,
  );
  vi.advanceTimersByTime(600);
  return screen.getByRole("button", { name: en.composer.conclude });
}

test("a press asks once for the answer, and says so to those who do not see it", async () => {
  const said: string[] = [];
  const stop = onAnnouncement((text) => said.push(text));
  let asked = 0;
  const button = shownButton(() => Promise.resolve(void (asked += 1)));
  fireEvent.click(button);
  fireEvent.click(button);
  await act(() => vi.advanceTimersByTimeAsync(0));
  stop();
  expect(asked).toBe(1);
  expect(said).toEqual([en.composer.concluded]);
});

test("what could not be asked can be asked once more", async () => {
  let asked = 0;
  const button = shownButton(() => Promise.reject(new Error(`refused ${(asked += 1)}`)));
  fireEvent.click(button);
  await act(() => vi.advanceTimersByTimeAsync(0));
  fireEvent.click(button);
  await act(() => vi.advanceTimersByTimeAsync(0));
  expect(asked).toBe(2);
});
