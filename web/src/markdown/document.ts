import type { Token } from "marked";

import { definitionIn, definitionsFrom, isTooLong, lexBlock, lexLine, type Definitions } from "./lex";
import { cellsOf, step, type Segment, type Step } from "./segments";

/** One block as it is shown. The same object means the same block: what has ended is drawn once. */
export interface Block {
  readonly key: number;
  readonly segment: Segment;
  readonly raw: string;
  readonly content: Content;
  /** Text that came after the content was parsed; shown as it is until the next parse. */
  readonly rest: string;
}

export type Content =
  | { readonly as: "tokens"; readonly tokens: readonly Token[] }
  | { readonly as: "cells"; readonly cells: readonly (readonly Token[])[] }
  | { readonly as: "header"; readonly cells: readonly (readonly Token[])[]; readonly align: readonly Align[] }
  | { readonly as: "code"; readonly language: string; readonly code: string; readonly closed: boolean }
  | { readonly as: "picture"; readonly label: string; readonly source: string }
  | { readonly as: "nothing" };

export type Align = "left" | "center" | "right" | null;

/**
 * How many characters may be parsed for each that arrives. A long open paragraph is parsed again only when it has
 * earned that; until then its newest words stand behind it unparsed. At five characters a token this stays below 125.
 */
const WORK_PER_CHARACTER = 24;
const MOST_SAVED = 40_000;
/** A line this long begins what it begins: it is looked at again only when it has grown by half. */
const SETTLED_LINE = 64;
const MOST_COLUMNS = 64;
const MOST_DEFINITIONS = 500;

const NOTHING: Content = { as: "nothing" };
const NONE = definitionsFrom(new Map());

function alignOf(cell: string): Align {
  const left = cell.startsWith(":");
  const right = cell.endsWith(":");
  if (left && right) return "center";
  if (left) return "left";
  return right ? "right" : null;
}

function row(text: string, definitions: Definitions): (readonly Token[])[] {
  return cellsOf(text)
    .slice(0, MOST_COLUMNS)
    .map((cell) => lexLine(cell, definitions));
}

function codeContent(segment: Segment, source: string): Content {
  const info = source.slice(segment.start, segment.inner).trim().slice(segment.mark.length).trim();
  const end = segment.complete ? segment.last : segment.end;
  const body = source.slice(Math.min(segment.inner, end), end).replace(/\r\n?/g, "\n").replace(/\n$/, "");
  const code = segment.column > 0 ? body.replace(new RegExp(`^ {1,${segment.column}}`, "gm"), "") : body;
  return { as: "code", language: info.split(/\s/)[0]?.slice(0, 40) ?? "", code, closed: segment.complete };
}

function pictureContent(raw: string): Content {
  const middle = raw.indexOf("](");
  const inside = raw.slice(middle + 2, raw.lastIndexOf(")"));
  return { as: "picture", label: raw.trimStart().slice(2, middle), source: inside.split(/\s/)[0] ?? "" };
}

function contentOf(segment: Segment, source: string, definitions: Definitions): Content {
  const raw = source.slice(segment.start, segment.end);
  switch (segment.kind) {
    case "code":
      return codeContent(segment, source);
    case "table": {
      const align = cellsOf(source.slice(segment.inner, segment.end)).slice(0, MOST_COLUMNS).map(alignOf);
      return { as: "header", cells: row(source.slice(segment.start, segment.inner), definitions), align };
    }
    case "row":
      return { as: "cells", cells: row(raw, definitions) };
    case "picture":
      return pictureContent(raw);
    case "definition":
      return NOTHING;
    default:
      return { as: "tokens", tokens: lexBlock(raw, definitions) };
  }
}

function blockOf(segment: Segment, source: string, definitions: Definitions = NONE): Block {
  const raw = source.slice(segment.start, segment.end);
  return { key: segment.start, segment, raw, content: contentOf(segment, source, definitions), rest: "" };
}

/** Blocks whose content costs no lexing and may follow each character. */
function isFree(segment: Segment): boolean {
  return segment.kind === "code" || segment.kind === "definition" || isTooLong(segment.end - segment.start);
}

function isSame(one: Segment, other: Segment): boolean {
  return one.kind === other.kind && one.end === other.end && one.inner === other.inner;
}

/**
 * A text that grows, and its blocks.
 *
 * `update` takes the whole text so far; what it already knows is not parsed again. `finish` ends the last block and
 * resolves references, whose addresses usually stand at the end. After it the blocks depend on the text alone, not on
 * the pieces in which it came.
 */
export class LiveDocument {
  private source = "";
  private lineStart = 0;
  private open: Segment | null = null;
  private ended: Block[] = [];
  private credit = 0;
  private guess: { readonly step: Step; readonly length: number } | null = null;
  private shownOpen = new Map<number, Block>();
  private finished = false;

  update(text: string): void {
    if (this.finished || !this.continues(text)) this.reset();
    const grown = text.length - this.source.length;
    this.source = text;
    this.credit = Math.min(MOST_SAVED, this.credit + grown * WORK_PER_CHARACTER);
    for (let at = text.indexOf("\n", this.lineStart); at !== -1; at = text.indexOf("\n", this.lineStart)) {
      this.take(at + 1);
    }
  }

  finish(): void {
    if (this.finished) return;
    if (this.lineStart < this.source.length) this.take(this.source.length);
    if (this.open) this.end(this.open);
    this.open = null;
    this.finished = true;
    this.resolveReferences();
  }

  /** Return the blocks as they can be shown now. */
  blocks(): readonly Block[] {
    if (this.lineStart >= this.source.length) return this.open ? [...this.ended, this.draft(this.open)] : [...this.ended];
    const { ended, open } = this.guessed();
    const drafts = [...ended, ...(open ? [open] : [])].map((segment) => this.draft(segment));
    return [...this.ended, ...drafts];
  }

  private continues(text: string): boolean {
    const known = this.source.length;
    return text.length >= known && text.slice(known - 64, known) === this.source.slice(-64);
  }

  private reset(): void {
    this.source = "";
    this.lineStart = 0;
    this.open = null;
    this.ended = [];
    this.guess = null;
    this.shownOpen.clear();
    this.finished = false;
  }

  private take(end: number): void {
    const taken = step(this.open, this.source, this.lineStart, end);
    for (const segment of taken.ended) this.end(segment);
    this.open = taken.open;
    this.lineStart = end;
    this.guess = null;
  }

  private end(segment: Segment): void {
    const shown = this.shownOpen.get(segment.start);
    const same = shown && isSame(shown.segment, segment) && !isFree(segment);
    this.ended.push(same ? { ...shown, segment } : blockOf(segment, this.source));
    this.shownOpen.delete(segment.start);
  }

  /** What the line that has not ended yet seems to become; a guess, made anew while the line is short. */
  private guessed(): Step {
    const length = this.source.length - this.lineStart;
    const inCode = this.open?.kind === "code" && !this.open.complete;
    if (this.guess && length > SETTLED_LINE && length < this.guess.length * 1.5) return this.stretched(this.guess.step);
    if (this.open && inCode && !/^\s*[`~]/.test(this.source.slice(this.lineStart, this.lineStart + 8))) {
      return { ended: [], open: { ...this.open, end: this.source.length } };
    }
    this.guess = { step: step(this.open, this.source, this.lineStart, this.source.length), length };
    return this.guess.step;
  }

  private stretched({ ended, open }: Step): Step {
    return { ended, open: open && { ...open, end: this.source.length } };
  }

  private draft(segment: Segment): Block {
    const before = this.shownOpen.get(segment.start);
    const same = before?.segment.kind === segment.kind ? before : undefined;
    if (same && same.segment.end === segment.end && same.segment.complete === segment.complete) return same;
    const cost = isFree(segment) ? 0 : segment.end - segment.start;
    if (same && cost > this.credit) return this.withRest(same, segment.end);
    this.credit = Math.max(0, this.credit - cost);
    const block = blockOf(segment, this.source);
    this.shownOpen.set(segment.start, block);
    return block;
  }

  private withRest(block: Block, end: number): Block {
    return { ...block, rest: this.source.slice(block.segment.end, end).replace(/\s+/g, " ") };
  }

  private resolveReferences(): void {
    const found = new Map<string, string>();
    for (const { segment, raw } of this.ended) {
      const pair = segment.kind === "definition" && found.size < MOST_DEFINITIONS ? definitionIn(raw) : null;
      if (pair && !found.has(pair[0])) found.set(...pair);
    }
    if (found.size === 0) return;
    const definitions = definitionsFrom(found);
    this.ended = this.ended.map((block) =>
      block.raw.includes("[") && !isFree(block.segment) ? blockOf(block.segment, this.source, definitions) : block,
    );
  }
}

/** Return the blocks of a finished text. */
export function blocksOf(text: string): readonly Block[] {
  const document = new LiveDocument();
  document.update(text);
  document.finish();
  return document.blocks();
}
