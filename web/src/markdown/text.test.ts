import { expect, test } from "vitest";

import { isShowable, shown } from "./text";

test.each([
  ["turns of direction become visible", "a\u202eb\u2066c", "a[U+202E]b[U+2066]c"],
  ["what has no glyph is dropped", "a\u200bb\ufeffc\u00add", "abcd"],
  ["tags that hide words are dropped", "a\u{e0068}\u{e0069}b", "ab"],
  ["a joiner between letters is dropped", "a\u200db", "ab"],
  ["escapes of terminals become pictures", "\u001b[2J\u0007", "\u241b[2J\u2407"],
  ["a carriage return cannot overwrite", "a\rb", "ab"],
  ["lone halves of characters are dropped", "a\ud800b", "ab"],
])("%s", (_name, text, expected) => {
  expect(shown(text)).toBe(expected);
  expect(isShowable(shown(text))).toBe(true);
});

test.each([
  ["a family of emoji", "\u{1f468}\u200d\u{1f469}\u200d\u{1f467}"],
  ["an emoji with a variation selector", "\u2764\ufe0f\u200d\u{1f525}"],
  ["an emoji with a skin tone", "\u{1f469}\u{1f3fd}\u200d\u{1f52c}"],
  ["Persian with a non-joiner", "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"],
  ["Hindi with a joiner", "\u0915\u094d\u200d\u0937"],
  ["lines and tabs", "a\n\tb"],
])("%s stays as it is", (_name, text) => {
  expect(shown(text)).toBe(text);
});

test("showing twice shows the same", () => {
  const text = "x\u202e\u200b\u001b\u{1f468}\u200d\u{1f469}\ud800";
  expect(shown(shown(text))).toBe(shown(text));
});
