import { describe, expect, test } from "vitest";
import { placeOf } from "./place";

const CARDS = {
  top: { left: 900, top: 24, width: 352, height: 200 },
  bottom: { left: 900, top: 576, width: 352, height: 200 },
};
const COMPOSER = { left: 320, top: 640, width: 900, height: 140 };

describe("where the card of the tour stands", () => {
  test("a card stands above where what it points at is below, and the other way round", () => {
    expect(placeOf(CARDS, COMPOSER, [])).toBe("top");
    expect(placeOf(CARDS, { left: 900, top: 40, width: 300, height: 60 }, [COMPOSER])).toBe("bottom");
  });

  test("a card leaves the box in which one writes free, where it can", () => {
    expect(placeOf(CARDS, { left: 320, top: 300, width: 500, height: 30 }, [COMPOSER])).toBe("top");
  });

  test("a card with nothing to point at or to spare stands below", () => {
    expect(placeOf(CARDS, null, [])).toBe("bottom");
  });

  test("of a thing that fills the window a card covers as little as it can", () => {
    expect(placeOf(CARDS, { left: 0, top: 150, width: 1280, height: 650 }, [])).toBe("top");
  });
});
