"""Questions about days: how far apart, which weekday, which date, leap years. All in the Gregorian calendar."""

import re
from calendar import isleap, monthrange
from collections.abc import Callable
from datetime import date, timedelta
from typing import TypeAlias

from auritas.gateway.calculator.model import Calculation, NotOursError
from auritas.gateway.calculator.rules import verdict
from auritas.kernel.dates import MONTHS, WEEKDAYS, in_words, month_number, read_date
from auritas.kernel.numerals import cardinal

Today: TypeAlias = Callable[[], date]

GREGORIAN_START = date(1582, 10, 15)
"""Days before it have other dates in the calendar of their time."""
_WEEK = 7
_FEASTS = {
    "christmas": (12, 25),
    "christmas day": (12, 25),
    "christmas eve": (12, 24),
    "new year's eve": (12, 31),
    "new year's day": (1, 1),
    "new year": (1, 1),
    "halloween": (10, 31),
    "valentine's day": (2, 14),
}
_NEAR = {"yesterday": -1, "today": 0, "now": 0, "tomorrow": 1}
_STEP = re.compile(
    r"(?:exactly )?(?P<count>[\w-]+(?: [a-z-]+){0,4}?) (?P<unit>day|week|month|year)s?"
    r" (?P<way>after|from|before|prior to|ago)(?: (?P<start>.+))?",
    re.IGNORECASE,
)
_SUM = re.compile(
    r"(?P<start>.+?) ?(?P<way>plus|minus| \+| -) ?(?P<count>\d+) (?P<unit>day|week|month|year)s?", re.IGNORECASE
)
_IN = re.compile(r"in (?P<count>[\w-]+) (?P<unit>day|week|month|year)s?", re.IGNORECASE)
_BACK = frozenset({"before", "prior to", "ago", "minus", "-"})


def answer_days(text: str, today: Today) -> Calculation:
    """Answer the matter of a question about days. Raises NotOursError for anything else."""
    for pattern, rule in _RULES:
        if match := pattern.fullmatch(text):
            return rule(match, today)
    raise NotOursError("It asks for no day.")


def read_day(text: str, today: Today) -> date:
    """Return the day that `text` names: a date, "tomorrow", a feast with its year, "30 days after …".

    Raises NotOursError if it names none, could name two, or lies before the Gregorian calendar.
    """
    text = text.strip()
    day = read_date(text) or _near(text, today) or _feast_of_year(text) or _stepped(text, today)
    if day is None:
        raise NotOursError(f"{text!r} names no single day.")
    if day < GREGORIAN_START:
        raise NotOursError("The calendar was another one then.")
    return day


def _near(text: str, today: Today) -> date | None:
    offset = _NEAR.get(text.lower())
    return None if offset is None else today() + timedelta(days=offset)


def _feast_of_year(text: str) -> date | None:
    match = re.fullmatch(r"(?P<name>.+?),? (?:in )?(?P<year>\d{4})", text)
    feast = _FEASTS.get(match["name"].lower()) if match else None
    return date(int(match["year"]), *feast) if match and feast and int(match["year"]) else None


def _stepped(text: str, today: Today) -> date | None:
    match = _STEP.fullmatch(text) or _SUM.fullmatch(text) or _IN.fullmatch(text)
    count = _count(match["count"]) if match else None
    if match is None or count is None:
        return None
    groups = match.groupdict()
    way = (groups.get("way") or "").strip().lower()
    start = groups.get("start")
    if (way == "ago") != (start is None) and way:
        return None
    origin = read_day(start, today) if start else today()
    return _moved(origin, -count if way in _BACK else count, match["unit"].lower())


def _count(text: str) -> int | None:
    if re.fullmatch(r"[1-9]\d{0,6}|0", text):
        return int(text)
    words = text.lower().split()
    return 1 if words in (["a"], ["an"], ["one"]) else cardinal(words)


def _moved(day: date, count: int, unit: str) -> date:
    """Return the day `count` units later. A month that lacks the day leaves no answer that all would give."""
    try:
        if unit in {"day", "week"}:
            return day + timedelta(days=count * (_WEEK if unit == "week" else 1))
        months = day.year * 12 + day.month - 1 + count * (12 if unit == "year" else 1)
        return date(months // 12, months % 12 + 1, day.day)
    except (ValueError, OverflowError):
        raise NotOursError("There is no such day.") from None


def _between(match: re.Match[str], today: Today) -> Calculation:
    first, last = sorted((read_day(match["a"], today), read_day(match["b"], today)))
    return _distance(first, last, match["unit"])


def _distance(first: date, last: date, unit: str) -> Calculation:
    days = (last - first).days
    because = f"From {in_words(first)} to {in_words(last)}, the first day not counted: {days} days"
    if unit.lower() == "days":
        return Calculation(f"{days} days" if days != 1 else "1 day", because)
    if days % _WEEK:
        raise NotOursError("It is no whole number of weeks.")
    return Calculation(f"{days // _WEEK} weeks" if days != _WEEK else "1 week", because)


def _until(match: re.Match[str], today: Today) -> Calculation:
    now, feast = today(), _FEASTS.get(match["a"].lower())
    if feast:
        this_year = date(now.year, *feast)
        day = this_year if this_year >= now else date(now.year + 1, *feast)
    else:
        day = read_day(match["a"], today)
    if day < now:
        raise NotOursError("That day has passed.")
    return _distance(now, day, match["unit"])


def _since(match: re.Match[str], today: Today) -> Calculation:
    day, now = read_day(match["a"], today), today()
    if day > now:
        raise NotOursError("That day is still to come.")
    return _distance(day, now, match["unit"])


def _weekday(match: re.Match[str], today: Today) -> Calculation:
    day = read_day(match["a"], today)
    return Calculation(WEEKDAYS[day.weekday()], f"{in_words(day)} (Gregorian calendar)")


def _is_weekday(match: re.Match[str], today: Today) -> Calculation:
    day = read_day(match["a"], today)
    asked = match["weekday"].capitalize()
    return verdict(holds=WEEKDAYS[day.weekday()] == asked, because=in_words(day))


def _named_day(match: re.Match[str], today: Today) -> Calculation:
    """Answer "what day is …": the weekday of a date; of a day so many days away, the date with its weekday."""
    if read_date(match["a"]) or match["a"].lower() in _NEAR:
        return _weekday(match, today)
    return Calculation(in_words(read_day(match["a"], today)), f"{match['a']} (Gregorian calendar)")


def _date(match: re.Match[str], today: Today) -> Calculation:
    if read_date(match["a"]):
        raise NotOursError("A date asks nothing.")
    day = read_day(match["a"], today)
    return Calculation(day.isoformat(), f"{match['a']}: {in_words(day)}")


def _leap(match: re.Match[str], _: Today) -> Calculation:
    year = _year(match["year"])
    return verdict(holds=isleap(year), because=f"{year} has {365 + isleap(year)} days.")


def _days_of_year(match: re.Match[str], _: Today) -> Calculation:
    year = _year(match["year"])
    return Calculation(f"{365 + isleap(year)} days", f"{year} is {'a' if isleap(year) else 'no'} leap year.")


def _days_of_kind(match: re.Match[str], _: Today) -> Calculation:
    leap = match["kind"].lower() == "leap"
    return Calculation(f"{365 + leap} days", f"{match['kind'].capitalize()} year: {365 + leap} days")


def _days_of_month(match: re.Match[str], _: Today) -> Calculation:
    month = month_number(match["month"])
    if month is None or (month == MONTHS.index("February") + 1 and not match["year"]):
        raise NotOursError("It names no month of a known length.")
    days = monthrange(_year(match["year"] or "2023"), month)[1]  # only February asks for the year
    named = f"{MONTHS[month - 1]} {match['year'] or ''}".strip()
    return Calculation(f"{days} days", f"{named} has {days} days.")


def _year(text: str) -> int:
    year = int(text)
    if year <= GREGORIAN_START.year:
        raise NotOursError("The calendar was another one then.")
    return year


_MANY = (
    r"(?:how many|(?:the )?number of) (?P<unit>days|weeks)(?: are| were| is| have| will)?(?: there| it)?"
    r"(?: be| passed| left)?"
)
_MANY_DAYS = r"(?:how many|(?:the )?number of) days(?: are| were| will| did| do| does)?(?: there)?(?: be)?"
_BE = r"(?: is| was| will| would| did| does|'s)?(?: it)?(?: be| fall)?(?: on)?"
_RULES: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], Today], Calculation]], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), rule)
    for pattern, rule in (
        (rf"{_MANY} (?:between|from) (?P<a>.+?) (?:and|to|until|till) (?P<b>.+)", _between),
        (rf"{_MANY} (?:until|till|to|before) (?P<a>.+)", _until),
        (rf"{_MANY} since (?P<a>.+)", _since),
        (rf"(?:what|which) (?:day of the week|weekday){_BE} (?P<a>.+?)(?: be| fall)?(?: on)?", _weekday),
        (r"(?:the )?(?:day of the week|weekday) (?:of|on|for) (?P<a>.+)", _weekday),
        (
            rf"(?:is|was|will) (?P<a>.+?) (?:be )?(?:on )?(?:a )?(?P<weekday>{'|'.join(WEEKDAYS)})",
            _is_weekday,
        ),
        (rf"(?:what|which) day{_BE} (?P<a>.+?)(?: be| fall)?(?: on)?", _named_day),
        (r"(?:what|which) date(?: is| was| will| would)?(?: it)?(?: be)? (?P<a>.+?)(?: be)?", _date),
        (r"(?:the )?(?:date|day) (?:that is |of )?(?P<a>.+)", _date),
        (r"(?P<a>today|tomorrow|yesterday)'s date", _date),
        (r"(?P<a>.+(?:after|before|prior to|from|plus|minus| \+| -) .+|.+ ago)", _date),
        (r"(?:is|was|will) (?:the year )?(?P<year>\d{4})(?: be)? a leap year(?: or not)?", _leap),
        (rf"{_MANY_DAYS} (?:in )?(?:the year )?(?P<year>\d{{4}})(?: have)?", _days_of_year),
        (rf"{_MANY_DAYS} (?:in )?an? (?P<kind>leap|common|non-leap) year(?: have)?", _days_of_kind),
        (
            rf"{_MANY_DAYS} (?:in )?(?:the month of )?(?P<month>[a-z]+)(?:,? (?:of |in )?(?P<year>\d{{4}}))?(?: have)?",
            _days_of_month,
        ),
    )
)
