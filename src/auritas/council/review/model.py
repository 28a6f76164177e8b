"""What reviewing speaks about: verdicts on answers whose truth is known, how far to believe them, and comparisons."""

from dataclasses import dataclass, field
from enum import StrEnum

from auritas.kernel.answers import ReviewVerdict
from auritas.kernel.errors import InvalidError
from auritas.kernel.model import Usage


@dataclass(frozen=True, slots=True)
class KnownAnswer:
    """A question, an answer to it, and whether that answer is right: to measure reviewers with.

    id: of an item that ships with the program, or `run:` and the id of a run that a person graded.
    """

    id: str
    question: str
    answer: str
    is_right: bool


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What a reviewer said of an answer whose truth was known."""

    item: str
    is_right: bool
    verdict: ReviewVerdict


@dataclass(frozen=True, slots=True)
class Verdicts:
    """Plain verdicts that were true among those given, on right answers and on wrong ones."""

    right: tuple[int, int] = (0, 0)
    wrong: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class Reliability:
    """How far a reviewer's verdicts can be believed.

    sensitivity: share of right answers that it calls correct. specificity: share of wrong answers that it calls
    incorrect. Both count plain verdicts only, since no other gives a grade, and start from a prior. checks: plain
    verdicts that were counted. plain: share of all its checks that ended in one.
    """

    sensitivity: float
    specificity: float
    checks: int = 0
    plain: float | None = None

    def __post_init__(self) -> None:
        if not (0 <= self.sensitivity <= 1 and 0 <= self.specificity <= 1):
            raise InvalidError("Sensitivity and specificity lie between 0 and 1.")

    @property
    def informedness(self) -> float:
        """Sensitivity + specificity - 1: 1 for one who is always right, 0 for a coin or one who always says the same.

        Youden, Cancer 3 (1950). One who is wrong more often than right also counts as 0: nobody is believed in reverse.
        """
        return max(0.0, self.sensitivity + self.specificity - 1)

    @property
    def of_a_grade(self) -> float:
        """Mean of sensitivity and specificity, at least one half, at which a grade says nothing."""
        return (1 + self.informedness) / 2


@dataclass(frozen=True, slots=True)
class Bias:
    """How much something that should not matter moves a reviewer: a difference of shares in [-1, 1], over `count`."""

    difference: float
    count: int


class Preference(StrEnum):
    """Which of two answers is better; first and second name the answers, wherever they stood when they were shown."""

    FIRST = "first"
    SECOND = "second"
    NEITHER = "neither"


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two answers compared blind in both orders.

    first, second: ids of the answers (of candidates for the content judge, of runs between members). forward: the
    preference when `first` was shown first; backward: when `second` was.
    """

    judge: str
    first: str
    second: str
    forward: Preference
    backward: Preference
    usage: Usage = field(default_factory=Usage)

    @property
    def favours(self) -> str | None:
        """The id of the answer that was preferred in both orders, if one was."""
        if self.forward is not self.backward:
            return None
        return {Preference.FIRST: self.first, Preference.SECOND: self.second}.get(self.forward)


@dataclass(frozen=True, slots=True)
class JudgeRecord:
    """How the content judge did on real disagreements in which exactly one of the two answers was graded right."""

    right: int = 0
    graded: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.right <= self.graded:
            raise InvalidError(f"{self.right} of {self.graded} is no record.")
