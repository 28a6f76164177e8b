import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { StopButton } from "./StopButton";

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

test("a click that was meant for the button before does not stop, and one that comes later does", () => {
  let stopped = 0;
  render(<StopButton onStop={() => (stopped += 1)} />);
  const button = screen.getByRole("button", { name: /Stop/u });
  fireEvent.click(button);
  vi.advanceTimersByTime(599);
  fireEvent.click(button);
  expect(stopped).toBe(0);
  vi.advanceTimersByTime(1);
  fireEvent.click(button);
  expect(stopped).toBe(1);
});
