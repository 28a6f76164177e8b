import { expect, test } from "vitest";

import { addressOf, pictureBytes } from "./address";

test.each([
  ["https://example.com/a?b=c#d", "example.com"],
  ["HTTP://Example.COM:8080/", "example.com:8080"],
  ["http://127.0.0.1:7117/", "127.0.0.1:7117"],
  ["mailto:ada@example.com?subject=Hi", "ada@example.com"],
])("%s may be opened, and leads to %s", (text, goesTo) => {
  expect(addressOf(text)?.goesTo).toBe(goesTo);
});

test.each([
  "javascript:alert(1)", "java\tscript:alert(1)", "data:text/html,x", "//example.com/", "/path", "example.com", "https:example.com",
  "https:\\\\example.com", "https://user@example.com/", "https://a:b@example.com/", "https://ex\u0430mple.com/", "https://xn--exmple-4nf.com/",
  "https://example%2ecom/", "http://0x7f.1/", "http://2130706433/", "https://example.com/\u202e", "https://exa mple.com/", " https://example.com/",
  "mailto:a@b.example?attach=x", "mailto:", "https://", "ftp://example.com/", `https://example.com/${"a".repeat(3000)}`,
])("%s may not be opened", (text) => {
  expect(addressOf(text)).toBeNull();
});

test("only pictures of points, carried in the text and of bounded size, may be shown", () => {
  expect(pictureBytes("data:image/png;base64,AAAA")).toBe(3);
  expect(pictureBytes("data:image/svg+xml;base64,AAAA")).toBeNull();
  expect(pictureBytes("data:image/png,AAAA")).toBeNull();
  expect(pictureBytes("https://example.com/a.png")).toBeNull();
  expect(pictureBytes(`data:image/png;base64,${"A".repeat(3_000_000)}`)).toBeNull();
});
