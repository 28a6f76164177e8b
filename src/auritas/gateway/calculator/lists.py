"""Sums, averages and common divisors of several numbers."""

import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import reduce
from math import gcd, lcm
from operator import mul

from auritas.gateway.calculator.evaluation import evaluate, render
from auritas.gateway.calculator.expression import Binary, Negative, Node, Number, Percent, parse
from auritas.gateway.calculator.model import Calculation, NotOursError, Value
from auritas.gateway.calculator.notation import TIMES, equation, exact_decimal, written
from auritas.gateway.calculator.rules import Rule, rule

MAX_ITEMS = 50
MAX_RANGE = 10**12

_HEAD = re.compile(
    r"(?:the )?(?P<name>sum|total|product|average|(?:arithmetic )?mean|median|difference|maximum|minimum"
    r"|gcd|gcf|hcf|lcm|greatest common (?:divisor|factor)|highest common factor"
    r"|(?:least|lowest) common multiple)"
    r"(?:\((?P<call>[^()]*)\)| (?:of|between|for) (?:the (?:numbers? )?)?(?P<prose>.+))",
    re.IGNORECASE,
)
_THOUSANDS = re.compile(r"(?<![\d,])\d{1,3}(?:,\d{3})+(?!\d)")
_OPEN_END = re.compile(r"\b(?:hundred|thousand|million|billion|trillion) and\b", re.IGNORECASE)


def _answer_list(match: re.Match[str]) -> Calculation:
    nodes = _called(match["call"]) if match["call"] is not None else _prose(match["prose"])
    values = [evaluate(node) for node in nodes]
    if not all(value.exact for value in values):
        raise NotOursError("Lists with irrational numbers are not ours.")
    amounts = [value.amount for value in values]
    name, fold, left = _FOLDS[match["name"].lower().removeprefix("arithmetic ")]
    value = Value(fold(amounts))
    if max(value.amount.numerator.bit_length(), value.amount.denominator.bit_length()) > MAX_LIST_BITS:
        raise NotOursError("The result is too large to write out.")
    return Calculation(written(value), equation(left(name, nodes), value))


def _range_sum(match: re.Match[str]) -> Calculation:
    first, last = int(match["a"]), int(match["b"])
    if not first < last <= MAX_RANGE:
        raise NotOursError("That range is not ours.")
    value = Value(Fraction((first + last) * (last - first + 1), 2))
    return Calculation(written(value), equation(f"{first} + {first + 1} + … + {last}", value))


def _called(text: str) -> list[Node]:
    """Read gcd(12, 18), where every comma separates."""
    return _checked([parse(item) for item in text.split(",")[: MAX_ITEMS + 1]])


def _prose(text: str) -> list[Node]:
    """Read "3, 4 and 5". A comma without a space may belong to a number: then it must be clear which."""
    spaced = ", " in text
    if (_THOUSANDS.search(text) and not spaced) or _OPEN_END.search(text):
        raise NotOursError("It is not clear which numbers are meant.")
    separator = r",? and |, " if spaced else r" and |,"
    nodes = _checked([parse(item) for item in re.split(separator, text)[: MAX_ITEMS + 1]])
    if not all(_is_plain(node) for node in nodes):
        raise NotOursError("It is not clear where the list ends.")
    return nodes


def _checked(nodes: list[Node]) -> list[Node]:
    if not 2 <= len(nodes) <= MAX_ITEMS:  # noqa: PLR2004  one number is no list
        raise NotOursError(f"A list has 2 to {MAX_ITEMS} numbers.")
    return nodes


def _is_plain(node: Node) -> bool:
    if isinstance(node, Binary):
        return node.operator == "/" and _is_plain(node.left) and _is_plain(node.right)
    return isinstance(node, Number) or (isinstance(node, Negative | Percent) and isinstance(node.of, Number))


def _mean(amounts: Sequence[Fraction]) -> Fraction:
    return sum(amounts, Fraction(0)) / len(amounts)


def _median(amounts: Sequence[Fraction]) -> Fraction:
    ordered, half = sorted(amounts), len(amounts) // 2
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2


def _distance(amounts: Sequence[Fraction]) -> Fraction:
    if len(amounts) != 2:  # noqa: PLR2004
        raise NotOursError("A difference lies between two numbers.")
    return abs(amounts[0] - amounts[1])


def _whole(fold: Callable[..., int]) -> "Callable[[Sequence[Fraction]], Fraction]":
    def folded(amounts: Sequence[Fraction]) -> Fraction:
        if any(amount.denominator != 1 or amount < 1 for amount in amounts):
            raise NotOursError("Only positive whole numbers have common divisors and multiples.")
        return Fraction(fold(*(amount.numerator for amount in amounts)))

    return folded


def _joined(sign: str) -> "Callable[[str, Sequence[Node]], str]":
    return lambda _, nodes: f" {sign} ".join(_item(node) for node in nodes)


def _listed(name: str, nodes: Sequence[Node]) -> str:
    return f"{name}({', '.join(_item(node) for node in nodes)})"


def _averaged(_: str, nodes: Sequence[Node]) -> str:
    return f"({_joined('+')('', nodes)}) / {len(nodes)}"


def _item(node: Node) -> str:
    text = render(node)
    return exact_decimal(node.value) or text if isinstance(node, Number) else f"({text})"


MAX_LIST_BITS = 4096
_SUM = ("sum", lambda amounts: sum(amounts, Fraction(0)), _joined("+"))
_MEAN = ("mean", _mean, _averaged)
_GCD = ("gcd", _whole(gcd), _listed)
_LCM = ("lcm", _whole(lcm), _listed)
_FOLDS: dict[str, tuple[str, Callable[[Sequence[Fraction]], Fraction], Callable[[str, Sequence[Node]], str]]] = {
    "sum": _SUM,
    "total": _SUM,
    "product": ("product", lambda amounts: reduce(mul, amounts), _joined(TIMES)),
    "average": _MEAN,
    "mean": _MEAN,
    "median": ("median", _median, _listed),
    "difference": ("difference", _distance, _listed),
    "maximum": ("maximum", max, _listed),
    "minimum": ("minimum", min, _listed),
    "gcd": _GCD,
    "gcf": _GCD,
    "hcf": _GCD,
    "greatest common divisor": _GCD,
    "greatest common factor": _GCD,
    "highest common factor": _GCD,
    "lcm": _LCM,
    "least common multiple": _LCM,
    "lowest common multiple": _LCM,
}

RULES: tuple[Rule, ...] = (
    rule(
        r"(?:the )?sum of (?:all )?(?:the )?(?:integers|numbers|whole numbers|natural numbers)"
        r" (?:from|between) (?P<a>\d{1,13}) (?:to|and|through) (?P<b>\d{1,13})",
        _range_sum,
    ),
    (_HEAD, _answer_list),
)
