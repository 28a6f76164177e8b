import type { ReactNode } from "react";

import { Markdown, shown, StreamingMarkdown } from "../src/markdown";
import { TestBuffer } from "./text";

/** One place where text of a model, a page or a person appears. */
export interface Sink {
  readonly name: string;
  readonly draw: (text: string) => { readonly node: ReactNode; readonly buffer?: TestBuffer; readonly piece?: number };
}

function stream(piece: number): Sink["draw"] {
  return () => {
    const buffer = new TestBuffer();
    return { node: <StreamingMarkdown buffer={buffer} />, buffer, piece };
  };
}

function snippet(text: string): ReactNode {
  const middle = Math.floor(text.length / 2);
  return (
    <p>
      {shown(text.slice(0, middle))}
      <mark>{shown(text.slice(middle, middle + 8))}</mark>
      {shown(text.slice(middle + 8))}
    </p>
  );
}

export const sinks: readonly Sink[] = [
  { name: "chosen answer", draw: (text) => ({ node: <Markdown text={text} /> }) },
  { name: "stream, one character a piece", draw: stream(1) },
  { name: "stream, seven characters a piece", draw: stream(7) },
  { name: "stream, two pieces", draw: stream(Number.POSITIVE_INFINITY) },
  { name: "member name", draw: (text) => ({ node: <span className="name" title={shown(text)}>{shown(text)}</span> }) },
  { name: "title", draw: (text) => ({ node: <h2 aria-label={shown(text)}>{shown(text)}</h2> }) },
  { name: "code block", draw: (text) => ({ node: <Markdown text={`\`\`\`${text.replaceAll("\n", " ")}\n${text}\n\`\`\``} /> }) },
  { name: "table cell", draw: (text) => ({ node: <Markdown text={`| a | b |\n|---|---|\n| ${text.replaceAll("\n", " ")} | x |`} /> }) },
  { name: "memory chip", draw: (text) => ({ node: <button type="button">{shown(text)}</button> }) },
  { name: "search snippet", draw: (text) => ({ node: snippet(text) }) },
  { name: "error text", draw: (text) => ({ node: <p role="alert">{shown(text)}</p> }) },
];
