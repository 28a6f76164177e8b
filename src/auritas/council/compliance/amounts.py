"""What a reply must not hold when its user wants metric units, ISO dates or the 24-hour clock."""

import re

_NUMBER = r"(?<![\w.,])\d[\d,.]*"
_IMPERIAL = re.compile(
    rf"{_NUMBER}(?:\s{{1,3}}\d+/\d+)?\s{{0,3}}-?\s{{0,3}}(?:(?:fluid|square|cubic)\s)?(?:"
    r"(?P<inch>inch(?:es)?)|(?P<mile>miles?|mi)|(?P<yard>yards?|yd)|(?P<foot>feet|foot|ft)|(?P<pound>pounds?|lbs?)|"
    r"(?P<ounce>ounces?|oz)|(?P<fahrenheit>degrees fahrenheit|\u00b0\s?F|fahrenheit)|(?P<gallon>gallons?|gal)|"
    r"(?P<quart>quarts?)|(?P<pint>pints?)|(?P<mph>mph)|(?P<acre>acres?)"
    r")\b",
)
"""Lower case alone: 8 Mile is a film."""
_HEIGHT = re.compile(r"(?<![\w.])\d['\u2032]\s?\d{1,2}(?:[\"\u2033])")
_METRIC = re.compile(
    r"\d\s*-?\s*(?:[kcm\u00b5n]?m|km/h|m/s|[kmc]?g|[mc]?l|L|mL|ha|\u00b0\s?C|[\w ]{0,8}(?:metres?|meters?|grams?|"
    r"gramm?es?|lit(?:re|er)s?|tonnes?|hectares?|celsius|kilos?))(?:[\u00b2\u00b3]|\b)",
    re.IGNORECASE,
)
_CONVERTED_WITHIN = 28
"""Characters between an amount and the same in metric units: "26.2 miles (42.195 km)"."""
_MONEY = re.compile(
    r"[\u00a3$\u20ac]|\b(?:sterling|gbp|pence|price\w*|costs?|paid|pay|salary|worth|money|currency)\b", re.IGNORECASE
)
_BODY_FEET = re.compile(r"[1-4] (?:feet|foot)\b(?! (?:long|wide|tall|high|deep|away|above|below|of|by|in|square|and))")

_MONTHS = (
    "january|february|march|april|may|june|july|august|september|october|november|december|"
    "jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec"
)
_DATE = re.compile(
    rf"\b\d{{1,2}}(?:st|nd|rd|th)?(?: of)? (?:{_MONTHS})\.?,? \d{{4}}\b"
    rf"|\b(?:{_MONTHS})\.? \d{{1,2}}(?:st|nd|rd|th)?,? \d{{4}}\b"
    r"|(?<![\d./-])\d{1,2}([./-])\d{1,2}\1(?:19|20)\d{2}(?![\d/-])",
    re.IGNORECASE,
)
_TWELVE_HOURS = re.compile(r"\b(?:1[0-2]|0?[1-9])(?:[:.][0-5]\d)? ?(?:am|pm|a\.m\.|p\.m\.)(?!\w)", re.IGNORECASE)

_ASKED_ABOUT = {
    "inch": r"inch|\d\s?in\b",
    "mile": r"mile|mph",
    "yard": r"yard",
    "foot": r"feet|foot|\bft\b",
    "pound": r"pound|\blbs?\b",
    "ounce": r"ounce|\boz\b",
    "fahrenheit": r"fahrenheit|\u00b0\s?F",
    "gallon": r"gallon|mpg",
    "quart": r"quart",
    "pint": r"pint",
    "mph": r"mph|mile",
    "acre": r"acre",
}
_ANY_OF_THEM = r"imperial|us customary"


def imperial_amount(text: str, question: str) -> str | None:
    """Return the first amount in units that are not metric, unless its metric value stands beside it.

    A unit that the question speaks of is its subject, not the writer's choice. Pounds may be money and two feet may be
    of a body: where that is possible they count for nothing.
    """
    for match in _IMPERIAL.finditer(text):
        if not (_spoken_of(match, question) or _converted(text, match) or _ambiguous(match, question)):
            return match[0]
    height = _HEIGHT.search(text)
    return height[0] if height and not _converted(text, height) and not _HEIGHT.search(question) else None


def spelled_dates(text: str) -> tuple[str, ...]:
    """Return the full dates that are not in the form 2026-05-14 (ISO 8601)."""
    return tuple(match[0] for match in _DATE.finditer(text))


def twelve_hour_times(text: str) -> tuple[str, ...]:
    """Return the times of day with am or pm."""
    return tuple(match[0] for match in _TWELVE_HOURS.finditer(text))


def _spoken_of(match: re.Match[str], question: str) -> bool:
    asked_about = _ASKED_ABOUT[match.lastgroup or ""]
    return bool(re.search(f"{asked_about}|{_ANY_OF_THEM}", question, re.IGNORECASE))


def _ambiguous(match: re.Match[str], question: str) -> bool:
    if match[0].endswith(("pound", "pounds")):
        return bool(_MONEY.search(f"{question} {match.string}"))
    return bool(_BODY_FEET.match(match.string, match.start()))


def _converted(text: str, match: re.Match[str]) -> bool:
    before = text[max(match.start() - _CONVERTED_WITHIN, 0) : match.start()]
    after = text[match.end() : match.end() + _CONVERTED_WITHIN]
    return bool(_METRIC.search(before) or _METRIC.search(after))
