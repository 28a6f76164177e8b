import { Fragment, memo, type ReactNode } from "react";
import type { Token, Tokens } from "marked";

import { addressOf, pictureBytes } from "./address";
import { blocks as drawnTokens, listItem, tableFrame, tableRow, withRest } from "./blocks";
import { CodeBlock } from "./CodeBlock";
import type { Block } from "./document";
import { ExternalLink } from "./ExternalLink";
import { isSameGroup, type Group } from "./groups";
import { Picture } from "./Picture";
import { sanitised } from "./sanitise";
import { shown } from "./text";

function isUnchanged(one: { readonly block: Block }, other: { readonly block: Block }): boolean {
  return one.block.content === other.block.content && one.block.rest === other.block.rest;
}

function picture(label: string, source: string): ReactNode {
  const name = shown(label);
  if (pictureBytes(source) !== null) return <p><Picture label={name} source={source} /></p>;
  return <p>{addressOf(source) ? <ExternalLink href={source}>{name}</ExternalLink> : name}</p>;
}

function drawn(block: Block): ReactNode {
  const { content, rest } = block;
  if (content.as === "tokens") return drawnTokens(withRest(content.tokens, rest));
  if (content.as === "code") return <CodeBlock code={content.code} language={content.language} closed={content.closed} />;
  return content.as === "picture" ? picture(content.label, content.source) : null;
}

const Single = memo(function Single({ block }: { readonly block: Block }) {
  return <>{sanitised(drawn(block))}</>;
}, isUnchanged);

/** Items whose text the lexer reads as something else than a list stand in an item of their own. */
function items(tokens: readonly Token[]): ReactNode {
  const isList = tokens.every((token) => token.type === "list" || token.type === "space");
  if (!isList) return <li className="md-unmarked">{drawnTokens(tokens)}</li>;
  const found = tokens.flatMap((token) => (token.type === "list" ? (token as Tokens.List).items : []));
  return found.map((item, index) => <Fragment key={index}>{listItem(item)}</Fragment>);
}

const Item = memo(function Item({ block }: { readonly block: Block }) {
  const tokens = block.content.as === "tokens" ? block.content.tokens : [];
  return <>{sanitised(items(withRest(tokens, block.rest)))}</>;
}, isUnchanged);

function List({ blocks, start }: { readonly blocks: readonly Block[]; readonly start: number }) {
  const first = blocks[0];
  const children = blocks.map((block) => <Item key={block.key} block={block} />);
  if (!first?.segment.mark.startsWith("1")) return <ul>{children}</ul>;
  return <ol start={start}>{children}</ol>;
}

interface RowProps {
  readonly block: Block;
  readonly header: Block;
}

const Row = memo(
  function Row({ block, header }: RowProps) {
    const { content } = block;
    const align = header.content.as === "header" ? header.content.align : [];
    if (content.as !== "cells" && content.as !== "header") return null;
    return <>{sanitised(tableRow(content.cells, align, content.as === "header"))}</>;
  },
  (one, other) => isUnchanged(one, other) && one.header.content === other.header.content,
);

function Table({ blocks }: { readonly blocks: readonly Block[] }) {
  const [header, ...rows] = blocks;
  if (!header) return null;
  const body = rows.map((block) => <Row key={block.key} block={block} header={header} />);
  return tableFrame(<Row block={header} header={header} />, body);
}

/** Return one group drawn. */
export const GroupView = memo(
  function GroupView({ group }: { readonly group: Group }) {
    const [first] = group.blocks;
    if (!first) return null;
    if (group.kind === "list") return <List blocks={group.blocks} start={group.start} />;
    return group.kind === "table" ? <Table blocks={group.blocks} /> : <Single block={first} />;
  },
  ({ group: one }, { group: other }) => isSameGroup(one, other),
);
