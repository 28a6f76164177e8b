/** A stretch of text; hit: whether it is what was looked for. Marks are data: nothing in it is ever markup. */
export interface Piece {
  readonly text: string;
  readonly hit: boolean;
}

/** Characters before the first mark that are kept. */
const BEFORE = 40;

export function plain(text: string): readonly Piece[] {
  return [{ text, hit: false }];
}

/** `text` with every place marked where one of `words` stands, in whatever case. */
export function marked(text: string, words: readonly string[]): readonly Piece[] {
  const wanted = words.filter(Boolean).map(escaped);
  if (wanted.length === 0) return plain(text);
  const pattern = new RegExp(`(${wanted.join("|")})`, "giu");
  return text
    .split(pattern)
    .map((each, at) => ({ text: each, hit: at % 2 === 1 }))
    .filter((each) => each.text !== "");
}

/** The pieces from a little before the first mark on, so that a single line shows it. */
export function aroundFirst(pieces: readonly Piece[]): readonly Piece[] {
  const [first, ...rest] = pieces;
  if (first === undefined || first.hit || rest.length === 0 || first.text.length <= BEFORE) return pieces;
  const cut = first.text.slice(-BEFORE);
  const blank = cut.indexOf(" ");
  return [{ text: `…${cut.slice(blank < 0 ? 0 : blank)}`, hit: false }, ...rest];
}

export function textOf(pieces: readonly Piece[]): string {
  return pieces.map((each) => each.text).join("");
}

function escaped(word: string): string {
  return word.replace(/[.*+?^${}()|[\]\\]/gu, "\\$&");
}
