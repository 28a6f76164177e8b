"""Questions about units of measure. Words become units through our own table only; a Units port converts."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from auritas.gateway.calculator.lexicon import MAX_WORDS, Unit, read_unit
from auritas.gateway.calculator.model import Calculation, NotOursError, Units, Value
from auritas.gateway.calculator.notation import equation, written
from auritas.gateway.calculator.rules import compared, ordered, verdict
from auritas.gateway.calculator.tokens import literal
from auritas.kernel.numerals import SCALES, cardinal

_NUMBER = re.compile(r"-?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:e[+-]?\d+)?|-?\.\d+", re.ASCII)
_RATIO = re.compile(r"(?P<top>\d{1,4})/(?P<bottom>\d{1,4})")
_JOINED = re.compile(r"(?<![\w^.,/])(-?(?:\d[\d,]*(?:\.\d+)?|\.\d+))(?=[^\W\d_]|°)")
_CONVERT = re.compile(
    r"(?:(?:convert|change|express|turn) |how (?:far|long|tall|high|heavy|fast|hot|cold|big|large|much) (?:is|are) )?"
    r"(?P<rest>.+)",
    re.IGNORECASE,
)
_CONNECTOR = re.compile(r" (?:in|to|into|as|=|= \?|equals|is|are) ", re.IGNORECASE)
_COUNT = re.compile(
    r"(?:how many|(?:the )?number of) (?P<unit>.+?)"
    r" (?:are there in|there are in|are in|is in|in|is|are|make up|make|equal|per) (?P<of>.+)",
    re.IGNORECASE,
)
_COMPARE = re.compile(
    r"(?:is|are) (?P<a>.+?) (?:(?P<above>greater|larger|bigger|more|longer|heavier|hotter|warmer|faster|taller|higher)"
    r"|(?P<below>less|smaller|shorter|lighter|colder|cooler|slower|lower)|(?P<equal>equal|the same)) (?:than|to|as)"
    r" (?P<b>.+)",
    re.IGNORECASE,
)
_COMPOUND_KINDS = frozenset({"length", "mass", "time", "calendar"})
_ARTICLES = frozenset({"a", "an", "one"})
_LONGEST_SIGN = 2


@dataclass(frozen=True, slots=True)
class Measure:
    """An amount of a unit, and how the person wrote it: 3 ft 4 in is 40 in."""

    amount: Fraction
    unit: Unit
    shown: str


def answer_measure(text: str, units: Units) -> Calculation:
    """Answer a conversion, a count of units in a measure, or a comparison. Raises NotOursError for anything else."""
    if match := _COUNT.fullmatch(text):
        return _converted(match["of"], match["unit"], units)
    if match := _COMPARE.fullmatch(text):
        return _comparison(match, units)
    match = _CONVERT.fullmatch(text)
    readings = list(_readings(match["rest"], units)) if match else []
    if len(readings) != 1:
        raise NotOursError("It converts no measure, or could convert two.")
    return readings[0]


def _readings(text: str, units: Units) -> Iterator[Calculation]:
    """Try every connector, because "3 ft 4 in in cm" holds the word twice."""
    for connector in re.finditer(rf"(?={_CONNECTOR.pattern})", text, re.IGNORECASE):
        found = _CONNECTOR.match(text, connector.start())
        if found and read_unit(text[found.end() :]):
            try:
                yield _converted(text[: found.start()], text[found.end() :], units)
            except NotOursError:
                continue


def _converted(source: str, target: str, units: Units) -> Calculation:
    unit = read_unit(target)
    measure = read_measure(source, units)
    if unit is None or measure is None or unit.kind != measure.unit.kind:
        raise NotOursError("It names no measures of one kind.")
    value = Value(units.convert(measure.amount, measure.unit.name, unit.name))
    label = unit.label(value.amount)
    return Calculation(f"{written(value)} {label}", equation(measure.shown, value, label))


def _comparison(match: re.Match[str], units: Units) -> Calculation:
    left, right = read_measure(match["a"], units), read_measure(match["b"], units)
    if left is None or right is None or left.unit.kind != right.unit.kind:
        raise NotOursError("It compares no measures of one kind.")
    relation = ">" if match["above"] else "<" if match["below"] else "="
    other = Value(units.convert(right.amount, right.unit.name, left.unit.name))
    values = Value(left.amount), other
    because = ordered(left.shown, right.shown, values)
    if left.unit != right.unit:
        because = f"{equation(right.shown, other, left.unit.label(other.amount))}; {because}"
    return verdict(holds=compared(relation, *values), because=because)


def read_measure(text: str, units: Units) -> Measure | None:
    """Return the measure that all of `text` spells, or None. Parts of a compound must fall: 3 ft 4 in, never 4 in 3 ft.

    Raises NotOursError for numbers that are no amounts and for temperatures below absolute zero.
    """
    words = _words(text)
    parts: list[tuple[Fraction, Unit]] = []
    while words:
        part = _part(words)
        if part is None:
            return None
        amount, unit, words = part
        parts.append((amount, unit))
    if not parts or not _falls(parts, units):
        return None
    unit = parts[-1][1]
    amount = sum((units.convert(value, each.name, unit.name) for value, each in parts), Fraction(0))
    _check_sense(amount, unit, units)
    shown = " ".join(f"{written(Value(value))} {each.label(value)}" for value, each in parts)
    return Measure(amount, unit, shown)


def _words(text: str) -> list[str]:
    text = re.sub(r"(?<=\d) ?'(?=[\s\d]|$)", " ft ", text)
    text = re.sub(r'(?<=\d) ?"(?=\s|$)', " in ", text)
    text = re.sub(r"^\s*- ?(?=[\d.])", "-", text)
    text = re.sub(r"^\s*(?:minus|negative) (?=[\d.])", "-", text, flags=re.IGNORECASE)
    text = re.sub(r"\((\d+/\d+)\)", r"\1 ", text)
    return _JOINED.sub(r"\1 ", text).replace(" ,", ",").split()


def _part(words: list[str]) -> tuple[Fraction, Unit, list[str]] | None:
    """Return the amount and unit at the start of `words`, and the words after them."""
    number = _amount(words)
    if number is None:
        return None
    counted = words[0].lower() not in _ARTICLES  # "an F in C" is no temperature
    amount, words = number
    for count in range(min(MAX_WORDS, len(words)), 0, -1):
        spelled = " ".join(words[:count]).rstrip(",")
        if (unit := read_unit(spelled)) and (counted or len(spelled) > _LONGEST_SIGN):
            return amount, unit, words[count:]
    return None


def _amount(words: list[str]) -> tuple[Fraction, list[str]] | None:
    if _NUMBER.fullmatch(words[0]):
        sign = -1 if words[0].startswith("-") else 1
        amount, rest = sign * literal(words[0].lstrip("-")), words[1:]
        if rest and (ratio := _ratio(rest[0])) and amount.denominator == 1 and sign > 0:
            amount, rest = amount + ratio, rest[1:]
        elif rest and rest[0].lower() in SCALES:
            amount, rest = amount * SCALES[rest[0].lower()], rest[1:]
        return amount, rest
    if ratio := _ratio(words[0]):
        return ratio, words[1:]
    if words[0].lower() == "half" and words[1:2] and words[1].lower() in _ARTICLES:
        return Fraction(1, 2), words[2:]
    return _spelled(words)


def _spelled(words: list[str]) -> tuple[Fraction, list[str]] | None:
    lowered = [word.lower() for word in words]
    for count in range(len(words) - 1, 0, -1):
        value = cardinal(lowered[:count])
        if value is not None:
            return Fraction(value), words[count:]
    return (Fraction(1), words[1:]) if lowered[0] in _ARTICLES else None


def _ratio(word: str) -> Fraction | None:
    match = _RATIO.fullmatch(word)
    return Fraction(int(match["top"]), int(match["bottom"])) if match and int(match["bottom"]) else None


def _falls(parts: list[tuple[Fraction, Unit]], units: Units) -> bool:
    if len(parts) == 1:
        return True
    kinds = {unit.kind for _, unit in parts}
    whole = all(amount.denominator == 1 and amount >= 0 for amount, _ in parts[:-1])
    if len(kinds) != 1 or not kinds <= _COMPOUND_KINDS or not whole or parts[-1][0] < 0:
        return False
    ratios = [
        (units.convert(Fraction(1), left.name, right.name), amount) for (_, left), (amount, right) in pairwise(parts)
    ]
    return all(amount < ratio and ratio > 1 for ratio, amount in ratios)


def _check_sense(amount: Fraction, unit: Unit, units: Units) -> None:
    if amount >= 0:
        return
    if unit.kind != "temperature" or units.convert(amount, unit.name, "kelvin") < 0:
        raise NotOursError("There is less than nothing of it.")
