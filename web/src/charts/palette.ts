/** Colours of a plot, resolved from the tokens of the theme as it is now: a canvas knows no variables. */
export interface Palette {
  readonly ground: string;
  readonly ink: string;
  readonly soft: string;
  readonly line: string;
  readonly accent: string;
  readonly doubt: string;
  /** Of members, by their number. */
  readonly members: readonly string[];
  readonly font: string;
}

const MEMBERS = 8;

/** Reads the tokens where `element` stands. */
export function paletteAt(element: HTMLElement): Palette {
  const probe = document.createElement("span");
  element.append(probe);
  const colour = (token: string) => {
    probe.style.color = `var(${token})`;
    return getComputedStyle(probe).color;
  };
  const palette = {
    ground: colour("--ground"),
    ink: colour("--ink"),
    soft: colour("--ink-soft"),
    line: colour("--line"),
    accent: colour("--accent"),
    doubt: colour("--doubt"),
    members: Array.from({ length: MEMBERS }, (_, at) => colour(`--member-${at + 1}`)),
    font: `12px ${getComputedStyle(probe).fontFamily}`,
  };
  probe.remove();
  return palette;
}
