import { createElement } from "react";
import { expect, test } from "vitest";

import { CodeBlock } from "./CodeBlock";
import { ExternalLink } from "./ExternalLink";
import { sanitised, UnsafeElement } from "./sanitise";

function Stranger() {
  return null;
}

test.each([
  ["an element that is not on the list", createElement("script")],
  ["one hidden in another", createElement("p", null, createElement("iframe"))],
  ["an anchor", createElement("a", { href: "https://example.com/" })],
  ["a handler", createElement("p", { onClick: () => undefined })],
  ["markup as a string", createElement("p", { dangerouslySetInnerHTML: { __html: "x" } })],
  ["a style", createElement("p", { style: { color: "red" } })],
  ["an id", createElement("p", { id: "root" })],
  ["a class of the app", createElement("p", { className: "danger" })],
  ["a component that nobody admitted", createElement(Stranger)],
  ["a link that may not be opened", createElement(ExternalLink, { href: "javascript:x" })],
  ["text with invisible characters", "a\u202eb"],
  ["an object", { type: "p" } as never],
])("%s does not pass", (_name, node) => {
  expect(() => sanitised(node)).toThrow(UnsafeElement);
});

test.each([
  ["text", "plain"],
  ["a table's cell", createElement("td", { className: "md-right", dir: "auto" }, "1")],
  ["code", createElement(CodeBlock, { code: "x", language: "js", closed: true })],
  ["a link", createElement(ExternalLink, { href: "https://example.com/" }, "x")],
  ["nothing", null],
])("%s passes", (_name, node) => {
  expect(sanitised(node)).toEqual(node);
});
