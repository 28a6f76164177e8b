import { act, cleanup, render } from "@testing-library/react";
import { afterEach, describe, expect, test } from "vitest";

import hostile from "../../tests-render/payloads.json";
import { AppendBuffer } from "../streams/buffer";
import { Markdown, StreamingMarkdown } from "./Markdown";

afterEach(cleanup);

function drawn(text: string): HTMLElement {
  return render(<Markdown text={text} />).container;
}

function streamed(text: string, piece: number): HTMLElement {
  const buffer = new AppendBuffer("", (flush) => flush());
  const { container } = render(<StreamingMarkdown buffer={buffer} />);
  for (let at = 0; at < text.length; at += piece) {
    act(() => {
      buffer.append(text.slice(at, at + piece));
    });
  }
  act(() => {
    buffer.close();
  });
  return container;
}

describe("Markdown becomes elements", () => {
  test.each([
    ["headings stand below those of the page", "# One\n\n## Two", "h3, h4", ["One", "Two"]],
    ["emphasis", "a **b** *c* ~~d~~ `e`", "strong, em, del, p > code", ["b", "c", "d", "e"]],
    ["lists keep their nesting", "- a\n  - b\n- c", "ul ul > li", ["b"]],
    ["a numbered list keeps its start", "3. a\n4. b", "ol[start='3'] > li", ["a", "b"]],
    ["columns keep their side", "| a | b |\n|:-:|--:|\n| 1 | 2 |", "td.md-center, td.md-right", ["1", "2"]],
    ["tasks", "- [x] a\n- [ ] b", ".md-task", ["☑", "☐"]],
    ["quotations", "> a\n> > b", "blockquote blockquote p", ["b"]],
    ["references are resolved from below", "[a][1]\n\n[1]: https://example.com/", ".md-link", ["a"]],
    ["character references", "a &lt;b&gt; &amp; &#65;", "p", ["a <b> & A"]],
    ["HTML is text", "a <b>b</b>", "p", ["a <b>b</b>"]],
    ["a break in a cell", "| a |\n|---|\n| x<br>y |", "td br", [""]],
    ["money is no formula", "It is $5 and $6, or US$7.", "p", ["It is $5 and $6, or US$7."]],
    ["formulas show their source until they are drawn", "a $x^2$ b", ".md-tex", ["$x^2$"]],
    ["formulas in brackets", "a \\(x\\) b\n\n\\[\ny\n\\]", ".md-tex", ["\\(x\\)", "\\[\ny\n\\]"]],
    ["code with its language", "```js\nlet a;\n```", ".md-language, pre", ["js", "let a;"]],
    ["an open fence is code", "```\nlet", "pre", ["let"]],
    ["a link that may not be opened shows where it leads", "[a](javascript:x)", "p", ["a (javascript:x)"]],
    ["a picture from elsewhere is not loaded", "![a](https://example.com/i.png)", ".md-refused", ["a (not loaded: https://example.com/i.png)"]],
  ])("%s", (_name, text, selector, expected) => {
    const found = [...drawn(text).querySelectorAll(selector)].map((element) => element.textContent);
    expect(found).toEqual(expected);
  });
});

describe("every payload passes the last look, at once and in pieces (W7)", () => {
  test.each(hostile.classes)("$name", ({ payloads }) => {
    for (const text of payloads) {
      const whole = drawn(text).firstElementChild;
      const pieces = streamed(text, 3).firstElementChild;
      pieces?.removeAttribute("aria-busy");
      expect(whole !== null && (pieces?.isEqualNode(whole) ?? false), text).toBe(true);
      cleanup();
    }
  });
});
