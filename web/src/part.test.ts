import { expect, test } from "vitest";
import { part } from "./part";

/** Answers one call after another: an error is thrown. */
function turns<T>(...outcomes: (T | Error)[]): () => Promise<T> {
  return () => {
    const next = outcomes.shift() ?? new Error("One call too many.");
    return next instanceof Error ? Promise.reject(next) : Promise.resolve(next);
  };
}

const missing = () => new TypeError("Failed to fetch dynamically imported module");

test("a part is fetched once where nothing is wrong", async () => {
  expect(await part(turns("search"), turns<boolean>())).toBe("search");
});

test("while the server is away a part is waited for, and comes with the server", async () => {
  let pauses = 0;
  const counted = () => Promise.resolve(void (pauses += 1));
  const answers = turns(false, false, true);
  const load = turns<string>(missing(), missing(), missing(), "search");
  expect(await part(load, answers, counted)).toBe("search");
  expect(pauses).toBe(2);
});

test("what a server that answers does not have is an error", async () => {
  await expect(part(turns<string>(missing(), missing()), turns(true))).rejects.toThrow("dynamically imported");
});
