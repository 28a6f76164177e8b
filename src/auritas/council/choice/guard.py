"""When the council may overrule its best member: once it is expected to be right more often.

Before grades, what is expected follows from how far the best member stands out; with grades, from paired hits on
questions that were not learned from, shrunk towards that expectation.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from auritas.council.choice.prior import log_odds

AMONG_EQUALS, FADING = 0.025, 2.0
"""Gain of a council that has learned whose best two members are equal, and how fast it fades with each unit of
log-odds between them."""
LOSS_PER_GAP, LEARNED_AT, LEARNING = 0.045, 300.0, 1.5
"""What a council that has learned nothing loses with each unit of that gap, the grades that halve the loss, and the
power of grades by which it shrinks."""
SPREAD, SPREAD_AMONG_EQUALS, SPREAD_UNLEARNED = 0.001, 0.007, 0.02
"""How far pools of one gap differ: at least, when their best two are equal, and before anything is learned."""


@dataclass(frozen=True, slots=True)
class Guard:
    """Whether the council's rule is in force, and what that rests on.

    expected: gain over the best member with fallback in pools of this kind. measured: paired gain over `questions`
    held-out questions; error: its standard error. gain: both, each weighed by its certainty. All are shares of
    questions.
    """

    council: bool
    gain: float
    expected: float
    measured: float = 0.0
    error: float = 0.0
    questions: int = 0


def expected_gain(rates: Mapping[str, float], grades: int) -> float:
    """Return what a council gains over its best member in pools of this kind, from the gap between its best two.

    The line was drawn through random pools of recorded answers; `docs/design/mechanism.md` has it.
    """
    gap = _gap(rates)
    if gap is None:
        return 0.0
    return AMONG_EQUALS * math.exp(-FADING * gap) - LOSS_PER_GAP * gap * _unlearned(grades)


def _spread(rates: Mapping[str, float], grades: int) -> float:
    """Return the standard deviation of the gain over pools of this kind."""
    equal = math.exp(-FADING * (_gap(rates) or 0.0))
    return SPREAD + SPREAD_AMONG_EQUALS * equal + SPREAD_UNLEARNED * _unlearned(grades)


def _gap(rates: Mapping[str, float]) -> float | None:
    """Return by how many units of log-odds the best member leads the second; None: it has nobody to overrule it."""
    odds = sorted((log_odds(rate) for rate in rates.values()), reverse=True)
    return odds[0] - odds[1] if len(odds) > 1 else None


def _unlearned(grades: int) -> float:
    """Return how much is still to be learned, from 1 without grades to 0."""
    return float(1 / (1 + (grades / LEARNED_AT) ** LEARNING))


def believed(rates: Mapping[str, float], grades: int) -> Guard:
    """Return the guard before anything was measured on this pool."""
    expected = expected_gain(rates, grades)
    return Guard(expected > 0, expected, expected)


def measured(rates: Mapping[str, float], gain: float, error: float, questions: int) -> Guard:
    """Return the guard once the council's paired gain was measured: expectation and measurement by their certainties.

    gain: mean over `questions` that were not learned from; error: its standard error.
    """
    expected = expected_gain(rates, questions)
    certainty, prior = 1 / max(error, 1 / questions) ** 2, 1 / _spread(rates, questions) ** 2
    weighed = (prior * expected + certainty * gain) / (prior + certainty)
    return Guard(weighed > 0, weighed, expected, gain, error, questions)
