"""When the council may overrule its best member: once it is expected to be right more often.

Before grades, what is expected follows from how far the best member stands out; with grades, from paired hits on
questions that were not learned from, shrunk towards that expectation.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from auritas.council.choice.fit import Design, Penalties, Vector, fit, probabilities
from auritas.council.choice.prior import log_odds
from auritas.council.choice.rule import Weights

FOLDS = 5
AMONG_EQUALS, FADING = 0.025, 2.0
"""Gain of a council that has learned whose best two members are equal, and how fast it fades with each unit of
log-odds between them."""
LOSS_PER_GAP, LEARNED_AT, LEARNING = 0.06, 100.0, 1.5
"""What a council that has learned nothing loses with each unit of that gap, the grades that halve the loss, and the
power of grades by which it shrinks."""
SPREAD, SPREAD_AMONG_EQUALS, SPREAD_UNLEARNED = 0.002, 0.007, 0.02
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


@dataclass(frozen=True, slots=True)
class Fits:
    """How the rule is fitted: towards what, how firmly, and from where."""

    prior: Weights
    penalties: Penalties
    start: Weights | None = None


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


def guard(design: Design | None, rates: Mapping[str, float], fits: Fits) -> Guard:
    """Return the guard for what was learned so far. design: the graded cases in the order of asking."""
    grades = len(design) if design is not None else 0
    expected = expected_gain(rates, grades)
    if design is None or grades < FOLDS * FOLDS:
        return Guard(expected > 0, expected, expected)
    gains = np.concatenate([_held_out(design, rates, fits, fold) for fold in range(FOLDS)])
    measured, error = float(gains.mean()), float(gains.std(ddof=1) / math.sqrt(len(gains)))
    certainty = 1 / max(error, 1 / len(gains)) ** 2
    believed = 1 / _spread(rates, grades) ** 2
    gain = (believed * expected + certainty * measured) / (believed + certainty)
    return Guard(gain > 0, gain, expected, measured, error, len(gains))


def _held_out(design: Design, rates: Mapping[str, float], fits: Fits, fold: int) -> Vector:
    """Return, for each question of one fold, the council's hit minus that of the best member with fallback."""
    every = np.arange(len(design))
    learned, held = design.rows(every[every % FOLDS != fold]), design.rows(every[every % FOLDS == fold])
    options, _ = probabilities(held, fit(learned, fits.prior, fits.penalties, fits.start))
    order = _order(learned, rates)
    return hits(held, options) - hits(held, fallback_scores(held.supports, order))


def _order(design: Design, rates: Mapping[str, float]) -> list[int]:
    """Return the columns of the seats, the one most often right first."""
    total = np.add.reduceat(design.likelihood, design.start[:-1]) + design.none_likelihood
    right = design.supports.T @ (design.likelihood / total[design.question])
    believed = np.array([rates.get(seat, 0.5) for seat in design.names.seats])
    posterior = (right + 20 * believed) / (len(design) + 20)
    return [int(index) for index in np.argsort(-posterior, kind="stable")]


def fallback_scores(supports: Vector, order: Sequence[int]) -> Vector:
    """Return a score for each option that is highest for what the first seat in `order` to have answered says."""
    ranks = np.zeros(supports.shape[1])
    ranks[list(order)] = 2.0 ** -np.arange(len(order))
    return np.asarray(supports @ ranks, float)


def hits(design: Design, scores: NDArray[np.float64]) -> Vector:
    """Return how likely it is, for each question, that the highest scored option is the right one."""
    total = np.add.reduceat(design.likelihood, design.start[:-1]) + design.none_likelihood
    best = np.maximum.reduceat(scores, design.start[:-1])
    chosen = scores >= best[design.question] - 1e-12
    right = np.add.reduceat(np.where(chosen, design.likelihood, 0.0), design.start[:-1])
    ties = np.add.reduceat(chosen.astype(float), design.start[:-1])
    return np.asarray(right / ties / total, float)
