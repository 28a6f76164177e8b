// @vitest-environment jsdom
import { expect, test } from "vitest";

import { drawFormula } from "./formula";

test.each(["\\char\"202E abc", "\\text{\\char\"2067}x", "\\char\"200F 1"])("%s, which would turn round what stands beside it, is not drawn", (tex) => {
  const place = document.createElement("div");
  expect(drawFormula(tex, place, false)).toBe(false);
  expect(place.childNodes).toHaveLength(0);
});
