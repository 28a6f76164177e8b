import { describe, expect, it } from "vitest";
import { fixed } from "./numbers";

describe("a number with its places", () => {
  it("has a true minus, and none before nothing", () => {
    expect(fixed(1.005, 1)).toBe("1.0");
    expect(fixed(-0.064)).toBe("−0.06");
    expect(fixed(-0.001)).toBe("0.00");
    expect(fixed(0.1234, 3)).toBe("0.123");
  });
});
