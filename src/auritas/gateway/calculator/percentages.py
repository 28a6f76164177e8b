"""Shares, changes and discounts in per cent."""

import re
from fractions import Fraction

from auritas.gateway.calculator.evaluation import evaluate, render
from auritas.gateway.calculator.expression import Binary, Number, Percent, parse
from auritas.gateway.calculator.model import Calculation, NotOursError, Value
from auritas.gateway.calculator.notation import equation, exact_decimal, written
from auritas.gateway.calculator.rules import Rule, amount, calculated, exact, rule

_HUNDRED = Fraction(100)
_CENT = r"per ?cent(?:age)?"
_SHARE = r"[\d.]+ ?(?:%|per ?cent)"


def _change(match: re.Match[str]) -> Calculation:
    before, after, word = exact(match["a"]), exact(match["b"]), match["word"].lower()
    if before <= 0:
        raise NotOursError("A change from zero or less has no percentage.")
    change = (after - before) / before
    if (word == "increase" and change < 0) or (word == "decrease" and change > 0):
        raise NotOursError(f"There is no {word}.")
    names = [exact_decimal(value) or str(value) for value in (before, after)]
    return _percentage(
        Value(-change if word == "decrease" else change), f"Percent {word} from {names[0]} to {names[1]}"
    )


def _part_of(match: re.Match[str]) -> Calculation:
    part, whole = amount(match["part"]), amount(match["whole"])
    return _percentage(evaluate(Binary("/", part, whole)), f"{render(part)} / {render(whole)}")


def _as_percentage(match: re.Match[str]) -> Calculation:
    node = parse(match["a"])
    return _percentage(evaluate(node), render(node))


def _percentage(ratio: Value, left: str) -> Calculation:
    value = Value(ratio.amount * _HUNDRED, ratio.doubt)
    return Calculation(f"{written(value)}%", equation(left, value) + "%")


def _grown(match: re.Match[str]) -> Calculation:
    return _changed(match, "+")


def _shrunk(match: re.Match[str]) -> Calculation:
    return _changed(match, "-")


def _changed(match: re.Match[str], sign: str) -> Calculation:
    share = parse(match["share"])
    if not isinstance(share, Percent):
        raise NotOursError("It names no percentage.")
    return calculated(Binary("*", amount(match["a"]), Binary(sign, Number(Fraction(1), "1"), share)))


RULES: tuple[Rule, ...] = (
    rule(rf"(?:the )?{_CENT} (?P<word>increase|decrease|change) from (?P<a>.+?) to (?P<b>.+)", _change),
    rule(rf"(?:increase|raise) (?P<a>.+?) by (?P<share>{_SHARE})", _grown),
    rule(rf"(?P<a>.+?) (?:increased|raised) by (?P<share>{_SHARE})", _grown),
    rule(rf"(?:decrease|reduce) (?P<a>.+?) by (?P<share>{_SHARE})", _shrunk),
    rule(rf"(?P<a>.+?) (?:decreased|reduced) by (?P<share>{_SHARE})", _shrunk),
    rule(rf"(?P<share>{_SHARE}) (?:off(?: of)?|discount on) (?P<a>.+)", _shrunk),
    rule(rf"what {_CENT} of (?P<whole>.+?) is (?P<part>.+)", _part_of),
    rule(rf"what {_CENT} is (?P<part>.+?) (?:out )?of (?P<whole>.+)", _part_of),
    rule(rf"(?P<part>.+?) is what {_CENT} of (?P<whole>.+)", _part_of),
    rule(rf"(?P<part>.+?) as an? {_CENT} of (?P<whole>.+)", _part_of),
    rule(rf"(?P<part>.+?) out of (?P<whole>.+) as an? {_CENT}", _part_of),
    rule(rf"(?P<a>.+) (?:as|in|to) an? {_CENT}", _as_percentage),
)
