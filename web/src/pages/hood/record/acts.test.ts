import { describe, expect, it } from "vitest";
import { shareFrom } from "./acts";

describe("a percentage that was typed", () => {
  it("is read with a point, a comma and its sign", () => {
    expect(shareFrom("73")).toBeCloseTo(0.73);
    expect(shareFrom(" 73,5 % ")).toBeCloseTo(0.735);
    expect(shareFrom("0.5")).toBeCloseTo(0.005);
  });
  it.each(["", " ", "0", "100", "-3", "seventy", "1e9"])("is refused as %j", (text) => {
    expect(shareFrom(text)).toBeNull();
  });
});
