import { describe, expect, it } from "vitest";
import { newRun } from "../../streams/run";
import { withNewest } from "./newest";
import { messagesOf, type Message, type Stretch, type Stretches } from "./thread";

function stretch(from: number, to: number, more: Partial<Stretch> = {}): Stretch {
  const messages = Array.from({ length: to - from + 1 }, (_, at) => {
    const number = from + at;
    return { id: `m${number}`, number, role: number % 2 ? "user" : "assistant", text: "x", question: { query_id: `q${number}` } };
  });
  // Of a message only what is looked at here.
  const before = from > 1 ? `m${from}` : null;
  return { conversation: { id: "c1" }, messages: messages as unknown as Message[], before, after: null, ended: [], ...more } as unknown as Stretch;
}
const pages = (...all: Stretch[]): Stretches => ({ pages: all, pageParams: all.map((each, at) => (at === all.length - 1 ? null : { before: each.messages.at(-1)?.id ?? "" })) });
const numbers = (found: Stretches | null) => found && messagesOf(found.pages).map((each) => each.number);
const upTo = (last: number, first = 1) => Array.from({ length: last - first + 1 }, (_, at) => first + at);
const NO_RUNS = new Map();

describe("the newest messages", () => {
  it("come in behind everything that was read, and nothing of it is lost", () => {
    expect(numbers(withNewest(pages(stretch(1, 60)), stretch(3, 62), NO_RUNS))).toEqual(upTo(62));
    expect(numbers(withNewest(pages(stretch(41, 100), stretch(101, 160)), stretch(103, 162), NO_RUNS))).toEqual(upTo(162, 41));
    expect(numbers(withNewest(pages(stretch(1, 40)), stretch(1, 42), NO_RUNS))).toEqual(upTo(42));
  });

  it("do so any number of times, with one more stretch at most", () => {
    let all: Stretches | null = pages(stretch(5, 64));
    for (let last = 66; all && last <= 300; last += 2) all = withNewest(all, stretch(last - 59, last), NO_RUNS);
    expect(numbers(all)).toEqual(upTo(300, 5));
    expect([all?.pages.length, all?.pages[0]?.before]).toEqual([2, "m5"]);
  });

  it("replace what they tell anew", () => {
    const changed = stretch(1, 4);
    changed.messages.splice(3, 1, { ...stretch(4, 4).messages[0], text: "other" } as Message);
    expect(messagesOf(withNewest(pages(stretch(1, 4)), changed, NO_RUNS)?.pages ?? []).at(-1)?.text).toBe("other");
  });

  it("are not enough behind a gap, or before the end was reached", () => {
    expect(withNewest(pages(stretch(1, 60)), stretch(62, 121), NO_RUNS)).toBeNull();
    expect(withNewest(pages(stretch(1, 60, { after: "m60" })), stretch(3, 62), NO_RUNS)).toBeNull();
  });

  it("are not enough where a question far above them was asked anew", () => {
    const long = pages(stretch(1, 60), stretch(61, 120));
    const ended = (queryId: string) => new Map([["r", { ...newRun("r"), conversationId: "c1", queryId }]]);
    expect(withNewest(long, stretch(62, 121, { ended: ["r"] }), ended("q5"))).toBeNull();
    expect(numbers(withNewest(long, stretch(62, 121, { ended: ["r"] }), ended("q121")))).toEqual(upTo(121));
  });
});
