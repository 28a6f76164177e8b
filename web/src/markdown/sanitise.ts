import { Children, Fragment, isValidElement, type ElementType, type ReactElement, type ReactNode } from "react";

import { isShowable } from "./text";

/**
 * The last look at what is about to be shown.
 *
 * Whatever the lexer and the code before did, only these elements with these attributes leave. Anything else is a bug
 * of ours or a trick of a model: it stops the program in development and tests, and is left out in production.
 */
const TAGS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    p: ["className", "dir"], h3: ["dir"], h4: ["dir"], h5: ["dir"], h6: ["dir"],
    strong: [], em: [], del: [], br: [], hr: [], code: ["className", "dir"], blockquote: ["dir"],
    ul: ["className"], ol: ["start"], li: ["className", "dir"],
    span: ["className", "role", "aria-label", "dir"], div: ["className", "role", "tabIndex", "aria-label", "dir"],
    table: [], thead: [], tbody: [], tr: [], th: ["className", "scope", "dir"], td: ["className", "dir"],
  }).map(([tag, names]) => [tag, new Set(names)]),
);
const CLASSES = /^(?:md|hljs)-[\w-]+(?: (?:md|hljs)-[\w-]+)*$/;

type Rule = (props: Readonly<Record<string, unknown>>) => boolean;
const COMPONENTS = new Map<unknown, Rule>();

export class UnsafeElement extends Error {}

/** Let `component` into answers as long as `rule` holds for its properties. */
export function admit<Props extends object>(component: ElementType<Props>, rule: (props: Props) => boolean): void {
  COMPONENTS.set(component, rule as Rule);
}

function refused(reason: string): null {
  if (import.meta.env.PROD) return null;
  throw new UnsafeElement(reason);
}

function isPlain(value: unknown): boolean {
  return typeof value === "number" || typeof value === "boolean" || (typeof value === "string" && isShowable(value));
}

function hasAllowedProps(tag: string, props: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(props).every(([name, value]) => {
    if (name === "children" || value === undefined) return true;
    if (!TAGS.get(tag)?.has(name) || !isPlain(value)) return false;
    return name !== "className" || (typeof value === "string" && CLASSES.test(value));
  });
}

function isAllowed({ type, props }: ReactElement<Readonly<Record<string, unknown>>>): boolean {
  if (type === Fragment) return true;
  if (typeof type === "string") return TAGS.has(type) && hasAllowedProps(type, props);
  return COMPONENTS.get(type)?.(props) ?? false;
}

function nameOf(type: unknown): string {
  return typeof type === "string" ? type : "a component";
}

/** Return `node` if all of it may be shown; throw UnsafeElement, or leave out in production, if some of it may not. */
export function sanitised(node: ReactNode): ReactNode {
  if (node === null || node === undefined || typeof node === "boolean" || typeof node === "number") return node;
  if (typeof node === "string") return isShowable(node) ? node : refused("text with invisible characters");
  if (Array.isArray(node)) return (node as readonly ReactNode[]).map(sanitised);
  if (!isValidElement<{ children?: ReactNode }>(node)) return refused("something that is no element");
  if (!isAllowed(node as ReactElement<Readonly<Record<string, unknown>>>)) return refused(`${nameOf(node.type)} with what it must not have`);
  const clean = Children.toArray(node.props.children).every((child) => sanitised(child) !== null);
  return clean ? node : refused(`${nameOf(node.type)} with unsafe content`);
}
