import { expect, test } from "vitest";
import { baseAddress, example } from "./Connect";

test("a program is given the address under which this page was opened", () => {
  expect(baseAddress("http://127.0.0.1:7117")).toBe("http://127.0.0.1:7117/v1");
  expect(example(baseAddress("https://choir.example"))).toContain('base_url="https://choir.example/v1"');
});
