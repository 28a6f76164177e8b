/** Hues and shapes that there are. */
export const MARKS = 8;

/** The number (from 0) of the hue and shape that a member has by its name alone (FNV-1a of its characters). */
export function ownMark(seat: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < seat.length; at += 1) hash = Math.imul(hash ^ seat.charCodeAt(at), 0x01000193);
  // The last bits alone follow the last characters too closely.
  return ((hash >>> 16) ^ (hash >>> 8) ^ hash) & (MARKS - 1);
}

/**
 * The marks of all who sit here: each its own, or the next that is free where another has that. Whoever has one already
 * (`kept`) keeps it, so that somebody who joins changes nobody's.
 */
export function marksOf(seats: readonly string[], kept: Readonly<Record<string, number>>): Readonly<Record<string, number>> {
  const marks: Record<string, number> = {};
  const taken = new Set<number>();
  const news: string[] = [];
  for (const seat of seats) {
    const had = Object.hasOwn(kept, seat) ? kept[seat] : undefined;
    if (had === undefined || taken.has(had)) news.push(seat);
    else taken.add((marks[seat] = had));
  }
  for (const seat of news.toSorted()) {
    const own = ownMark(seat);
    const free = Array.from({ length: MARKS }, (_, at) => (own + at) % MARKS).find((each) => !taken.has(each));
    taken.add((marks[seat] = free ?? own));
  }
  return marks;
}

const KEY = "auritas.marks";
/** Members whose marks are remembered; who left long ago gives way first. */
const KEPT = 64;

/** The marks that members have in this browser. What is no mark is left out. */
export function keptMarks(): Readonly<Record<string, number>> {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    if (typeof value !== "object" || value === null) return {};
    const entries = Object.entries(value).filter((each): each is [string, number] => isMark(each[1]));
    return Object.fromEntries(entries);
  } catch {
    return {};
  }
}

function isMark(value: unknown): boolean {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value < MARKS;
}

/** Remembers the marks of those who sit here now, behind those of who left. */
export function keepMarks(marks: Readonly<Record<string, number>>): void {
  try {
    const others = Object.entries(keptMarks()).filter(([seat]) => !Object.hasOwn(marks, seat));
    const all = [...others, ...Object.entries(marks)].slice(-KEPT);
    localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(all)));
  } catch {
    // They are found again by name; only who shares a mark may change it.
  }
}

/** Lets go of the names of members. */
export function forgetMarks(): void {
  try {
    localStorage.removeItem(KEY);
  } catch {
    // A browser that stores nothing has nothing to let go of.
  }
}
