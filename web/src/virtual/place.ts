/** The end of a conversation as its reader last saw it. */
export interface End {
  readonly id: string;
  readonly size: number;
}

/** What the reader is told about the end while looking elsewhere. */
export type Below = "nothing" | "more" | "news";

/** Return what lies below: `left` is the end when the reader left it, `now` the end as it is. */
export function below(atEnd: boolean, left: End | null, now: End | null): Below {
  if (atEnd) return "nothing";
  if (!left || !now) return "more";
  return left.id === now.id && left.size >= now.size ? "more" : "news";
}

/** How near to its first loaded message a list is when it asks for earlier ones. */
const NEAR_START = 4;

/** Whether the first message in the page is so near to the first that is loaded that the reader is about to see it. */
export function isNearStart(firstShown: number): boolean {
  return firstShown <= NEAR_START;
}

/**
 * Return whether earlier messages should be loaded now.
 *
 * asked: id of the first message for which they were asked already; null if never.
 */
export function wantsEarlier(firstShown: number, firstId: string | undefined, atStart: boolean, asked: string | null): boolean {
  return !atStart && firstId !== undefined && isNearStart(firstShown) && asked !== firstId;
}
