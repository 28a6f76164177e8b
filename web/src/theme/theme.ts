/** Light, dark, or as the system has it. */
export type Theme = "system" | "light" | "dark";

export const THEMES: readonly Theme[] = ["system", "light", "dark"];

/** Where this browser remembers the choice. It is no secret, and it must be known before the server answers. */
const KEY = "auritas.theme";

function isTheme(value: string | null): value is Theme {
  return THEMES.some((theme) => theme === value);
}

export function storedTheme(): Theme {
  try {
    const value = localStorage.getItem(KEY);
    return isTheme(value) ? value : "system";
  } catch {
    return "system"; // a browser that refuses storage
  }
}

export function applyTheme(theme: Theme): void {
  const { dataset } = document.documentElement;
  if (theme === "system") delete dataset.theme;
  else dataset.theme = theme;
}

/** Shows `theme` at once and remembers it for the next visit. */
export function chooseTheme(theme: Theme): void {
  applyTheme(theme);
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // A browser that refuses storage: the choice holds until the page is closed.
  }
}
