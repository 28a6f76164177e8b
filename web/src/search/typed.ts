/** What may stand before a colon, in the order in which it is offered. */
export const FILTERS = ["project", "model", "domain", "before", "after"] as const;
export type Filter = (typeof FILTERS)[number];

const NAMES = FILTERS.join("|");
/** A filter at the end that is being typed: its name, and what there is of its value. */
const OPEN = new RegExp(`(?:^|\\s)(${NAMES}):("?)([^"]*)$`, "iu");
const WHOLE = new RegExp(`(?:^|\\s)-?(?:${NAMES}):(?:"[^"]*"?|\\S*)`, "giu");

/** The filter that is being typed at the end of `text`, or null. A value without quotes ends at the first blank. */
export function openFilter(text: string): { filter: Filter; value: string } | null {
  const match = OPEN.exec(text);
  const filter = FILTERS.find((each) => each === match?.[1]?.toLowerCase());
  const value = match?.[3] ?? "";
  if (filter === undefined || (match?.[2] === "" && /\s/u.test(value))) return null;
  return { filter, value };
}

/** `text` with the filter at its end filled in, and a blank, so that one types on. */
export function filled(text: string, value: string): string {
  const start = text.replace(/:"?[^":]*$/u, ":");
  return `${start}${/\s/u.test(value) ? `"${value}"` : value} `;
}

/** `text` with a filter begun at its end. */
export function begun(text: string, filter: Filter): string {
  const before = text.trimEnd();
  return `${before}${before === "" ? "" : " "}${filter}:`;
}

export function hasFilter(text: string): boolean {
  return new RegExp(`(?:^|\\s)-?(?:${NAMES}):\\S`, "iu").test(text);
}

/** The words alone: without filters, quotes, and what is to be left out. */
export function wordsOf(text: string): readonly string[] {
  return text
    .replace(WHOLE, " ")
    .replace(/(?:^|\s)-\S+/gu, " ")
    .replaceAll('"', " ")
    .split(/\s+/u)
    .filter(Boolean);
}

/** A day as filters are written: 2026-05-03. */
export function dayOf(at: Date): string {
  const two = (n: number) => String(n).padStart(2, "0");
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}
