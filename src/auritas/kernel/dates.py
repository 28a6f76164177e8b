"""Days as people write them, read strictly: a text that could mean two days means none."""

import re
from datetime import date

MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November"),
    "December",
)
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
"""In the order of date.weekday()."""

_DAY = r"(?:the )?(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_MONTH = r"(?P<month>[a-z]{3,9})\.?"
_YEAR = r"(?P<year>\d{4})"
_NAMED = (
    re.compile(rf"{_DAY}(?: of)?[ -]{_MONTH},?[ -]{_YEAR}", re.IGNORECASE),
    re.compile(rf"{_MONTH} {_DAY},? {_YEAR}", re.IGNORECASE),
)
_BIG_ENDIAN = re.compile(r"(?P<year>\d{4})([-/])(?P<month>\d{1,2})\2(?P<day>\d{1,2})")
_DOTTED = re.compile(r"(?P<day>\d{1,2})\.(?P<month>\d{1,2})\.(?P<year>\d{4})")
_SLASHED = re.compile(r"(?P<first>\d{1,2})/(?P<second>\d{1,2})/(?P<year>\d{4})")
_WEEKDAY = re.compile(rf"(?P<weekday>{'|'.join(WEEKDAYS)}),? (?P<rest>.+)", re.IGNORECASE)
_ABBREVIATION = 3


def read_date(text: str) -> date | None:
    """Return the only Gregorian day that the whole of `text` can mean, or None.

    Read: 2024-02-01, 2024/2/1, 1 February 2024, Feb 1st, 2024, 1.2.2024 (day first, as everywhere with dots), each
    with its right weekday before it or none. 3/4/2025 is no day because it could be two; 13/4/2025 is one.
    """
    text = " ".join(text.split())
    weekday = _WEEKDAY.fullmatch(text)
    day = _read(weekday["rest"] if weekday else text)
    if day and weekday and WEEKDAYS[day.weekday()] != weekday["weekday"].capitalize():
        return None
    return day


def month_number(name: str) -> int | None:
    """Return 1 to 12 for a month's English name or its usual abbreviation, or None."""
    word = name.capitalize()
    if word == "Sept":
        return MONTHS.index("September") + 1
    found = [index for index, month in enumerate(MONTHS, 1) if word in {month, month[:_ABBREVIATION]}]
    return found[0] if found else None


def in_words(day: date) -> str:
    """Return the day as "Thursday, 4 July 1776"."""
    return f"{WEEKDAYS[day.weekday()]}, {day.day} {MONTHS[day.month - 1]} {day.year}"


def _read(text: str) -> date | None:
    for pattern in _NAMED:
        if named := pattern.fullmatch(text):
            month = month_number(named["month"])
            return _day(named["year"], month, named["day"]) if month else None
    if plain := _BIG_ENDIAN.fullmatch(text) or _DOTTED.fullmatch(text):
        return _day(plain["year"], plain["month"], plain["day"])
    if slashed := _SLASHED.fullmatch(text):
        readings = {
            _day(slashed["year"], slashed["first"], slashed["second"]),
            _day(slashed["year"], slashed["second"], slashed["first"]),
        } - {None}
        return readings.pop() if len(readings) == 1 else None
    return None


def _day(year: str, month: str | int, day: str) -> date | None:
    try:
        return date(int(year), int(month), int(day))
    except ValueError:
        return None
