import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { LONGEST, overlong } from "./length";

test("the box takes what the server takes of one message, and not a character more", () => {
  const read: unknown = JSON.parse(readFileSync(join(import.meta.dirname, "../../openapi.json"), "utf8"));
  expect(read).toMatchObject({ components: { schemas: { Message: { properties: { text: { maxLength: LONGEST } } } } } });
});

test("characters are counted as the server counts them", () => {
  expect(overlong("x".repeat(LONGEST))).toBe(0);
  expect(overlong(`${"x".repeat(LONGEST + 3)}  \n`)).toBe(3);
  expect(overlong("🙂".repeat(LONGEST))).toBe(0);
});
