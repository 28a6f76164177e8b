/** Named character references that models write; others stay as they are written. */
const NAMED: ReadonlyMap<string, string> = new Map(
  Object.entries({
    amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: "\u00a0", copy: "©", reg: "®", trade: "™", hellip: "…",
    mdash: "—", ndash: "–", lsquo: "‘", rsquo: "’", ldquo: "“", rdquo: "”", laquo: "«", raquo: "»", bull: "•",
    middot: "·", times: "×", divide: "÷", deg: "°", plusmn: "±", larr: "←", uarr: "↑", rarr: "→", darr: "↓",
    euro: "€", pound: "£", yen: "¥", cent: "¢", sect: "§", para: "¶", frac12: "½", frac14: "¼", frac34: "¾",
    le: "≤", ge: "≥", ne: "≠", infin: "∞", micro: "µ", colon: ":", Tab: "\t", NewLine: "\n", lpar: "(", rpar: ")",
  }),
);

const REFERENCE = /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([A-Za-z][A-Za-z0-9]{1,30}));/g;

function character(code: number): string {
  const valid = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  return valid ? String.fromCodePoint(code) : "\ufffd";
}

/** Return `text` with its character references resolved (CommonMark 0.31, section 2.5). */
export function resolved(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(REFERENCE, (whole, decimal?: string, hex?: string, name?: string) => {
    if (decimal !== undefined) return character(Number.parseInt(decimal, 10));
    if (hex !== undefined) return character(Number.parseInt(hex, 16));
    return NAMED.get(name ?? "") ?? whole;
  });
}
