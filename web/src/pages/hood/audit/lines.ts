/** A head that was kept elsewhere: `size:root`, the root in hex. */
const HEAD = /^[0-9]{1,16}:[0-9a-fA-F]{64}$/;

/** What stands on each line, without blanks. */
export function linesOf(text: string): readonly string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

export function areHeads(lines: readonly string[]): boolean {
  return lines.every((line) => HEAD.test(line));
}

/** What an entry is about, in one line. */
export function aboutOf(refs: Readonly<Record<string, string | number | boolean | null>>): string {
  return Object.entries(refs)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name.replaceAll("_", " ")} ${String(value)}`)
    .join(" · ");
}

/** A kind of entry as a person reads it. */
export function kindName(kind: string): string {
  return kind.replaceAll("_", " ");
}
