import { describe, expect, it } from "vitest";
import { AppendBuffer } from "./buffer";

describe("a member's growing text", () => {
  it("is flushed once a frame, however many pieces came", () => {
    const frames: (() => void)[] = [];
    const buffer = new AppendBuffer("", (flush) => frames.push(flush));
    let heard = 0;
    buffer.subscribe(() => (heard += 1));
    for (const piece of "Canberra") buffer.append(piece);
    expect([buffer.text, buffer.whole, frames.length, heard]).toEqual(["", "Canberra", 1, 0]);
    frames[0]?.();
    expect([buffer.text, heard]).toEqual(["Canberra", 1]);
  });

  it("shows everything at its end, also in a tab that draws no frames, and grows no more", () => {
    const buffer = new AppendBuffer("Can", () => undefined);
    let heard = 0;
    const leave = buffer.subscribe(() => (heard += 1));
    buffer.append("berra");
    buffer.close();
    buffer.append("!");
    expect([buffer.text, buffer.closed, heard]).toEqual(["Canberra", true, 1]);
    leave();
  });
});
