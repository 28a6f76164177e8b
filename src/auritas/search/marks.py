"""Where words stand in a text, and the stretch of it that is worth showing. Marks are data, never markup."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from auritas.search.model import Piece, Snippet
from auritas.search.words import folded

SNIPPET = 160
"""Characters of a snippet."""
_BEFORE = 40
"""Characters shown before the first hit."""

_FOREIGN = re.compile(r"[^\x00-\x7f]")

Marked = Sequence[tuple[str, bool]]
"""Folded words, each with whether longer words that begin so count, too."""


def holds(text: str, lowered: str, word: str, *, prefix: bool) -> bool:
    """Tell whether `text` holds a folded word. lowered: `lower_of(text)`."""
    return _next(text, lowered, _as_indexed(word, lowered), 0, prefix=prefix) >= 0


def lower_of(text: str) -> str:
    """Return `text` folded, letter by letter, so that places in it are places in `text`."""
    lowered = text.lower()
    if text.isascii():
        return lowered
    if len(lowered) != len(text):
        lowered = "".join(low if len(low := letter.lower()) == 1 else letter for letter in text)
    # An answer of a model is seldom pure ASCII: only the letters that may change are looked at one by one.
    return lowered if lowered.isascii() else _FOREIGN.sub(_unmarked, lowered)


def _unmarked(found: re.Match[str]) -> str:
    return _plain(found[0])


@lru_cache(maxsize=4096)
def _plain(letter: str) -> str:
    plain = folded(letter)
    return plain if len(plain) == 1 else letter


def spans(text: str, marked: Marked) -> list[tuple[int, int]]:
    """Return where the words stand, in order and without overlaps: as words, and as parts of identifiers."""
    lowered = lower_of(text)
    found = sorted({place for word, prefix in marked for place in _places(text, lowered, word, prefix=prefix)})
    kept: list[tuple[int, int]] = []
    for start, end in found:
        if kept and start < kept[-1][1]:
            kept[-1] = (kept[-1][0], max(kept[-1][1], end))
        else:
            kept.append((start, end))
    return kept


def _places(text: str, lowered: str, word: str, *, prefix: bool) -> Iterator[tuple[int, int]]:
    word = _as_indexed(word, lowered)
    start = _next(text, lowered, word, 0, prefix=prefix)
    while start >= 0:
        yield start, start + len(word)
        start = _next(text, lowered, word, start + len(word), prefix=prefix)


def _as_indexed(word: str, lowered: str) -> str:
    """Return the form in which a word stands in a text: dotted identifiers are in the index with underscores."""
    return word.replace("_", ".") if "_" in word and word not in lowered else word


def _next(text: str, lowered: str, word: str, start: int, *, prefix: bool) -> int:
    """Return where the word stands next, or -1."""
    start = lowered.find(word, start) if word else -1
    while start >= 0 and not (_begins(text, start) and (prefix or _ends(text, start + len(word)))):
        start = lowered.find(word, start + len(word))
    return start


def _begins(text: str, at: int) -> bool:
    if at == 0 or not (before := text[at - 1]).isalnum():
        return True
    here = text[at]
    return (here.isupper() and not before.isupper()) or here.isdigit() != before.isdigit() or not here.isascii()


def _ends(text: str, at: int) -> bool:
    if at == len(text) or not (here := text[at]).isalnum():
        return True
    before = text[at - 1]
    return (here.isupper() and not before.isupper()) or here.isdigit() != before.isdigit() or not here.isascii()


def pieces(text: str, marked: Marked) -> Snippet:
    """Return all of `text` in pieces, hits marked."""
    return _cut(text, spans(text, marked), 0, len(text))


def snippet(text: str, marked: Marked, width: int = SNIPPET) -> Snippet:
    """Return the stretch of `text` with most different hits, on one line, with … where something is left out."""
    if len(text) <= width:
        return pieces(" ".join(text.split()), marked)
    start = _best_start(text, marked, width)
    end = min(start + width, len(text))
    shown = pieces(" ".join(text[start:end].split()), marked)
    return (*((Piece("…"),) if start else ()), *shown, *((Piece("…"),) if end < len(text) else ()))


def _best_start(text: str, marked: Marked, width: int) -> int:
    """Return where the stretch begins: near the first place of a word, of the one with most others close behind."""
    lowered = lower_of(text)
    firsts = [next(_places(text, lowered, word, prefix=prefix), None) for word, prefix in marked]
    found = sorted(first[0] for first in firsts if first)
    if not found:
        return 0
    best = max(found, key=lambda at: (sum(at <= other <= at + width - 2 * _BEFORE for other in found), -at))
    start = max(min(best - _BEFORE, len(text) - width), 0)
    blank = text.find(" ", start, best) if start else -1
    return blank + 1 if blank >= 0 else start


def _cut(text: str, found: list[tuple[int, int]], start: int, end: int) -> Snippet:
    shown: list[Piece] = []
    at = start
    for first, last in found:
        if last <= start or first >= end:
            continue
        first, last = max(first, start), min(last, end)  # noqa: PLW2901  cut to what is shown
        if at < first:
            shown.append(Piece(text[at:first]))
        shown.append(Piece(text[first:last], hit=True))
        at = last
    if at < end:
        shown.append(Piece(text[at:end]))
    return tuple(shown)
