"""What a report earns when its answer is graded, and what may stand in for a grade that can be wrong."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from auritas.council.model import Grade
from auritas.kernel.errors import InvalidError

LEAST_EDGE = 0.2
"""A grader with less settles nothing: its "right" and its "wrong" would lie 1 / 0.2 = 5 right answers apart."""


class UninformativeGraderError(InvalidError):
    """A grader's word says nothing about the truth, so nothing can stand in for it."""

    code = "uninformative_grader"


@dataclass(frozen=True, slots=True)
class Confusion:
    """How often a grader calls a right answer right (sensitivity) and a wrong one wrong (specificity), in [0, 1]."""

    sensitivity: float
    specificity: float

    def __post_init__(self) -> None:
        if not (0 <= self.sensitivity <= 1 and 0 <= self.specificity <= 1):
            raise InvalidError("Sensitivity and specificity lie between 0 and 1.")

    @property
    def edge(self) -> float:
        """Return sensitivity + specificity - 1: 1 for a certain grader, 0 for a coin (Youden, Cancer 3, 1950)."""
        return self.sensitivity + self.specificity - 1


@dataclass(frozen=True, slots=True)
class Outcome:
    """How an answer turned out. value: 1 right, 0 wrong, or an unbiased stand-in, which may lie outside [0, 1].

    edge: of the grader behind it. basis: who says so, for a person.
    """

    value: float
    edge: float
    basis: str


def credit(report: float, outcome: float) -> float:
    """Return y - (p - y)^2 for the report p of an answer with outcome y: the Brier score, moved so that 0 is the worst.

    Because y^2 = y this is p(2y - p), which is linear in y; so an unbiased stand-in for y may be given instead. For a
    belief b the expectation is b^2 - (p - b)^2: largest at p = b alone, where it is never negative. A wrong answer
    reported with p = 0 earns 0, a right one reported with p = 1 earns 1. Source: Brier, Monthly Weather Review 78
    (1950); Gneiting and Raftery, JASA 102 (2007), section 3.
    """
    return checked(report) * (2 * outcome - report)


def checked(report: float) -> float:
    """Return `report`. Raises InvalidError unless it lies in [0, 1]."""
    if not 0 <= report <= 1:
        raise InvalidError(f"A reported confidence lies between 0 and 1, not {report}.")
    return report


def surrogate(confusion: Confusion, *, said_right: bool) -> float:
    """Return what stands in for the outcome when a grader may err: its expectation, given the truth, is the truth.

    The inverse of the grader's confusion matrix applied to what it said. Raises UninformativeGraderError when
    sensitivity + specificity <= 1. Source: Natarajan et al., NeurIPS 2013, lemma 1; Liu, Wang and Chen, EC 2020.
    """
    if confusion.edge <= 0:
        raise UninformativeGraderError(
            f"A grader with sensitivity {confusion.sensitivity} and specificity {confusion.specificity} says nothing.",
            remedy="Leave its grades out, or measure it again on answers whose truth is known.",
        )
    return (confusion.specificity - (not said_right)) / confusion.edge


def settled(grades: Sequence[Grade], graders: Mapping[str, Confusion] | None = None) -> Outcome | None:
    """Return the outcome of one answer from its grades in force, oldest first, or None where they tell too little.

    The grade of the grader with the largest edge counts, the newest of equals: who counts never depends on what was
    said, so the result stays unbiased. graders: confusion by `given_by`; else a grade errs equally both ways.
    """
    known = [(confusion_of(g, graders or {}), g) for g in grades if g.correct is not None]
    telling = [(c, g) for c, g in known if c.edge >= LEAST_EDGE]
    if not telling:
        return None
    edge = max(c.edge for c, _ in telling)
    confusion, grade = next((c, g) for c, g in reversed(telling) if c.edge == edge)
    value = surrogate(confusion, said_right=bool(grade.correct))
    return Outcome(value, edge, _basis(grade, value, edge))


def confusion_of(grade: Grade, graders: Mapping[str, Confusion]) -> Confusion:
    """Return the confusion of who gave `grade`: measured where it is known, else what its reliability says."""
    return graders.get(grade.given_by) or Confusion(grade.reliability, grade.reliability)


def _basis(grade: Grade, value: float, edge: float) -> str:
    said = f"graded {'right' if grade.correct else 'wrong'} by {grade.given_by or grade.source}"
    return said if edge == 1 else f"{said}, who can err: counts as {value:.2f}"
