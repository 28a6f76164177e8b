import type { Block } from "./document";

/** Blocks that are one thing on the page: the items of a list, the rows of a table, or a block by itself. */
export interface Group {
  readonly key: number;
  readonly kind: "list" | "table" | "single";
  readonly blocks: readonly Block[];
  /** list with numbers: that of its first item. */
  readonly start: number;
}

/** Groups that stand together for the browser: all but the last are left alone while a text grows. */
export type Page = readonly Group[];

/** A long list is drawn in parts, so that a new item does not lay out all others again. */
const MOST_ITEMS = 24;
const MOST_BLOCKS_A_PAGE = 48;

function joins(group: Group, block: Block): boolean {
  const { kind, mark } = block.segment;
  if (group.kind === "list") return kind === "item" && group.blocks[0]?.segment.mark === mark;
  return group.kind === "table" && kind === "row";
}

function kindOf(block: Block): Group["kind"] {
  if (block.segment.kind === "item") return "list";
  return block.segment.kind === "table" ? "table" : "single";
}

function numberOf(block: Block): number {
  return Number.parseInt(block.raw.trimStart().slice(0, 9), 10) || 0;
}

/** Return the groups of `blocks`, in order. */
export function groupsOf(blocks: readonly Block[]): readonly Group[] {
  const groups: (Group & { readonly blocks: Block[] })[] = [];
  for (const block of blocks) {
    const last = groups.at(-1);
    if (block.content.as === "nothing") continue;
    const joined = last !== undefined && joins(last, block);
    if (joined && (last.kind === "table" || last.blocks.length < MOST_ITEMS)) last.blocks.push(block);
    else groups.push({ key: block.key, kind: kindOf(block), blocks: [block], start: joined ? last.start + last.blocks.length : numberOf(block) });
  }
  return groups;
}

/** Return `groups` in pages; where one ends depends on what stands before it alone. */
export function pagesOf(groups: readonly Group[]): readonly Page[] {
  const pages: Group[][] = [];
  let size = MOST_BLOCKS_A_PAGE;
  for (const group of groups) {
    if (size >= MOST_BLOCKS_A_PAGE) {
      pages.push([]);
      size = 0;
    }
    pages.at(-1)?.push(group);
    size += group.blocks.length;
  }
  return pages;
}

/** Return whether two groups hold the very same blocks. */
export function isSameGroup(one: Group, other: Group | undefined): boolean {
  return other !== undefined && one.blocks.length === other.blocks.length && one.blocks.every((block, index) => block === other.blocks[index]);
}
