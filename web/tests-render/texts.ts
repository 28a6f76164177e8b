/** Texts that look like answers, the same each time. */
export interface Message {
  readonly id: string;
  readonly text: string;
}

const PROSE =
  "The council weighs what each member says against what it has been **right about** before, in `domain` by domain, " +
  "and keeps [the reasons](https://example.com/reasons) so that you can read them later. ";

const KINDS: Readonly<Record<string, (column: number) => string>> = {
  prose: (column) => `## Part ${column}\n\n${PROSE.repeat(3)}\n\n> ${PROSE}\n\n`,
  paragraph: () => `${PROSE.repeat(40)}\n\n`,
  code: () => `Look:\n\n\`\`\`python\n${"    total = compute(first, second)  # the reason\n".repeat(200)}\`\`\`\n\n`,
  table: () => `| name | value | note |\n|:--|--:|:-:|\n${"| alpha beta | 12.5 | **some** words |\n".repeat(150)}\n`,
  list: () => `${"- an item with **some** words and `code` in it\n  - and one inside\n".repeat(150)}\n`,
  mixed: (column) =>
    `### Step ${column}\n\n${PROSE}\n\n1. first\n2. second\n\n\`\`\`js\nconst a = ${column};\n\`\`\`\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n$$x^2 + y_1$$\n\n`,
};

/** Return `tokens` pieces of four to five characters. */
export function answerText(kind: string, tokens: number, column: number): string[] {
  const part = KINDS[kind]?.(column) ?? PROSE;
  const text = part.repeat(Math.ceil((tokens * 5) / part.length));
  const pieces: string[] = [];
  for (let at = 0; pieces.length < tokens; ) {
    const length = pieces.length % 2 === 0 ? 4 : 5;
    pieces.push(text.slice(at, at + length));
    at += length;
  }
  return pieces;
}

/** Return messages `from` … `from + count`, of very different heights. */
export function conversation(count: number, from = 0): Message[] {
  return Array.from({ length: count }, (_, offset) => {
    const number = from + offset;
    const kind = number % 9 === 4 ? "mixed" : number % 31 === 7 ? "table" : "paragraph";
    const text = kind === "paragraph" ? PROSE.repeat(1 + (number % 5)) : (KINDS[kind]?.(number) ?? "").slice(0, 1200);
    return { id: `m${number}`, text: `**${number}** ${text}` };
  });
}
