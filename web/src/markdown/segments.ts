import { countParsed } from "./work";

/**
 * Where the blocks of a text begin and end, line by line.
 *
 * Nothing that comes later changes a block that has ended: that is what lets a stream freeze it, and why a text that
 * arrives in pieces ends as the same blocks as the text read at once. Items of a list and rows of a table are blocks
 * of their own, so that a long list or table costs no more than its last line.
 */
export type Kind = "prose" | "item" | "code" | "table" | "row" | "math" | "picture" | "definition" | "indented" | "quote";

export interface Segment {
  readonly kind: Kind;
  readonly start: number;
  readonly end: number;
  /** Where the last line began. */
  readonly last: number;
  /** Blank lines since the last line with text. */
  readonly blanks: number;
  /** No further line can join it. */
  readonly complete: boolean;
  /** item: what makes two items one list; code: the fence; table: the delimiter line's cells. */
  readonly mark: string;
  /** item: column where its content begins; code: how far the fence is indented; table: number of columns. */
  readonly column: number;
  /** code: where its first and after its last line of content; else the segment. */
  readonly inner: number;
}

export interface Step {
  readonly ended: readonly Segment[];
  readonly open: Segment | null;
}

interface Line {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly indent: number;
  readonly blank: boolean;
  /** Its last characters, where a formula may close. */
  readonly ending: string;
}

/** What of a line is looked at to tell what it begins. */
const GLANCE = 400;
const ENDING = 64;
const LONGEST_MATH = 4000;

const FENCE = /^(`{3,}(?!.*`)|~{3,})/;
const HEADING = /^#{1,6}(?:[ \t]|$)/;
const RULE = /^(?:(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}|(?:-[ \t]*){3,})$/;
const MARKER = /^([-+*]|\d{1,9}[.)])([ \t]+|$)/;
const DELIMITER = /^\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;
const DEFINITION = /^\[(?!\^)[^\]\\[]{1,200}\]:[ \t]*\S+(?:[ \t]+(?:"[^"]*"|'[^']*'|\([^)]*\)))?[ \t]*$/;
const PICTURE = /^!\[[^\]]{0,500}\]\(data:image\/[a-z]{3,5};base64,/;

function lineAt(source: string, start: number, end: number): Line {
  const head = source.slice(start, Math.min(end, start + GLANCE));
  let at = 0;
  let indent = 0;
  for (; head[at] === " " || head[at] === "\t"; at += 1) indent += head[at] === "\t" ? 4 - (indent % 4) : 1;
  const text = head.slice(at).trimEnd();
  const ending = source.slice(Math.max(start, end - ENDING), end).trimEnd();
  return { text, start, end, indent, blank: text === "", ending };
}

/** Return the number of cells of a row as GitHub's tables count them. */
export function cellsOf(row: string): string[] {
  const inner = row.trim().replace(/^\|/, "").replace(/(?<!\\)\|$/, "");
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
}

function begun(kind: Kind, line: Line, more: Partial<Segment> = {}): Segment {
  const { start, end } = line;
  return { kind, start, end, last: start, blanks: 0, complete: false, mark: "", column: 0, inner: start, ...more };
}

function joined(open: Segment, line: Line, more: Partial<Segment> = {}): Segment {
  return { ...open, end: line.end, last: line.start, blanks: 0, ...more };
}

function listMark(marker: string): string {
  return marker.length === 1 ? marker : `1${marker.slice(-1)}`;
}

function itemAt(line: Line): Segment | null {
  const found = MARKER.exec(line.text);
  if (!found || RULE.test(line.text)) return null;
  const [, marker = "", gap = ""] = found;
  const space = gap.length >= 1 && gap.length <= 4 ? gap.length : 1;
  return begun("item", line, { mark: listMark(marker), column: line.indent + marker.length + space });
}

function closerOf(opener: string): string {
  return opener === "$$" ? "$$" : "\\]";
}

function mathAt(line: Line): Segment | null {
  const opener = line.text.startsWith("$$") ? "$$" : line.text.startsWith("\\[") ? "\\[" : "";
  if (!opener) return null;
  const closer = closerOf(opener);
  const at = line.text.indexOf(closer, 2);
  const closes = line.ending.endsWith(closer) && line.end - line.start > 4;
  if (at === -1 && !closes) return begun("math", line, { mark: opener });
  // Words after the formula make the line prose with a formula in it.
  const alone = closes && (at === -1 || at === line.text.length - 2);
  return alone ? begun("math", line, { mark: opener, complete: true }) : null;
}

/** Return the block that a line begins whatever stands before it, or null if it could continue a paragraph. */
function interrupting(line: Line): Segment | null {
  if (line.indent > 3) return null;
  const fence = FENCE.exec(line.text);
  if (fence) return begun("code", line, { mark: fence[1] ?? "", column: line.indent, inner: line.end });
  if (HEADING.test(line.text)) return begun("prose", line, { complete: true });
  if (line.text.startsWith(">")) return begun("quote", line);
  return mathAt(line) ?? (PICTURE.test(line.text) ? begun("picture", line, { complete: true }) : null);
}

function beginning(line: Line): Segment {
  const definition = (): Segment | null =>
    line.indent <= 3 && DEFINITION.test(line.text) ? begun("definition", line, { complete: true }) : null;
  const indented = (): Segment | null => (line.indent > 3 ? begun("indented", line) : null);
  const rule = (): Segment | null => (RULE.test(line.text) ? begun("prose", line, { complete: true }) : null);
  return interrupting(line) ?? indented() ?? itemAt(line) ?? definition() ?? rule() ?? begun("prose", line);
}

function continuedCode(open: Segment, line: Line): Segment {
  const closing = line.indent <= 3 && line.text.startsWith(open.mark) && !/[^`~]/.test(line.text);
  return joined(open, line, { complete: closing && line.text[0] === open.mark[0] });
}

function tableFrom(open: Segment, line: Line, source: string): Step | null {
  if (!DELIMITER.test(line.text) || !line.text.includes("-") || line.indent > 3) return null;
  const header = source.slice(open.last, Math.min(line.start, open.last + GLANCE * 10));
  if (!header.includes("|") || cellsOf(header).length !== cellsOf(line.text).length) return null;
  const columns = cellsOf(line.text).length;
  const table = begun("table", line, { start: open.last, last: line.start, column: columns, inner: line.start, complete: true });
  const before = open.last > open.start ? [{ ...open, end: open.last, complete: true }] : [];
  return { ended: before, open: table };
}

function startsBlock(line: Line): Segment | null {
  const found = interrupting(line);
  if (found || line.indent > 3) return found;
  const item = itemAt(line);
  // A number may only begin a list inside a paragraph if it is 1: "the year\n1984. It was" is prose.
  return item && (item.mark.length === 1 || line.text.startsWith("1")) && /\s/.test(line.text) ? item : null;
}

function afterItem(open: Segment, line: Line): Segment | null {
  if (line.indent >= open.column) return joined(open, line);
  const next = interrupting(line) ?? itemAt(line) ?? (RULE.test(line.text) ? beginning(line) : null);
  if (next) return next;
  return open.blanks > 0 ? beginning(line) : joined(open, line);
}

function afterText(open: Segment, line: Line): Segment {
  if (open.kind === "indented") {
    return line.indent > 3 ? joined(open, line) : beginning(line);
  }
  if (open.blanks > 0) return beginning(line);
  if (open.kind === "quote" && line.indent <= 3 && line.text.startsWith(">")) return joined(open, line);
  return startsBlock(line) ?? (open.kind === "quote" && RULE.test(line.text) ? beginning(line) : joined(open, line));
}

function afterTable(line: Line): Segment {
  return startsBlock(line) ?? begun("row", line, { complete: true });
}

function blankLine(open: Segment): Segment {
  const ends = ["math", "quote", "table", "row", "prose"].includes(open.kind);
  return { ...open, blanks: open.blanks + 1, complete: open.complete || ends };
}

function following(open: Segment, line: Line): Segment {
  if (open.complete) {
    const inTable = (open.kind === "table" || open.kind === "row") && open.blanks === 0;
    return inTable ? afterTable(line) : beginning(line);
  }
  if (open.kind === "item") return afterItem(open, line) ?? beginning(line);
  if (open.kind === "math") {
    const tooLong = line.end - open.start > LONGEST_MATH;
    return joined(open, line, { complete: line.ending.endsWith(closerOf(open.mark)) || tooLong });
  }
  return afterText(open, line);
}

/**
 * Return what one more line makes of the block that is open.
 *
 * source: the text so far; start, end: the line in it, its line feed included if it has come.
 */
export function step(open: Segment | null, source: string, start: number, end: number): Step {
  const line = lineAt(source, start, end);
  countParsed(Math.min(end - start, GLANCE));
  if (open?.kind === "code" && !open.complete) return { ended: [], open: continuedCode(open, line) };
  if (line.blank) return { ended: [], open: open && blankLine(open) };
  if (!open) return { ended: [], open: beginning(line) };
  const table = open.kind === "prose" && !open.complete ? tableFrom(open, line, source) : null;
  if (table) return table;
  const next = following(open, line);
  return next.start === open.start ? { ended: [], open: next } : { ended: [open], open: next };
}
