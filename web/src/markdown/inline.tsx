import { Fragment, type ReactNode } from "react";
import type { MarkedToken, Token, Tokens } from "marked";

import { addressOf, pictureBytes } from "./address";
import { resolved } from "./entities";
import { ExternalLink } from "./ExternalLink";
import { Formula } from "./Formula";
import type { MathToken } from "./lex";
import { Picture } from "./Picture";
import { shown } from "./text";
import { markdownWords as words } from "./words";

/** Deeper than anybody writes; what lies deeper is shown as its source. */
export const DEEPEST = 24;
const LONGEST_SHOWN_ADDRESS = 300;
const BREAK = /^<br\s*\/?>$/i;

function visibleAddress(href: string): string {
  const text = shown(href);
  return text.length > LONGEST_SHOWN_ADDRESS ? `${text.slice(0, LONGEST_SHOWN_ADDRESS)}…` : text;
}

function linkOf(token: Tokens.Link, depth: number): ReactNode {
  const href = token.autolink ? token.href : resolved(token.href);
  const address = addressOf(href);
  const label = inline(token.tokens, depth + 1);
  // A picture may bring buttons of its own, and a button holds no other: its link stands behind it.
  const holdsPicture = token.raw.includes("![");
  if (address && !holdsPicture) return <ExternalLink href={href}>{label}</ExternalLink>;
  if (address) return <>{label} <ExternalLink href={href}>{visibleAddress(href)}</ExternalLink></>;
  // It leads nowhere from here, so the reader sees where it would have led.
  return (
    <>
      {label} <span className="md-refused">({visibleAddress(href)})</span>
    </>
  );
}

function pictureOf(token: Tokens.Image): ReactNode {
  const href = resolved(token.href);
  const label = shown(resolved(token.text));
  if (pictureBytes(href) !== null) return <Picture label={label} source={href} />;
  const name = label || words.picture;
  const where = `(${words.pictureNotShown}: ${visibleAddress(href)})`;
  return (
    <span className="md-refused">
      {addressOf(href) ? <ExternalLink href={href}>{name}</ExternalLink> : name} {where}
    </span>
  );
}

function formulaOf(token: MathToken): ReactNode {
  return <Formula tex={shown(token.tex)} source={shown(token.raw.trim())} display={token.display} />;
}

function checkboxOf(checked: boolean): ReactNode {
  return (
    <span className="md-task" role="img" aria-label={checked ? words.done : words.open}>
      {checked ? "☑" : "☐"}
    </span>
  );
}

function nodeOf(token: Token, depth: number): ReactNode {
  const known = token as MarkedToken | MathToken;
  const inner = () => inline("tokens" in token ? (token.tokens ?? []) : [], depth + 1);
  switch (known.type) {
    case "strong":
      return <strong>{inner()}</strong>;
    case "em":
      return <em>{inner()}</em>;
    case "del":
      return <del>{inner()}</del>;
    case "codespan":
      return <code dir="ltr">{shown(known.text)}</code>;
    case "br":
      return <br />;
    case "link":
      return linkOf(known, depth);
    case "image":
      return pictureOf(known);
    case "formula":
      return formulaOf(known);
    case "checkbox":
      return checkboxOf(known.checked);
    case "escape":
      return shown(known.text);
    case "text":
      return known.tokens ? inner() : shown(resolved(known.text));
    default:
      // HTML, and whatever else the lexer may learn one day, is text.
      return BREAK.test(token.raw) ? <br /> : shown(token.raw);
  }
}

/** Return what inline tokens look like. */
export function inline(tokens: readonly Token[], depth = 0): ReactNode {
  if (depth > DEEPEST) return shown(tokens.map((token) => token.raw).join(""));
  return tokens.map((token, index) => <Fragment key={index}>{nodeOf(token, depth)}</Fragment>);
}
