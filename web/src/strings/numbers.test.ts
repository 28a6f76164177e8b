import { describe, expect, it } from "vitest";
import { ago, count, duration, excerpt, money, percent } from "./numbers";

describe("numbers as a person reads them", () => {
  it("agree with their noun", () => {
    expect([count(1, "answer"), count(0, "answer"), count(1200, "entry", "entries")]).toEqual([
      "1 answer",
      "0 answers",
      "1,200 entries",
    ]);
  });

  it("quote the beginning of a long text, cut at a word", () => {
    expect(excerpt(" short\n text ")).toBe("short text");
    expect(excerpt("seven ".repeat(500))).toBe(`${"seven ".repeat(20).trim()}…`);
    expect(excerpt("x".repeat(3000))).toHaveLength(121);
  });

  it("never show money that was spent as nothing", () => {
    expect([0, 1, 40, 1_230, 45_000, 1_500_000, 1_234_567_890].map(money)).toEqual([
      "US$0",
      "US$0.000001",
      "US$0.00004",
      "US$0.0012",
      "US$0.045",
      "US$1.50",
      "US$1,234.57",
    ]);
  });

  it("say how long ago in the coarsest unit that fits", () => {
    const now = 1_000_000_000_000;
    const seconds = (n: number) => ago(now - n * 1000, now);
    expect([seconds(5), seconds(90), seconds(7_200), seconds(86_400), seconds(40 * 86_400)]).toEqual([
      "just now",
      "1 minute ago",
      "2 hours ago",
      "yesterday",
      "last month",
    ]);
  });

  it("give shares and times their unit", () => {
    expect([percent(0.876), percent(0.876, 1), duration(0.34), duration(4.21), duration(185)]).toEqual([
      "88%",
      "87.6%",
      "340 ms",
      "4.2 s",
      "3 min 5 s",
    ]);
  });

  it("carry over: there is no minute of sixty seconds and no second of a thousand milliseconds", () => {
    expect([duration(0.9996), duration(59.96), duration(119.7), duration(3600)]).toEqual(["1 s", "1 min 0 s", "2 min 0 s", "60 min 0 s"]);
  });
});
