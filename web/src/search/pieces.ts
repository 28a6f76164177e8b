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

/** For each word the places in `text` where it stands; the last one may be the beginning of a word. */
function placesOf(text: string, words: readonly string[]): readonly (readonly [start: number, end: number])[][] {
  const within = folded(text);
  return words.map((word, at) => {
    const end = at === words.length - 1 ? "" : "(?![\\p{L}\\p{N}])";
    const pattern = new RegExp(`(?<![\\p{L}\\p{N}])${escaped(folded(word))}${end}`, "gu");
    return [...within.matchAll(pattern)].map((match) => [match.index, match.index + match[0].length] as const);
  });
}

/** Whether `text` holds all the words as they are typed: the last one may be the beginning of one. */
export function holds(text: string, words: readonly string[]): boolean {
  return words.length > 0 && placesOf(text, words).every((places) => places.length > 0);
}

/** `text` with every word marked that was typed: the last one may be the beginning of one. */
export function markedWords(text: string, words: readonly string[]): readonly Piece[] {
  const pieces: Piece[] = [];
  let done = 0;
  for (const [start, end] of placesOf(text, words).flat().toSorted(([a], [b]) => a - b)) {
    if (start < done) continue;
    if (start > done) pieces.push({ text: text.slice(done, start), hit: false });
    pieces.push({ text: text.slice(start, end), hit: true });
    done = end;
  }
  return done < text.length || pieces.length === 0 ? [...pieces, { text: text.slice(done), hit: false }] : pieces;
}

/** The letters without case and accents, each in its own place. */
function folded(text: string): string {
  return Array.from(text, (each) => {
    const base = Array.from(each.normalize("NFD"))[0]?.toLowerCase() ?? each;
    return base.length === each.length ? base : each;
  }).join("");
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
