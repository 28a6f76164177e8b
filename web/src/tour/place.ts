/** A rectangle in the window, in pixels. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export type Place = "top" | "bottom";

/** How much worse it is to cover what a step points at than to cover as much of something else. */
const POINTED_AT = 1_000;

/** Where the card of a step covers least, of its two places: above all not what it points at. Below, where both do. */
export function placeOf(cards: Readonly<Record<Place, Box>>, target: Box | null, others: readonly Box[]): Place {
  const harm = (card: Box) =>
    (target === null ? 0 : POINTED_AT * shared(card, target)) + others.reduce((sum, each) => sum + shared(card, each), 0);
  return harm(cards.top) < harm(cards.bottom) ? "top" : "bottom";
}

/** Square pixels that two rectangles share. */
function shared(a: Box, b: Box): number {
  const width = Math.min(a.left + a.width, b.left + b.width) - Math.max(a.left, b.left);
  const height = Math.min(a.top + a.height, b.top + b.height) - Math.max(a.top, b.top);
  return Math.max(0, width) * Math.max(0, height);
}
