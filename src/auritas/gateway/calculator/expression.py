"""The grammar of expressions, by recursive descent. What it does not take whole it does not take.

    sum      = product { ("+" | "-") product }
    product  = sign { ("*" | "/" | "mod" | "rem" | "of") sign }
    sign     = "-" sign | power
    power    = postfix [ "^" sign ]
    postfix  = operand { "!" | "%" }
    operand  = number | "(" sum ")" | root operand | function postfix

Functions in prose ("the square root of 16 plus 9", "15 % of 80 plus 20") do not say where they end, so nothing may
follow them except the end; with brackets they may stand anywhere.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from auritas.gateway.calculator.model import NotOursError
from auritas.gateway.calculator.tokens import Kind, Token, tokens

MAX_DEPTH = 32


@dataclass(frozen=True, slots=True)
class Number:
    """A number as it was written."""

    value: Fraction
    text: str
    is_part: bool = False
    """Spelled as a part of something: "two thirds"."""


@dataclass(frozen=True, slots=True)
class Negative:
    """The opposite of `of`."""

    of: "Node"


@dataclass(frozen=True, slots=True)
class Percent:
    """`of` hundredths."""

    of: "Node"


@dataclass(frozen=True, slots=True)
class Factorial:
    """The product of the whole numbers up to `of`."""

    of: "Node"


@dataclass(frozen=True, slots=True)
class Root:
    """The root of `of`; degree 2 or 3."""

    of: "Node"
    degree: int


@dataclass(frozen=True, slots=True)
class Binary:
    """Two operands under one of + - * / ^ mod."""

    operator: str
    left: "Node"
    right: "Node"


Node: TypeAlias = Number | Negative | Percent | Factorial | Root | Binary

_PROSE = {"root": 2, "cbrt": 3}
_OPERATORS = frozenset({"+", "-", "*", "/", "^", "mod", "rem", "of", "!", "%", "("})


def parse(text: str) -> Node:
    """Return the tree of an expression in natural dress. Raises NotOursError unless all of it is one."""
    parser = _Parser(tokens(text))
    node = parser.sum()
    parser.expect_end()
    return node


def is_bare(node: Node) -> bool:
    """Whether the tree is one number or one percentage, which asks nothing."""
    return isinstance(node, Number) or (isinstance(node, Negative | Percent) and is_bare(node.of))


class _Parser:
    """Walks over the tokens once; every method reads the part of the grammar that bears its name."""

    def __init__(self, row: list[Token]) -> None:
        self._row = row
        self._at = 0
        self._depth = 0

    def expect_end(self) -> None:
        if self._next.kind is not Kind.END:
            raise NotOursError("It goes on after the calculation.")

    def sum(self) -> Node:
        left = self._product()
        while operator := self._take("+", "-"):
            right = self._product()
            if isinstance(right, Percent) or isinstance(left, Percent):
                raise NotOursError("Adding a percentage can mean two things.")
            left = Binary(operator, left, right)
        return left

    def _product(self) -> Node:
        left = self._sign()
        divided = False
        while True:
            if self._next.text == "(" and not divided and self._follows_amount:
                operator, right = "*", self._sign()  # 2(3 + 4); after a division it would be ambiguous
            elif operator := self._take("*", "/", "mod", "rem", "of"):
                right = self._sign()
            else:
                return left
            divided = divided or operator == "/"
            left = self._joined(operator, left, right)

    def _joined(self, operator: str, left: Node, right: Node) -> Node:
        if operator == "of":
            if not _counts_parts(left):
                raise NotOursError("Only parts and percentages are taken of something.")
            self._close()
            operator = "*"
        elif operator == "rem":
            operator = "mod"
        return Binary(operator, left, right)

    def _sign(self) -> Node:
        self._descend()
        if not self._take("-"):
            node = self._power()
        else:
            bracketed = self._next.text == "("
            of = self._sign()
            if isinstance(of, Binary) and of.operator == "^" and not bracketed:
                raise NotOursError("The power of a negative number needs brackets.")
            node = Negative(of)
        self._depth -= 1
        return node

    def _power(self) -> Node:
        base = self._postfix()
        if not self._take("^"):
            return base
        return Binary("^", base, self._sign())

    def _postfix(self) -> Node:
        node = self._operand()
        while sign := self._take("!", "%"):
            if isinstance(node, Factorial | Percent):
                raise NotOursError("A sign is doubled.")
            node = Factorial(node) if sign == "!" else Percent(node)
        return node

    def _operand(self) -> Node:
        token = self._next
        self._at += 1
        if token.kind in {Kind.NUMBER, Kind.FRACTION}:
            return Number(token.value, token.text, token.kind is Kind.FRACTION)
        if token.text == "(":
            return self._bracket()
        if token.text in {"√", "sqrt"}:
            return Root(self._tight(), 2)
        if token.text in {"root", "cbrt", "square", "cube", "fact", "twice", "thrice"}:
            return self._prose(token.text)
        raise NotOursError("An amount is missing.")

    def _bracket(self) -> Node:
        self._descend()
        node = self.sum()
        if not self._take(")"):
            raise NotOursError("A bracket stays open.")
        self._depth -= 1
        return node

    def _tight(self) -> Node:
        """Read the operand of √, which is a number or a bracket."""
        token = self._next
        self._at += 1
        if token.kind is Kind.NUMBER:
            return Number(token.value, token.text)
        if token.text == "(":
            return self._bracket()
        raise NotOursError("A root of nothing.")

    def _prose(self, word: str) -> Node:
        self._descend()
        bracketed = self._next.text == "("
        of = self._operand() if bracketed else self._postfix()
        self._depth -= 1
        if not bracketed:
            self._close()
        if word in _PROSE:
            return Root(of, _PROSE[word])
        if word == "fact":
            return Factorial(of)
        if word in {"square", "cube"}:
            exponent = 2 if word == "square" else 3
            return Binary("^", of, Number(Fraction(exponent), str(exponent)))
        factor = 2 if word == "twice" else 3
        return Binary("*", Number(Fraction(factor), str(factor)), of)

    def _close(self) -> None:
        if self._next.text in _OPERATORS:
            raise NotOursError("It is not clear where the words before an operator end.")

    def _descend(self) -> None:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise NotOursError("It is nested too deeply.")

    @property
    def _next(self) -> Token:
        return self._row[min(self._at, len(self._row) - 1)]

    @property
    def _follows_amount(self) -> bool:
        before = self._row[self._at - 1]
        return before.kind is Kind.NUMBER or before.text == ")"

    def _take(self, *symbols: str) -> str:
        token = self._next
        if token.kind is Kind.SYMBOL and token.text in symbols:
            self._at += 1
            return token.text
        return ""


def _counts_parts(node: Node) -> bool:
    if isinstance(node, Number):
        return node.is_part
    ratio = isinstance(node, Binary) and node.operator == "/"
    return isinstance(node, Percent) or (
        ratio and isinstance(node, Binary) and _whole(node.left) and _whole(node.right)
    )


def _whole(node: Node) -> bool:
    return isinstance(node, Number) and node.value.denominator == 1
