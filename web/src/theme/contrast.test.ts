import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const css = readFileSync(join(import.meta.dirname, "tokens.css"), "utf8");
const THEMES = ["light", "dark"] as const;
const GROUNDS = ["ground", "raised", "sunken", "hover"];
const MEMBERS = Array.from({ length: 8 }, (_, at) => `member-${at + 1}`);
const VERDICTS = ["agree", "differ", "doubt", "danger"];

function colour(name: string, theme: (typeof THEMES)[number]): string {
  const pair = new RegExp(`--${name}: light-dark\\((#[0-9a-f]{6}), (#[0-9a-f]{6})\\)`).exec(css);
  const hex = pair?.[theme === "light" ? 1 : 2];
  if (hex === undefined) throw new Error(`no colour --${name}`);
  return hex;
}

/** Relative luminance of a colour: WCAG 2.2, definition of the term. */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(a: string, b: string): number {
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}

describe.each(THEMES)("colours by %s", (theme) => {
  const of = (ink: string, ground: string) => contrast(colour(ink, theme), colour(ground, theme));

  it.each(GROUNDS)("let every ink be read on %s (WCAG 1.4.3: 4.5)", (ground) => {
    for (const ink of ["ink", "ink-soft", "ink-faint", "accent", "accent-hover", ...VERDICTS])
      expect(of(ink, ground), `${ink} on ${ground}`).toBeGreaterThanOrEqual(4.5);
  });

  it("let words be read on buttons and soft grounds (WCAG 1.4.3: 4.5)", () => {
    const pairs = [
      ["accent-ink", "accent"],
      ["accent-ink", "accent-hover"],
      ["danger-ink", "danger"],
      ["danger-ink", "danger-hover"],
      ["ink", "accent-soft"],
      ["ground", "ink"],
      ...VERDICTS.map((verdict) => [verdict, `${verdict}-soft`]),
      ...["agree", "differ", "doubt"].map((verdict) => ["ink-soft", `${verdict}-soft`]),
    ];
    for (const [ink = "", ground = ""] of pairs)
      expect(of(ink, ground), `${ink} on ${ground}`).toBeGreaterThanOrEqual(4.5);
  });

  it("let the marks of members, lines of controls and focus be seen (WCAG 1.4.11: 3)", () => {
    for (const mark of [...MEMBERS, "line-strong", "focus"])
      for (const ground of GROUNDS) expect(of(mark, ground), `${mark} on ${ground}`).toBeGreaterThanOrEqual(3);
  });
});

describe("raw values", () => {
  it("stand in the tokens only", () => {
    const others = ["../ui/button.css", "../ui/field.css", "../ui/overlay.css", "../ui/data.css", "../shell/shell.css", "../shell/page.css", "./base.css"];
    for (const file of others)
      expect(readFileSync(join(import.meta.dirname, file), "utf8"), file).not.toMatch(/#[0-9a-f]{3,8}\b|rgb\(|hsl\(/i);
  });
});
