"""The value of an expression, in exact fractions and within bounds that no input can exceed."""

from fractions import Fraction
from math import factorial

from auritas.gateway.calculator.expression import Binary, Factorial, Negative, Node, Number, Percent, Root
from auritas.gateway.calculator.integers import root
from auritas.gateway.calculator.model import NotOursError, Value
from auritas.gateway.calculator.notation import ROOT, TIMES

MAX_BITS = 4096
"""Of a numerator or denominator: 1,233 digits. Every intermediate result stays below it, so nothing explodes."""
MAX_FACTORIAL = 500
MAX_DEGREE = 12
"""Of a root given as a fractional power."""
MAX_DOUBT = 1e-15
"""Relative error above which a result is not given: five digits beyond those shown."""
_ROOT_BITS = 140  # about 42 decimal digits behind the point
_ROUNDING = 1e-41
_SLACK = 1.01  # for the products of errors that the first-order rules leave out

_STRENGTH = {"+": 1, "-": 1, "*": 2, "/": 2, "mod": 2, "^": 4}
_NEGATIVE_STRENGTH = 3
_ATOM = 6


def evaluate(node: Node) -> Value:
    """Return the value of a tree. Raises NotOursError where it has none, or where it is too large to write."""
    match node:
        case Number():
            return _bounded(Value(node.value))
        case Negative():
            inner = evaluate(node.of)
            return Value(-inner.amount, inner.doubt)
        case Percent():
            inner = evaluate(node.of)
            return Value(inner.amount / 100, inner.doubt)
        case Factorial():
            return _factorial(evaluate(node.of))
        case Root():
            return _bounded(_root(evaluate(node.of), node.degree))
        case Binary():
            return _bounded(_binary(node.operator, evaluate(node.left), evaluate(node.right)))


def render(node: Node) -> str:
    """Return the tree as a person would write it, with no bracket more than it needs."""
    return _render(node)[0]


def _binary(operator: str, left: Value, right: Value) -> Value:
    match operator:
        case "+":
            return _sum(left, right)
        case "-":
            return _sum(left, Value(-right.amount, right.doubt))
        case "*":
            return _trusted(left.amount * right.amount, _SLACK * (left.doubt + right.doubt))
        case "/":
            return _trusted(left.amount / _nonzero(right), _SLACK * (left.doubt + right.doubt))
        case "mod":
            return _remainder(left, right)
        case _:
            return _power(left, right)


def _sum(left: Value, right: Value) -> Value:
    """Add; where two irrational amounts nearly cancel, nothing certain is left of them."""
    total = left.amount + right.amount
    if (left.exact and right.exact) or not (left.amount and right.amount):
        return Value(total, max(left.doubt, right.doubt))
    error = abs(left.amount) * Fraction(left.doubt) + abs(right.amount) * Fraction(right.doubt)
    if error > abs(total) * Fraction(MAX_DOUBT):
        raise NotOursError("Too little is left of it to tell it from rounding.")
    return Value(total, float(error / abs(total)))


def _trusted(amount: Fraction, doubt: float) -> Value:
    if doubt > MAX_DOUBT:
        raise NotOursError("Its rounding has grown too large.")
    return Value(amount, doubt if amount else 0.0)


def _nonzero(value: Value) -> Fraction:
    if value.amount == 0:
        raise NotOursError("Division by zero has no value.")
    return value.amount


def _remainder(left: Value, right: Value) -> Value:
    if not (_is_whole(left) and _is_whole(right)) or left.amount < 0 or right.amount < 0:
        raise NotOursError("Remainders of fractions and negative numbers follow several conventions.")
    return Value(left.amount % _nonzero(right))


def _power(base: Value, exponent: Value) -> Value:
    if not exponent.exact:
        raise NotOursError("Irrational powers are not ours.")
    if base.amount == 0 and exponent.amount <= 0:
        raise NotOursError("Zero to the power of zero or less has no agreed value.")
    top, degree = exponent.amount.as_integer_ratio()
    if degree > MAX_DEGREE or (base.amount < 0 and degree > 1):
        raise NotOursError("That power is not ours.")
    size = max(abs(base.amount.numerator).bit_length() - 1, base.amount.denominator.bit_length() - 1, 1)
    if abs(base.amount) != 1 and size * abs(top) > MAX_BITS:
        raise NotOursError("The power is too large to write out.")
    # for a base of 1 or -1 only the parity of a huge exponent matters
    raised = base.amount ** (top % 2 if abs(base.amount) == 1 else top)
    return _root(_trusted(raised, _SLACK * abs(top) * base.doubt), degree)


def _factorial(value: Value) -> Value:
    if not _is_whole(value) or not 0 <= value.amount <= MAX_FACTORIAL:
        raise NotOursError(f"Factorials are ours for whole numbers up to {MAX_FACTORIAL}.")
    return Value(Fraction(factorial(int(value.amount))))


def _root(value: Value, degree: int) -> Value:
    if degree == 1:
        return value
    sign = -1 if value.amount < 0 else 1
    if sign < 0 and degree % 2 == 0:
        raise NotOursError("An even root of a negative number is not real.")
    top, bottom = abs(value.amount).as_integer_ratio()
    exact = Fraction(root(top, degree), root(bottom, degree))
    if value.exact and exact**degree == abs(value.amount):
        return Value(sign * exact)
    # scaled so that even the root of a tiny number keeps its digits
    shift = _ROOT_BITS + bottom.bit_length()
    scaled = root((top << shift * degree) // bottom, degree)
    return Value(sign * Fraction(scaled, 1 << shift), value.doubt + _ROUNDING)


def _is_whole(value: Value) -> bool:
    return value.exact and value.amount.denominator == 1


def _bounded(value: Value) -> Value:
    numerator, denominator = value.amount.as_integer_ratio()
    if not value.exact and denominator.bit_length() > 2 * _ROOT_BITS and abs(numerator) > denominator:
        value = Value(Fraction(round(value.amount * (1 << _ROOT_BITS)), 1 << _ROOT_BITS), value.doubt + _ROUNDING)
        numerator, denominator = value.amount.as_integer_ratio()
    if max(numerator.bit_length(), denominator.bit_length()) > MAX_BITS:
        raise NotOursError("The result is too large to write out.")
    return value


def _render(node: Node) -> tuple[str, int]:
    """Return the text of a node and how strongly it holds together."""
    match node:
        case Number():
            return node.text, 2 if "/" in node.text else _ATOM
        case Negative():
            return f"-{_wrapped(node.of, _ATOM - 1)}", _NEGATIVE_STRENGTH
        case Percent():
            return f"{_wrapped(node.of, _ATOM)}%", _ATOM - 1
        case Factorial():
            return f"{_wrapped(node.of, _ATOM)}!", _ATOM - 1
        case Root():
            sign = ROOT if node.degree == 2 else f"cube root {ROOT}"  # noqa: PLR2004  the grammar knows two roots
            return f"{sign}{_wrapped(node.of, _ATOM)}", _ATOM - 1
        case Binary():
            return _render_binary(node)


def _render_binary(node: Binary) -> tuple[str, int]:
    strength = _STRENGTH[node.operator]
    if node.operator == "^":
        return f"{_wrapped(node.left, _ATOM)}^{_wrapped(node.right, strength)}", strength
    sign = TIMES if node.operator == "*" else node.operator
    return f"{_wrapped(node.left, strength)} {sign} {_wrapped(node.right, strength + 1)}", strength


def _wrapped(node: Node, least: int) -> str:
    text, strength = _render(node)
    return text if strength >= least else f"({text})"
