"""Numbers, units, ranks and days inside a wording, each as one sign: #3, #5000length, @5, =1912-04-15."""

import re
from collections.abc import Sequence
from fractions import Fraction

from auritas.council.lexicon import lexicon
from auritas.council.quantity import Quantity
from auritas.council.units import PLAIN, read_unit
from auritas.kernel.dates import month_number
from auritas.kernel.numerals import NUMERALS, SCALES, cardinal

_RANKS = (
    *("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh"),
    *("twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth", "nineteenth"),
    "twentieth",
)
_RANK = {word: number for number, word in enumerate(_RANKS, 1)}
_ROMAN_TENS = ("", "x", "xx")
_ROMAN_ONES = ("", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix")
_ROMAN = {
    tens + ones: 10 * ten + one
    for ten, tens in enumerate(_ROMAN_TENS)
    for one, ones in enumerate(_ROMAN_ONES)
    if tens or ones
}
_SAFE_UNITS = frozenset({"km", "cm", "kg", "mph"})
"""Signs that mean one unit in any case: capitals are lost here, and 1 ms is not 1 Ms."""
_NO_UNITS = frozenset({"degree", "degrees", "second", "stone", "bars"})
_UNIT_WORDS = 3
_UNIT_LETTERS = 4
_YEARS = range(100, 2200)
_DAYS_OF_MONTH = range(1, 32)


def figure(words: Sequence[str], at: int) -> tuple[str, int] | None:
    """Return the sign of the figure that begins at a word, and how many words it takes, or None."""
    return _day(words, at) or _number(words, at) or _rank(words, at)


def amount_sign(quantity: Quantity) -> str:
    """Return the sign of an amount: in its base unit, or, without a unit, with the decimals that were written."""
    if quantity.unit.kind != PLAIN.kind:
        return f"#{quantity.base}{quantity.unit.kind}"
    places = quantity.places or 0
    if places <= 0 or quantity.unit is not PLAIN:
        return f"#{quantity.base}"
    digits = str(abs(int(quantity.amount * 10**places))).zfill(places + 1)
    return f"#{'-' if quantity.amount < 0 else ''}{digits[:-places]}.{digits[-places:]}"


def _day(words: Sequence[str], at: int) -> tuple[str, int] | None:
    """Read "15 april 1912", "april 15 1912" and both without a year."""
    for month_at, day_at in ((at, at + 1), (at + 1, at), (at + 2, at)):
        if (
            max(month_at, day_at) >= len(words)
            or not words[day_at][0].isdigit()
            or (month_at == at + 2 and words[at + 1] != "of")
        ):
            continue
        month = month_number(words[month_at]) if len(words[month_at]) > 2 else None  # noqa: PLR2004  no month is shorter
        day = re.fullmatch(r"(\d{1,2})(?:st|nd|rd|th)?", words[day_at])
        if month is None or day is None or int(day[1]) not in _DAYS_OF_MONTH:
            continue
        end = max(month_at, day_at) + 1
        if end < len(words) and re.fullmatch(r"\d{3,4}", words[end]) and int(words[end]) in _YEARS:
            return f"={int(words[end]):04}-{month:02}-{int(day[1]):02}", end + 1 - at
        return f"=--{month:02}-{int(day[1]):02}", end - at
    return None


def _number(words: Sequence[str], at: int) -> tuple[str, int] | None:
    value, size = _spelled(words, at) or _digits(words, at) or (None, 0)
    if value is None:
        return None
    if at + size < len(words) and words[at + size] in SCALES:
        value, size = value * SCALES[words[at + size]], size + 1
    for count in range(_UNIT_WORDS, 0, -1):
        name = " ".join(words[at + size : at + size + count])
        clear = name in _SAFE_UNITS or (len(name) >= _UNIT_LETTERS and name not in _NO_UNITS)
        unit = read_unit(name) if clear else None
        if unit and unit is not PLAIN:
            return amount_sign(Quantity(value, unit)), size + count
    written = words[at] if size == 1 and "." in words[at] else str(value)  # version 1.2 is not version 1.20
    return f"#{written}", size


def _spelled(words: Sequence[str], at: int) -> tuple[Fraction, int] | None:
    end = at
    while end < len(words) and (words[end] in NUMERALS or (words[end] == "and" and end > at)):
        end += 1
    for stop in range(end, at, -1):
        value = cardinal(words[at:stop]) if words[at] not in SCALES else None
        if value is not None:
            return Fraction(value), stop - at
    return None


def _digits(words: Sequence[str], at: int) -> tuple[Fraction, int] | None:
    word = words[at]
    if re.match(r"-?0\d", word):  # a name: 007
        return None
    if re.fullmatch(r"-?\d{1,3}(?:,\d{3})+(?:\.\d+)?", word):
        word = word.replace(",", "")
    return (Fraction(word), 1) if re.fullmatch(r"-?\d+(?:\.\d+)?", word, re.ASCII) else None


def _rank(words: Sequence[str], at: int) -> tuple[str, int] | None:
    """Read "fifth" and "5th"; after a name, "the fifth" and "V" are its number."""
    word, before = words[at], words[at - 1] if at else ""
    last = at == len(words) - 1
    number = _RANK.get(word) or int((re.fullmatch(r"(\d{1,4})(?:st|nd|rd|th)", word) or ("0", "0"))[1])
    if number:
        return (f"#{number}" if before == "the" and last and at > 1 else f"@{number}"), 1
    if word in _ROMAN and before not in lexicon().grammar and len(before) > 2 and (len(word) > 1 or last):  # noqa: PLR2004
        return f"#{_ROMAN[word]}", 1
    return None
