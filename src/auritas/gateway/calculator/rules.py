"""What every kind of question about numbers shares: a pattern that takes all of it, and how its operands are read."""

import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TypeAlias

from auritas.gateway.calculator.evaluation import evaluate, render
from auritas.gateway.calculator.expression import Binary, Node, Percent, parse
from auritas.gateway.calculator.model import Calculation, NotOursError, Value
from auritas.gateway.calculator.notation import equation, written

Answering: TypeAlias = Callable[[re.Match[str]], Calculation]
Rule: TypeAlias = tuple[re.Pattern[str], Answering]

_CLOSE = Fraction(1, 10**14)  # above any doubt that evaluation lets through


def rule(pattern: str, answering: Answering) -> Rule:
    """Return a rule whose pattern must take the whole text, whatever its case."""
    return re.compile(pattern, re.IGNORECASE), answering


def first_answer(rules: Sequence[Rule], text: str) -> Calculation | None:
    """Return what the first rule that takes the text makes of it, or None. Raises NotOursError as that rule does."""
    for pattern, answering in rules:
        if match := pattern.fullmatch(text):
            return answering(match)
    return None


def calculated(node: Node) -> Calculation:
    """Return the value of a tree as an answer."""
    value = evaluate(node)
    return Calculation(written(value), equation(render(node), value))


def amount(text: str) -> Node:
    """Parse an operand of a sentence. Raises NotOursError for "3 plus 4", where it is open what belongs to what."""
    node = parse(text)
    if isinstance(node, Percent) or (isinstance(node, Binary) and " " in text and not text.startswith("(")):
        raise NotOursError("It is not clear what belongs to what.")
    return node


def exact(text: str) -> Fraction:
    """Return the value of an operand. Raises NotOursError if it is irrational."""
    value = evaluate(amount(text))
    if not value.exact:
        raise NotOursError("An irrational amount is not ours here.")
    return value.amount


def integer(text: str) -> int:
    """Return the value of an operand that must be whole."""
    value = exact(text)
    if value.denominator != 1:
        raise NotOursError("Only whole numbers have that property.")
    return value.numerator


def shown(node: Node) -> str:
    """Return an operand with its value, or alone if it is its own value."""
    value, text = evaluate(node), render(node)
    return text if written(value) == text else equation(text, value)


def verdict(*, holds: bool, because: str) -> Calculation:
    """Return yes or no."""
    return Calculation("Yes" if holds else "No", because)


def ordered(left: str, right: str, values: tuple[Value, Value]) -> str:
    """Return two amounts as they are written, with the sign that holds between them: 9.11 < 9.9."""
    return f"{left} {next(sign for sign in '=<>' if compared(sign, *values))} {right}"


def compared(relation: str, left: Value, right: Value) -> bool:
    """Return whether left > right, left < right or left = right. Raises NotOursError when rounding hides it."""
    difference = left.amount - right.amount
    if not (left.exact and right.exact) and abs(difference) <= _CLOSE * (abs(left.amount) + abs(right.amount)):
        raise NotOursError("The two are too close to tell apart.")
    return {">": difference > 0, "<": difference < 0, "=": difference == 0}[relation]
