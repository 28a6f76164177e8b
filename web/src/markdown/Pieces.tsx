import { memo } from "react";

import { admit } from "./sanitise";
import { shown } from "./text";

/** Long enough that few are needed, short enough that drawing the last one anew costs nothing. */
const PIECE = 2048;

function isLowSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff;
}

/** Cut `text` at places that depend on what stands before them alone, and never inside a character. */
export function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  for (let start = 0; start < text.length; ) {
    const end = start + PIECE;
    const cut = isLowSurrogate(text, end) ? end + 1 : end;
    pieces.push(text.slice(start, cut));
    start = cut;
  }
  return pieces;
}

const Piece = memo(function Piece({ text }: { readonly text: string }) {
  return <>{shown(text)}</>;
});

/** Plain text that may grow: what stands already is left alone, only the end is appended to. */
export function Pieces({ text }: { readonly text: string }) {
  return piecesOf(text).map((piece, index) => <Piece key={index} text={piece} />);
}

admit(Pieces, () => true);
