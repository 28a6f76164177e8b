/** Characters that the server takes of one message. */
export const LONGEST = 32_000;

/** How many characters of `text` are too many, as the server counts them: a picture sign is one. */
export function overlong(text: string): number {
  return text.length <= LONGEST ? 0 : Math.max(0, Array.from(text.trim()).length - LONGEST);
}
