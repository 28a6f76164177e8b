/** Searches of this visit. They are kept in memory alone, and gone with the page. */
const MOST = 5;
let recent: readonly string[] = [];

export function noteSearch(text: string): void {
  const words = text.trim();
  if (words !== "") recent = [words, ...recent.filter((each) => each !== words)].slice(0, MOST);
}

export function recentSearches(): readonly string[] {
  return recent;
}
