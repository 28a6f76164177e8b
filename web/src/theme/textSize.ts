/** The size of all text, on top of what the browser itself is set to. */
export type TextSize = "normal" | "large" | "larger";

export const TEXT_SIZES: readonly TextSize[] = ["normal", "large", "larger"];

const SHARES: Readonly<Record<TextSize, string>> = { normal: "100%", large: "112.5%", larger: "125%" };
const KEY = "auritas.text-size";

export function storedTextSize(): TextSize {
  try {
    const value = localStorage.getItem(KEY);
    return TEXT_SIZES.find((size) => size === value) ?? "normal";
  } catch {
    return "normal"; // a browser that refuses storage
  }
}

export function applyTextSize(size: TextSize): void {
  document.documentElement.style.fontSize = SHARES[size];
}

/** Shows `size` at once and remembers it for the next visit. */
export function chooseTextSize(size: TextSize): void {
  applyTextSize(size);
  try {
    localStorage.setItem(KEY, size);
  } catch {
    // A browser that refuses storage: the choice holds until the page is closed.
  }
}
