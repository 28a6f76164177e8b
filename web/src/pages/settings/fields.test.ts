import { describe, expect, it } from "vitest";
import { before, groupsOf, nameOf, spoken, typed, valueOf } from "./fields";
import type { Setting } from "./requests";

const LINE: Setting = {
  key: "max_tokens",
  value: 400,
  default: 400,
  origin: "default",
  explanation: "",
  kind: "whole",
  choices: [],
  minimum: 16,
  maximum: 8192,
  takes: "a whole number at least 16 and at most 8192",
  acts_now: true,
  changeable: true,
};

describe("a typed value", () => {
  it("is a number within its bounds, and nothing else", () => {
    expect(valueOf(LINE, " 512 ")).toBe(512);
    expect(valueOf(LINE, "15")).toBeUndefined();
    expect(valueOf(LINE, "9000")).toBeUndefined();
    expect(valueOf(LINE, "20.5")).toBeUndefined();
    expect(valueOf(LINE, "many")).toBeUndefined();
  });

  it("goes back to the default when the box is empty", () => {
    expect(valueOf(LINE, "  ")).toBeNull();
  });

  it("of money is typed in whole units and kept in millionths", () => {
    const cost = { ...LINE, key: "day_micros", minimum: 0, maximum: null, value: 250_000 };
    expect(typed(cost, cost.value)).toBe("0.25");
    expect(valueOf(cost, "1,5")).toBe(1_500_000);
  });

  it("of a number may have places", () => {
    expect(valueOf({ ...LINE, kind: "number", minimum: 0, maximum: 1 }, "0.35")).toBe(0.35);
  });
});

describe("a setting", () => {
  it("that no part knows is shown under About, so that none is out of reach", () => {
    const news = { ...LINE, key: "quite_new" };
    expect(groupsOf("about", [news])).toEqual([{ name: "further", lines: [news] }]);
    expect(groupsOf("answers", [news, LINE])).toEqual([{ name: "limits", lines: [LINE] }]);
    expect(nameOf("quite_new")).toBe("quite new");
  });

  it("is taken back to its default where it was the default, else to its value", () => {
    expect(before(LINE)).toBeNull();
    expect(before({ ...LINE, origin: "config.toml", value: 500 })).toBe(500);
  });

  it("is said in words", () => {
    expect(spoken({ ...LINE, kind: "switch" }, true)).toBe("on");
    expect(spoken({ ...LINE, kind: "choice" }, "fast")).toBe("Fast");
    expect(spoken({ ...LINE, key: "reviewer", kind: "text" }, "")).toBe("The best one that did not write it");
    expect(spoken(LINE, 8192)).toBe("8,192");
  });
});
