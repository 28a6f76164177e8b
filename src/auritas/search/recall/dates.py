"""When something was said, as a question puts it: "in May", "on 3 June 2023", "last summer", "two weeks ago"."""

import re
from calendar import monthrange
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

_MONTHS: Final = (
    *("january", "february", "march", "april", "may", "june", "july"),
    *("august", "september", "october", "november", "december"),
)
_SEASONS: Final = {"spring": (3, 5), "summer": (6, 8), "autumn": (9, 11), "fall": (9, 11), "winter": (12, 2)}
_NUMBERS: Final = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
_UNIT_DAYS: Final = {"day": 1, "week": 7, "month": 30, "year": 365}
_DAY_AT_MOST: Final = 31
_YEARS_BACK: Final = 12

_NAMED: Final = re.compile(
    r"(?:\b(?P<before>\d{1,2})(?:st|nd|rd|th)?(?: of)? )?"
    rf"\b(?P<month>{'|'.join(month.capitalize() for month in _MONTHS)})\b"
    r"(?: (?P<after>\d{1,2})(?:st|nd|rd|th)?\b(?!\d))?"
    r"(?:,? (?P<year>[12]\d{3})\b)?"
)
_ISO: Final = re.compile(r"\b([12]\d{3})-(\d{2})-(\d{2})\b")
_YEAR: Final = re.compile(r"\b(?:in|of|during) ((?:19|20)\d\d)\b")
_SEASON: Final = re.compile(
    rf"\b(?P<which>last|this|in|the)? ?\b(?P<season>{'|'.join(_SEASONS)})\b(?: (?P<year>[12]\d{{3}})\b)?"
)
_AGO: Final = re.compile(rf"\b(?P<count>\d{{1,3}}|{'|'.join(_NUMBERS)}) (?P<unit>{'|'.join(_UNIT_DAYS)})s? ago\b")
_LAST: Final = re.compile(r"\blast (week|month|year)\b")
_YESTERDAY: Final = re.compile(r"\b(yesterday|today)\b")


@dataclass(frozen=True, slots=True)
class Period:
    """Days from `first` to `last`. day: whether one day was named by its date."""

    first: date
    last: date
    day: bool = False

    def holds(self, when: date) -> bool:
        """Whether `when` lies in it."""
        return self.first <= when <= self.last

    @property
    def month(self) -> "Period":
        """The whole month of the first day."""
        return _month(self.first.year, self.first.month)


def periods(question: str, now: date) -> tuple[Period, ...]:
    """Return the times that a question names, none of them in doubt; empty when it names none."""
    found = [period for reader in _READERS for period in reader(question, now)]
    return tuple(dict.fromkeys(found))


def in_periods(day: date, named: Sequence[Period]) -> bool:
    """Whether a day lies in a period, or in the month of one that is a single day: people also tell of it later."""
    return any((period.month if period.day else period).holds(day) for period in named)


def _named_months(question: str, now: date) -> Iterator[Period]:
    for match in _NAMED.finditer(question):
        month = _MONTHS.index(match["month"].lower()) + 1
        day = int(match["before"] or match["after"] or 0)
        years = [int(match["year"])] if match["year"] else range(now.year, now.year - _YEARS_BACK, -1)
        for year in years:
            period = _month(year, month)
            if 0 < day <= _DAY_AT_MOST:
                named = period.first + timedelta(days=min(day, period.last.day) - 1)
                period = Period(named, named, day=True)
            yield period


def _iso_days(question: str, now: date) -> Iterator[Period]:
    del now
    for match in _ISO.finditer(question):
        year, month, day = map(int, match.groups())
        if 1 <= month <= len(_MONTHS) and 1 <= day <= monthrange(year, month)[1]:
            yield Period(date(year, month, day), date(year, month, day), day=True)


def _years(question: str, now: date) -> Iterator[Period]:
    del now
    if not _NAMED.search(question):
        for match in _YEAR.finditer(question):
            yield Period(date(int(match[1]), 1, 1), date(int(match[1]), 12, 31))


def _seasons(question: str, now: date) -> Iterator[Period]:
    for match in _SEASON.finditer(question.lower()):
        if not (match["which"] or match["year"]):
            continue
        first, last = _SEASONS[match["season"]]
        year = int(match["year"] or now.year)
        start = date(year, first, 1)
        if not match["year"] and start > now:
            start = start.replace(year=year - 1)
        end = start.year + (last < first)
        yield Period(start, _month(end, last).last)


def _relative(question: str, now: date) -> Iterator[Period]:
    low = question.lower()
    for match in _YESTERDAY.finditer(low):
        day = now - timedelta(days=match[1] == "yesterday")
        yield Period(day, day)
    for match in _LAST.finditer(low):
        yield _last(match[1], now)
    for match in _AGO.finditer(low):
        count = int(match["count"]) if match["count"].isdigit() else _NUMBERS[match["count"]]
        unit = _UNIT_DAYS[match["unit"]]
        if count * unit > _YEARS_BACK * _UNIT_DAYS["year"]:
            continue
        middle, slack = now - timedelta(days=count * unit), timedelta(days=unit * (count + 1) // 4)
        yield Period(middle - slack, middle + slack)


def _last(unit: str, now: date) -> Period:
    if unit == "week":
        monday = now - timedelta(days=now.weekday() + 7)
        return Period(monday, monday + timedelta(days=6))
    if unit == "month":
        before = now.replace(day=1) - timedelta(days=1)
        return _month(before.year, before.month)
    return Period(date(now.year - 1, 1, 1), date(now.year - 1, 12, 31))


def _month(year: int, month: int) -> Period:
    return Period(date(year, month, 1), date(year, month, monthrange(year, month)[1]))


_READERS: Final[Sequence[Callable[[str, date], Iterator[Period]]]] = (
    _named_months,
    _iso_days,
    _years,
    _seasons,
    _relative,
)
