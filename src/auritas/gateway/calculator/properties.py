"""Comparisons of two amounts, and properties of whole numbers: yes, no, or the one that is larger."""

import re

from auritas.gateway.calculator.evaluation import evaluate, render
from auritas.gateway.calculator.expression import Node, parse
from auritas.gateway.calculator.integers import PRIME_LIMIT, is_prime, root, small_factor
from auritas.gateway.calculator.model import Calculation, NotOursError, Value
from auritas.gateway.calculator.notation import TIMES
from auritas.gateway.calculator.rules import Rule, compared, integer, ordered, rule, shown, verdict

_ABOVE = frozenset({"greater", "larger", "bigger", "more", "higher", "greatest", "largest", "biggest", "highest"})
_MORE = "greater|larger|bigger|more|higher|less|smaller|lower|fewer"
_MOST = "greatest|largest|biggest|highest|smallest|lowest"


def relation(word: str) -> str:
    """Return > or < for "greater", "fewest" and their like."""
    return ">" if word.lower() in _ABOVE else "<"


def _comparison(match: re.Match[str]) -> Calculation:
    left, right = parse(match["a"]), parse(match["b"])
    sign = match["sign"] or ("=" if match["equal"] else relation(match["word"]))
    or_equal = bool(match["or_equal"]) or sign.endswith("=")
    values = evaluate(left), evaluate(right)
    holds = compared(sign[0], *values) or (or_equal and compared("=", *values))
    return verdict(holds=holds, because=_weighed((left, right), values))


def _weighed(nodes: tuple[Node, Node], values: tuple[Value, Value]) -> str:
    """Return how two amounts compare, after what had to be computed for that: 2 mi = 3.218688 km; 3 km < 2 mi."""
    said = [shown(node) for node in nodes]
    left, right = (re.split(r" [=≈] ", each)[0] for each in said)
    steps = [each for each, short in zip(said, (left, right), strict=True) if each != short]
    return "; ".join([*steps, ordered(left, right, values)])


def _superior(match: re.Match[str]) -> Calculation:
    nodes = parse(match["a"]), parse(match["b"])
    values = evaluate(nodes[0]), evaluate(nodes[1])
    because = _weighed(nodes, values)
    if compared("=", *values):
        return Calculation("They are equal", because)
    chosen = nodes[0] if compared(relation(match["word"]), *values) else nodes[1]
    return Calculation(render(chosen), because)


def _prime(match: re.Match[str]) -> Calculation:
    number = integer(match["a"])
    if number >= PRIME_LIMIT:
        raise NotOursError("The number is too large to be sure.")
    if is_prime(number):
        return verdict(holds=True, because=f"{number} is prime.")
    factor = small_factor(number) if number > 1 else None
    because = f"{number} = {factor} {TIMES} {number // factor}" if factor else f"{number} is not prime."
    return verdict(holds=False, because=because)


def _divisible(match: re.Match[str]) -> Calculation:
    number, by = integer(match["a"]), integer(match["b"])
    if by == 0:
        raise NotOursError("Nothing is divided by zero.")
    return verdict(holds=number % by == 0, because=f"{number} mod {by} = {number % by}")


def _parity(match: re.Match[str]) -> Calculation:
    number = integer(match["a"])
    return verdict(
        holds=(number % 2 == 0) == (match["word"].lower() == "even"), because=f"{number} mod 2 = {number % 2}"
    )


def _square(match: re.Match[str]) -> Calculation:
    number = integer(match["a"])
    side = root(number, 2) if number >= 0 else 0
    because = f"{side}^2 = {side * side}; {side + 1}^2 = {(side + 1) ** 2}"
    return verdict(holds=side * side == number, because=because)


RULES: tuple[Rule, ...] = (
    rule(r"is (?P<a>[^,]+?) (?:a )?prime(?: number)?(?: or not)?", _prime),
    rule(r"is (?P<a>.+?) (?:an )?(?P<word>even|odd)(?: number)?", _parity),
    rule(r"is (?P<a>.+?) (?:evenly )?(?:divisible by|a multiple of) (?P<b>.+)", _divisible),
    rule(r"is (?P<b>.+?) a (?:factor|divisor) of (?P<a>.+)", _divisible),
    rule(r"is (?P<a>.+?) a (?:perfect )?square(?: number)?", _square),
    rule(
        rf"(?:is|are|does) (?P<a>[^=<>]+?)(?: (?P<word>{_MORE}) than(?P<or_equal> or equal to)?"
        r"| (?P<equal>equals?(?: to)?|the same as|exactly)| ?(?P<sign>[<>]=?|==?)) ?(?P<b>[^=<>]+)",
        _comparison,
    ),
    rule(
        rf"(?:which (?:one |number |value |fraction )?is )?(?:the )?(?P<word>{_MORE}|{_MOST})(?: number)?[,:]?"
        r" (?:of |between )?(?P<a>.+?),? (?:or|and) (?P<b>.+)",
        _superior,
    ),
)
