import { Fragment, type ReactNode } from "react";
import type { MarkedToken, Token, Tokens } from "marked";

import { CodeBlock } from "./CodeBlock";
import { DEEPEST, inline } from "./inline";
import type { MathToken, PlainToken } from "./lex";
import { Pieces } from "./Pieces";
import { shown } from "./text";
import { markdownWords as words } from "./words";

type Known = MarkedToken | MathToken | PlainToken;
const HEADINGS = ["h3", "h4", "h5", "h6"] as const;

/** Headings of an answer stand below those of the page, which has one h1 and its h2. */
function heading(token: Tokens.Heading): ReactNode {
  const Tag = HEADINGS[Math.min(token.depth, HEADINGS.length) - 1] ?? "h6";
  return <Tag dir="auto">{inline(token.tokens)}</Tag>;
}

export type CellAlign = "left" | "center" | "right" | null;

/** Return one row of a table. */
export function tableRow(cells: readonly (readonly Token[])[], align: readonly CellAlign[], header: boolean): ReactNode {
  const columns = align.map((side, index) => {
    const className = side ? `md-${side}` : undefined;
    const content = inline(cells[index] ?? []);
    return header ? (
      <th key={index} scope="col" className={className} dir="auto">
        {content}
      </th>
    ) : (
      <td key={index} className={className} dir="auto">
        {content}
      </td>
    );
  });
  return <tr>{columns}</tr>;
}

function table(token: Tokens.Table): ReactNode {
  const head = tableRow(token.header.map((cell) => cell.tokens), token.align, true);
  const rows = token.rows.map((cells, index) => (
    <Fragment key={index}>{tableRow(cells.map((cell) => cell.tokens), token.align, false)}</Fragment>
  ));
  return tableFrame(head, rows);
}

/** A table scrolls sideways by itself, never the page. */
export function tableFrame(head: ReactNode, rows: ReactNode): ReactNode {
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reachable by key
    <div className="md-table" role="region" tabIndex={0} aria-label={words.table}>
      <table>
        <thead>{head}</thead>
        <tbody>{rows}</tbody>
      </table>
    </div>
  );
}

function list(token: Tokens.List, depth: number): ReactNode {
  const items = token.items.map((item, index) => <Fragment key={index}>{listItem(item, depth)}</Fragment>);
  return token.ordered ? <ol start={typeof token.start === "number" ? token.start : 1}>{items}</ol> : <ul>{items}</ul>;
}

/** Return one item of a list; its first line stands beside its marker, without a paragraph of its own. */
export function listItem(item: Tokens.ListItem, depth = 0): ReactNode {
  const content = item.tokens.map((token, index) => {
    const isLine = token.type === "text" || token.type === "checkbox" || (token.type === "paragraph" && index <= 1);
    const node = isLine ? inline([asText(token)]) : block(token, depth + 1);
    return <Fragment key={index}>{node}</Fragment>;
  });
  return (
    <li className={item.task ? "md-task-item" : undefined} dir="auto">
      {content}
    </li>
  );
}

function asText(token: Token): Token {
  return token.type === "paragraph" ? ({ ...token, type: "text" }) : token;
}

function plain(text: string): ReactNode {
  return (
    <p className="md-plain" dir="auto">
      <Pieces text={text} />
    </p>
  );
}

function block(token: Token, depth: number): ReactNode {
  const known = token as Known;
  if (depth > DEEPEST) return plain(token.raw);
  switch (known.type) {
    case "space":
    case "def":
      return null;
    case "heading":
      return heading(known);
    case "hr":
      return <hr />;
    case "blockquote":
      return <blockquote dir="auto">{blocks(known.tokens, depth + 1)}</blockquote>;
    case "list":
      return list(known, depth);
    case "table":
      return table(known);
    case "code":
      return <CodeBlock code={known.text} language={known.lang?.split(/\s/)[0]?.slice(0, 40) ?? ""} closed />;
    case "html":
      return plain(known.text.trimEnd());
    case "plain":
      return plain(known.text);
    case "paragraph":
      return <p dir="auto">{inline(known.tokens)}</p>;
    case "text":
      return <p dir="auto">{inline(known.tokens ?? [known])}</p>;
    case "formula":
      return <div className="md-block-formula">{inline([token])}</div>;
    default:
      return <p dir="auto">{shown(token.raw)}</p>;
  }
}

/** Return what block tokens look like. */
export function blocks(tokens: readonly Token[], depth = 0): ReactNode {
  return tokens.map((token, index) => <Fragment key={index}>{block(token, depth)}</Fragment>);
}

const HOLDS_TEXT = new Set(["paragraph", "text", "heading"]);

/** Return `tokens` with words that are not parsed yet at the end of their last line of text. */
export function withRest(tokens: readonly Token[], rest: string): readonly Token[] {
  const last = tokens.at(-1);
  if (!rest || !last) return tokens;
  const tail = { type: "text", raw: rest, text: rest } as Token;
  const before = tokens.slice(0, -1);
  const inner = "tokens" in last ? last.tokens : undefined;
  if (HOLDS_TEXT.has(last.type)) return [...before, { ...last, tokens: [...(inner ?? [asLeaf(last)]), tail] }];
  if (last.type === "blockquote" || last.type === "list_item") {
    return [...before, { ...last, tokens: [...withRest(inner ?? [], rest)] }];
  }
  if (last.type === "list") {
    const items = withRest((last as Tokens.List).items, rest) as Tokens.ListItem[];
    return [...before, { ...last, items }];
  }
  if (last.type === "plain") return [...before, { ...last, text: `${(last as unknown as PlainToken).text}${rest}` }];
  return last.type === "space" ? withRest(before, rest) : tokens;
}

function asLeaf(token: Tokens.Generic): Token {
  return { type: "text", raw: token.raw, text: (token.text as string | undefined) ?? token.raw };
}
