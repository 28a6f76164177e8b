/**
 * Text as a person may see it: nothing in it is invisible and nothing turns the direction of what stands beside it.
 *
 * A model can hide instructions in characters without a glyph, or turn an address around. Characters that only direct
 * others become a visible mark; characters that show nothing are dropped. The joiners stay where a script needs them:
 * in emoji, and between letters of Arabic and of the scripts of India (the rule of RFC 5892, appendix A, in short).
 */

const JOINED = "\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Devanagari}\\p{Script=Bengali}\\p{Script=Gurmukhi}" +
  "\\p{Script=Gujarati}\\p{Script=Oriya}\\p{Script=Tamil}\\p{Script=Telugu}\\p{Script=Kannada}\\p{Script=Malayalam}\\p{Script=Sinhala}";
 
const KEPT_JOINER = new RegExp(
  // eslint-disable-next-line no-misleading-character-class -- a variation selector or a skin tone may follow the picture
  `(?<=[${JOINED}]\\p{M}*)[\\u200c\\u200d](?=[${JOINED}])|(?<=\\p{Extended_Pictographic}[\\ufe0f\\u{1f3fb}-\\u{1f3ff}]?)\\u200d(?=\\p{Extended_Pictographic}|[\\u2640\\u2642])`,
  "gu",
);
// Bidirectional embeddings, overrides, isolates and marks.
const DIRECTING = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
// No glyph at all: zero-width characters, fillers, invisible operators, tags, private annotation, lone surrogates.
const UNSEEN =
  // eslint-disable-next-line no-misleading-character-class -- each is meant by itself
  /[\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200d\u2060-\u2065\u206a-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e0fff}]|\p{Cs}/gu;
// eslint-disable-next-line no-control-regex -- these are the characters to be found
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
// eslint-disable-next-line no-control-regex, no-misleading-character-class -- one cheap test spares the four replacements for ordinary text
const SUSPECT = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\ud800-\udfff]/;
// A stand-in that no text keeps: it is itself on the list of what is dropped.
const PLACE_C = "\ufdd0";
const PLACE_D = "\ufdd1";

function mark(character: string): string {
  return `[U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}]`;
}

function pictureOf(control: string): string {
  const code = control.charCodeAt(0);
  if (control === "\r") return "";
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? "\u2421" : mark(control);
}

/** Return `text` without invisible characters; controls and changes of direction become visible marks. */
export function shown(text: string): string {
  if (!SUSPECT.test(text)) return text;
  return text
    .replaceAll(PLACE_C, "")
    .replaceAll(PLACE_D, "")
    .replace(KEPT_JOINER, (joiner) => (joiner === "\u200c" ? PLACE_C : PLACE_D))
    .replace(DIRECTING, mark)
    .replace(UNSEEN, "")
    .replace(CONTROL, pictureOf)
    .replaceAll(PLACE_C, "\u200c")
    .replaceAll(PLACE_D, "\u200d");
}

/** Return whether a character in `text` directs how others are read: it turns them round, or holds them apart. */
export function isDirecting(text: string): boolean {
  return text.search(DIRECTING) >= 0;
}

/** Return whether a person could be shown `text` as it is. */
export function isShowable(text: string): boolean {
  return shown(text) === text;
}
