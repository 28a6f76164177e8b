import { Lexer, Marked, type Links, type Token, type TokenizerExtension } from "marked";

import { countParsed } from "./work";

/** Where the addresses of `[text][label]` are found: by label in lower case. It has no prototype. */
export type Definitions = Readonly<Links>;

/** Return the definitions in `found`, label → address. */
export function definitionsFrom(found: ReadonlyMap<string, string>): Definitions {
  const links = Object.create(null) as Links;
  for (const [label, href] of found) links[label] = { href, title: null };
  return links;
}

/** A formula, as the lexer found it. */
export interface MathToken {
  readonly type: "formula";
  readonly raw: string;
  readonly tex: string;
  readonly display: boolean;
}

/** Text that is too long or too tangled to be worth parsing: shown as it is. */
export interface PlainToken {
  readonly type: "plain";
  readonly raw: string;
  readonly text: string;
}

/** The lexer is worse than linear on text made to hurt it; no honest paragraph comes near these. */
const LONGEST_BLOCK = 16_384;
const LONGEST_WORD = /\S{2049}/;
const MOST_BRACKETS = 400;
const MOST_EMPHASIS = 1200;
const DEEPEST = 12;

// $…$ must hug its formula and may not end before a digit, so that "$5 and $6" stays money.
const DOLLAR = /^\$(?![\s$])((?:\\[^\n]|[^\\$\n]){1,2000}?)(?<![\s\\])\$(?![\d\p{L}$])/u;
const DOUBLE = /^\$\$((?:\\[\s\S]|[^\\$]){1,2000}?)\$\$/;
const ROUND = /^\\\(([\s\S]{1,2000}?)\\\)/;
const SQUARE = /^\\\[([\s\S]{1,2000}?)\\\]/;
const MATH_BEGINS = /(?<![\w\\$])\$(?!\s)|\\[([]/;

function formulaAt(source: string): MathToken | undefined {
  const square = DOUBLE.exec(source) ?? SQUARE.exec(source);
  const found = square ?? ROUND.exec(source) ?? DOLLAR.exec(source);
  if (!found) return undefined;
  return { type: "formula", raw: found[0], tex: (found[1] ?? "").trim(), display: square !== null };
}

const inlineFormula: TokenizerExtension = {
  name: "formula",
  level: "inline",
  start: (source) => {
    const at = source.search(MATH_BEGINS);
    return at === -1 ? undefined : at;
  },
  tokenizer: (source) => formulaAt(source),
};

const blockFormula: TokenizerExtension = {
  name: "blockFormula",
  level: "block",
  tokenizer: (source) => {
    const lead = /^ {0,3}(?=\$\$|\\\[)/.exec(source)?.[0];
    const found = lead === undefined ? undefined : formulaAt(source.slice(lead.length));
    if (lead === undefined || !found) return undefined;
    const rest = /^[ \t]*(?:\n|$)/.exec(source.slice(lead.length + found.raw.length));
    return rest ? { ...found, raw: lead + found.raw + rest[0] } : undefined;
  },
};

const marked = new Marked({ gfm: true, breaks: false, extensions: [inlineFormula, blockFormula] });

function count(text: string, characters: string): number {
  let found = 0;
  for (const character of text) if (characters.includes(character)) found += 1;
  return found;
}

function depthOfMarkers(text: string): number {
  let deepest = 0;
  for (const [lead] of text.matchAll(/^(?:[ \t]{0,8}(?:>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t])))+/gm)) {
    deepest = Math.max(deepest, count(lead, ">-+*.)"));
  }
  return deepest;
}

function depthOfIndents(text: string): number {
  const open: number[] = [];
  let deepest = 0;
  for (const [, lead = ""] of text.matchAll(/^([ \t]*)(?:[-+*]|\d{1,9}[.)])[ \t]/gm)) {
    while (open.length > 0 && (open.at(-1) ?? 0) >= lead.length) open.pop();
    open.push(lead.length);
    deepest = Math.max(deepest, open.length);
  }
  return deepest;
}

function isTooTangled(text: string): boolean {
  return (
    LONGEST_WORD.test(text) ||
    count(text, "[") > MOST_BRACKETS ||
    count(text, "*_~`<") > MOST_EMPHASIS ||
    depthOfMarkers(text) > DEEPEST ||
    depthOfIndents(text) > DEEPEST
  );
}

function lexerWith(definitions: Definitions): Lexer {
  const lexer = new Lexer(marked.defaults);
  // The lexer adds what it finds in this block: to its own object, in front of the one that all blocks share.
  lexer.tokens.links = Object.create(definitions) as Links;
  return lexer;
}

/** Return whether a block of `length` characters is shown as it is, unparsed. */
export function isTooLong(length: number): boolean {
  return length > LONGEST_BLOCK;
}

function plain(text: string): Token[] {
  return [{ type: "plain", raw: text, text } satisfies PlainToken];
}

/** Return the tokens of one block. Text that would take long to parse comes back as one `plain` token. */
export function lexBlock(text: string, definitions: Definitions): Token[] {
  if (isTooLong(text.length)) return plain(text);
  countParsed(text.length);
  if (isTooTangled(text)) return plain(text);
  return lexerWith(definitions).lex(text);
}

/** Return the tokens of one line inside a block, a table's cell for instance. */
export function lexLine(text: string, definitions: Definitions): Token[] {
  if (isTooLong(text.length)) return plain(text);
  countParsed(text.length);
  if (isTooTangled(text)) return plain(text);
  return lexerWith(definitions).inlineTokens(text);
}

const DEFINITION = /^ {0,3}\[([^\]]+)\]:[ \t]*<?(\S+?)>?(?:[ \t]+.*)?[ \t]*$/;

/** Return the label and the address that a definition line gives. */
export function definitionIn(line: string): readonly [string, string] | null {
  countParsed(line.length);
  const found = DEFINITION.exec(line.trimEnd());
  return found ? [labelOf(found[1] ?? ""), found[2] ?? ""] : null;
}

function labelOf(text: string): string {
  return text.trim().toLowerCase().replace(/\s+/g, " ");
}
