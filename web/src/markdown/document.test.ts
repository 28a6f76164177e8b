import { beforeEach, describe, expect, test } from "vitest";

import { blocksOf, LiveDocument, type Block } from "./document";
import { resetWork, work } from "./work";

/** Numbers from a seed (mulberry32), so that a failing example can be found again. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const LINES = [
  "# Heading", "Plain words and **bold** ones.", "", "", "- item", "- [x] done", "  - nested", "1. one", "2. two", "   more of two",
  "> quoted", "> > deeper", "```python", "```", "print('$5')", "~~~", "| a | b |", "|---|:-:|", "| 1 | `x|y` |", "$$", "x^2 - 1", "$$ y = 2 $$",
  "\\[", "\\]", "text with $a_1$ and \\(b\\)", "---", "===", "***", "[a]: https://example.com/a", "see [a] and [b][a]", "    indented",
  "<div onclick=x>", "![p](data:image/png;base64,AAAA)", "\ud83d\ude00 *emoji*", "\ttab", "* star", "+ plus", "1984. a year", "\r",
];

function textFrom(pick: (below: number) => number): string {
  return Array.from({ length: 1 + pick(40) }, () => LINES[pick(LINES.length)]).join("\n");
}

function streamed(text: string, pick: (below: number) => number, longest: number): readonly Block[] {
  const document = new LiveDocument();
  for (let at = 0; at < text.length; ) {
    at = Math.min(text.length, at + 1 + pick(longest));
    document.update(text.slice(0, at));
    document.blocks();
  }
  document.finish();
  return document.blocks();
}

function essence(blocks: readonly Block[]): unknown {
  return blocks.map(({ key, raw, rest, content, segment: { kind, mark } }) => ({ key, raw, rest, content, kind, mark }));
}

/** Parsed characters per token while a text streams, one token a frame. */
function perToken(text: string, token = 5): number {
  resetWork();
  const document = new LiveDocument();
  let tokens = 0;
  for (let at = token; at < text.length + token; at += token, tokens += 1) {
    document.update(text.slice(0, at));
    document.blocks();
  }
  document.finish();
  return work.charactersParsed / tokens;
}

beforeEach(resetWork);

describe("a text that streams", () => {
  test("ends in the same blocks as the text rendered at once, however it was cut (W5)", () => {
    for (let seed = 1; seed <= 100; seed += 1) {
      const pick = numbers(seed);
      const text = textFrom(pick);
      const whole = essence(blocksOf(text));
      for (const longest of [1, 7, 200]) {
        expect(essence(streamed(text, pick, longest)), `seed ${seed}, pieces up to ${longest}`).toEqual(whole);
      }
    }
  });

  test("keeps the very objects of blocks that have ended", () => {
    const document = new LiveDocument();
    document.update("one\n\ntwo\n\nthr");
    const [first, second] = document.blocks();
    document.update("one\n\ntwo\n\nthree\n\n- four");
    expect(document.blocks()[0]).toBe(first);
    expect(document.blocks()[1]?.content).toBe(second?.content);
  });

  test("starts anew when its text is replaced by another", () => {
    const document = new LiveDocument();
    document.update("one\n\ntwo");
    document.update("three");
    expect(document.blocks().map((block) => block.raw)).toEqual(["three"]);
  });

  test("shows every character at once, parsed or not (W5)", () => {
    const text = "word ".repeat(600);
    const document = new LiveDocument();
    for (let at = 5; at <= text.length; at += 5) {
      document.update(text.slice(0, at));
      const shown = document.blocks().map((block) => block.raw + block.rest).join("");
      expect(shown.length).toBe(at);
    }
  });
});

describe("parsing per token stays below 200 characters, whatever the history (W5)", () => {
  const sentence = "The quick brown fox said **something** about `code`, and [a link](https://example.com/). ";
  const cases: readonly [string, string][] = [
    ["paragraphs", `${sentence.repeat(4)}\n\n`.repeat(60)],
    ["one long paragraph", sentence.repeat(180)],
    ["a code block of 200 lines", `Look:\n\n\`\`\`python\n${"    value = compute(first, second)  # why\n".repeat(200)}\`\`\`\nDone.\n`],
    ["a code block inside an item", `- Look:\n\n  \`\`\`python\n${"      value = compute(first, second)\n".repeat(200)}  \`\`\`\n`],
    ["a table of 300 rows", `| name | value | note |\n|---|--:|---|\n${"| alpha | 12.5 | some words here |\n".repeat(300)}`],
    ["a list of 400 items", "- an item with **some** words in it\n".repeat(400)],
    ["a nested list", "- outer item\n  - inner item with words\n  - another one\n".repeat(120)],
    ["a quotation", "> words that somebody else has said before\n".repeat(200)],
    ["short lines", "ab\n".repeat(2000)],
    ["formulas", "$$\n\\frac{a}{b} = c\n$$\n\nand $x_1$ too\n\n".repeat(100)],
  ];
  test.each(cases)("%s", (_name, text) => {
    expect(perToken(text)).toBeLessThanOrEqual(200);
    expect(perToken(text, 4)).toBeLessThanOrEqual(200);
  });
});

describe("text made to hurt", () => {
  const hostile: readonly [string, string][] = [
    ["10 000 brackets", "[".repeat(10_000)],
    ["10 000 links begun", "[a](".repeat(10_000)],
    ["nested quotations", Array.from({ length: 500 }, (_, depth) => `${">".repeat(depth)} x`).join("\n")],
    ["quotations 5 000 deep in one line", `${"> ".repeat(5000)}x`],
    ["lists 300 deep", Array.from({ length: 300 }, (_, depth) => `${"  ".repeat(depth)}- x`).join("\n")],
    ["a line of 1 MB", "a".repeat(1_000_000)],
    ["a line of 1 MB of words", "ab ".repeat(333_333)],
    ["emphasis that never ends", "*a **b ".repeat(5000)],
    ["back ticks", "`a".repeat(20_000)],
    ["dollars", "$a ".repeat(20_000)],
    ["pipes", `${"|a".repeat(5000)}\n${"|-".repeat(5000)}\n${"|b".repeat(5000)}`],
    ["definitions", Array.from({ length: 3000 }, (_, n) => `[a${n}]: https://example.com/${n}\n[a${n}]\n\n`).join("")],
    ["names of prototypes", "[__proto__]: https://example.com/\n\n[constructor][__proto__] [toString]\n"],
  ];
  test.each(hostile)("%s is parsed in work that grows with its length", (_name, text) => {
    resetWork();
    blocksOf(text);
    expect(work.charactersParsed).toBeLessThanOrEqual(3 * text.length + 2000);
    resetWork();
    streamed(text, () => Math.ceil(text.length / 200), 1);
    expect(work.charactersParsed).toBeLessThanOrEqual(30 * text.length + 2000);
  });
});
