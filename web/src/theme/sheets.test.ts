import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "..");
const SHEETS = readdirSync(ROOT, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".css"));
/** Paper takes looks away; it is there for that. */
const PAPER = join("theme", "print.css");

/** Classes that a sheet gives a look of their own: the whole selector is the class. */
function owned(sheet: string): ReadonlySet<string> {
  const plain = sheet.replace(/\/\*[\s\S]*?\*\//g, "");
  const selectors = [...plain.matchAll(/([^{}]+)\{/g)].flatMap(([, list = ""]) => list.split(","));
  return new Set(selectors.map((each) => each.trim()).filter((each) => /^\.[\w-]+$/.test(each)));
}

test("a class has its look from one sheet: all of them are one in the end, and a name used twice would mix two looks", () => {
  const homes = new Map<string, string[]>();
  for (const path of SHEETS.filter((each) => each !== PAPER)) {
    for (const name of owned(readFileSync(join(ROOT, path), "utf8"))) homes.set(name, [...(homes.get(name) ?? []), path]);
  }
  expect(homes.size).toBeGreaterThan(100);
  expect([...homes].filter(([, paths]) => paths.length > 1)).toEqual([]);
});
