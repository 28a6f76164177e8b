"""Whole numbers as English spells them."""

from collections.abc import Sequence

_BELOW_TWENTY = {
    word: value
    for value, word in enumerate(
        (
            *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"),
            *("ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen"),
            "nineteen",
        ),
    )
}
_TENS = {
    word: value
    for value, word in zip(
        range(20, 100, 10),
        ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"),
        strict=True,
    )
}
_HUNDRED = 100
_TEN = 10
_HUNDREDS = range(1, 20)  # "nineteen hundred" is said, "twenty hundred" is not

SCALES = {"hundred": 100, "thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
"""Words that multiply the number before them, on the short scale."""

NUMERALS = frozenset(_BELOW_TWENTY) | frozenset(_TENS) | frozenset(SCALES)
"""Every word that can stand in a spelled number, apart from "and" and "a"."""


def cardinal(words: Sequence[str]) -> int | None:
    """Return the number that all of `words` spell ("three", "hundred", "and", "five"), or None.

    Lower case; hyphens may join parts ("ninety-one"). Scales must fall, so "seven eleven", "nineteen eighty four"
    and "twenty twenty" spell no number.
    """
    rest = [part for word in words for part in word.split("-")]
    if rest[:1] == ["a"] and len(rest) > 1 and rest[1] in SCALES:
        rest = ["one", *rest[1:]]
    if not rest:
        return None
    total, ceiling = 0, max(SCALES.values()) * _HUNDRED
    while rest:
        group = _group(rest)
        if group is None:
            return None
        value, scale, rest = group
        if scale >= ceiling or (total and not value):
            return None
        total, ceiling = total + value * scale, scale
        if rest[:1] == ["and"]:
            rest = rest[1:]
            if scale == 1 or not rest:
                return None
    return total


def _group(words: list[str]) -> tuple[int, int, list[str]] | None:
    """Return a number below a thousand (or up to nineteen hundred), its scale, and the words after both."""
    value, rest = _below_hundred(words)
    if value is None:
        return None
    if rest[:1] == ["hundred"]:
        if value not in _HUNDREDS:
            return None
        rest = rest[1:]
        joined = rest[1:] if rest[:1] == ["and"] else rest
        small, after = _below_hundred(joined)
        value *= _HUNDRED
        if small:
            value, rest = value + small, after
        elif small == 0:
            return None
    scale = SCALES[rest[0]] if rest and rest[0] in SCALES and rest[0] != "hundred" else 1
    return value, scale, rest[1:] if scale > 1 else rest


def _below_hundred(words: list[str]) -> tuple[int | None, list[str]]:
    first = words[0] if words else ""
    if first in _BELOW_TWENTY:
        return _BELOW_TWENTY[first], words[1:]
    if first not in _TENS:
        return None, words
    unit = _BELOW_TWENTY.get(words[1], 0) if len(words) > 1 else 0
    if 0 < unit < _TEN:
        return _TENS[first] + unit, words[2:]
    return _TENS[first], words[1:]
