"""Texts that look like calculations and are names, dates, scores or ranges: what is 9/11, 24/7, 4x4, 1914-1918?"""

import re

from auritas.gateway.calculator.model import NotOursError

_NAMES = frozenset({"4x4", "2x4", "6x6", "3x3", "4x100", "4x400", "10-4", "9-5", "7-1", "5-4"})
_PAIR = re.compile(r"(?P<left>\d+)(?P<sign>[-/])(?P<right>\d+)")
_CHAIN = re.compile(r"\d+(?:-\d+){2,}|\d+(?:/\d+){2,}")
_YEARS = re.compile(r"(?P<left>[12]\d{3}) ?- ?(?P<right>[12]\d{3})")
_PRESSURE = re.compile(r"\d+ over \d+")
_DAYS, _MONTHS, _WHOLE = 31, 12, 100
_SYSTOLIC, _DIASTOLIC = range(90, 201), range(50, 121)


def refuse_idiom(text: str) -> None:
    """Raise NotOursError if `text`, asked without a word that demands a result, means something else as well.

    Spaces matter: people write calculations with them, and names, dates and scores without.
    """
    compact = text.lower().strip()
    years = _YEARS.fullmatch(compact)
    pair = _PAIR.fullmatch(compact)
    means_more = (
        compact in _NAMES
        or _CHAIN.fullmatch(compact)
        or _PRESSURE.fullmatch(compact)
        or (years and int(years["left"]) < int(years["right"]))
        or (pair and _is_name(pair["sign"], int(pair["left"]), int(pair["right"])))
    )
    if means_more:
        raise NotOursError(f"{text!r} may be a name, a date, a score or a range.")


def _is_name(sign: str, left: int, right: int) -> bool:
    if left == right or left + right == _WHOLE:  # 20/20, 50-50, 80/20
        return True
    if sign == "-":  # a range or a score
        return left < right or right == 0
    if left in _SYSTOLIC and right in _DIASTOLIC:  # a blood pressure
        return True
    is_day = (left <= _DAYS and right <= _MONTHS) or (left <= _MONTHS and right <= _DAYS)
    return is_day and (right == 0 or left % right != 0)
