import bash from "highlight.js/lib/languages/bash";
import c from "highlight.js/lib/languages/c";
import css from "highlight.js/lib/languages/css";
import go from "highlight.js/lib/languages/go";
import java from "highlight.js/lib/languages/java";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import python from "highlight.js/lib/languages/python";
import rust from "highlight.js/lib/languages/rust";
import sql from "highlight.js/lib/languages/sql";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";
import { createLowlight } from "lowlight";

const lowlight = createLowlight({
  bash, c, css, go, java, javascript, json, python, rust, sql, typescript, xml, yaml,
});

/** A run of code in one colour, or runs inside one another. */
export type Run = string | { readonly className: string; readonly runs: readonly Run[] };

interface Node {
  readonly type: string;
  readonly value?: string;
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly children?: readonly Node[];
}

function runOf(node: Node): Run {
  if (node.type === "text") return node.value ?? "";
  const names = node.properties?.className;
  const className = Array.isArray(names) ? names.filter((name) => /^hljs-[\w-]+$/.test(String(name))).join(" ") : "";
  return { className, runs: (node.children ?? []).map(runOf) };
}

/** Return the runs of `code`, or null for a language that is not known here. */
export function highlighted(code: string, language: string): readonly Run[] | null {
  if (!lowlight.registered(language)) return null;
  const root: Node = lowlight.highlight(language, code);
  return (root.children ?? []).map(runOf);
}
