"""What the calculator works with, and what it gives back."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

from auritas.kernel.errors import UsageError


@dataclass(frozen=True, slots=True)
class Value:
    """A number. doubt: bound on its relative error, 0 for all but irrational numbers and what comes of them."""

    amount: Fraction
    doubt: float = 0.0

    @property
    def exact(self) -> bool:
        """Whether `amount` is the number itself."""
        return self.doubt == 0


@dataclass(frozen=True, slots=True)
class Calculation:
    """An answered question. answer: the short answer. explanation: the question as it was read, and its result."""

    answer: str
    explanation: str


@dataclass(frozen=True, slots=True)
class Abstention:
    """The question is not ours, is ambiguous, has no value or is too large. reason: one sentence that says which."""

    reason: str


class NotOursError(UsageError):
    """The question, or a part of it, is not for a calculator. It ends as an Abstention and never reaches a person."""

    code = "not_a_calculation"


class Units(Protocol):
    """Converts between units of measure, which go by the names in `lexicon.NAMES`."""

    def convert(self, amount: Fraction, source: str, target: str) -> Fraction:
        """Return `amount` of `source` in `target`, exactly. Both measure the same kind of thing."""
