"""Paired hits of the council and of its best member, on questions that were not learned from."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from auritas.council.choice.fit import Design, Vector, fit, probabilities
from auritas.council.choice.guard import Guard, believed, measured
from auritas.council.choice.penalties import Penalties
from auritas.council.choice.rule import Weights

FOLDS = 5
UNSEEN = 4.0
"""Differences that might as well have been seen: where the two hardly ever differ, a handful proves little."""


@dataclass(frozen=True, slots=True)
class Fits:
    """How the rule is fitted: towards what, how firmly, and from where."""

    prior: Weights
    penalties: Penalties
    start: Weights | None = None


def guard(design: Design | None, rates: Mapping[str, float], fits: Fits) -> Guard:
    """Return the guard for what was learned so far. design: the graded cases in the order of asking."""
    grades = len(design) if design is not None else 0
    if design is None or grades < FOLDS * FOLDS:
        return believed(rates, grades)
    gains = np.concatenate([_held_out(design, rates, fits, fold) for fold in range(FOLDS)])
    error = math.sqrt(float(((gains - gains.mean()) ** 2).sum()) + UNSEEN) / len(gains)
    return measured(rates, float(gains.mean()), error, len(gains))


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
    right = np.einsum("os,o->s", design.supports, design.likelihood / total[design.question])
    believed = np.array([rates.get(seat, 0.5) for seat in design.names.seats])
    posterior = (right + 20 * believed) / (len(design) + 20)
    return [int(index) for index in np.argsort(-posterior, kind="stable")]


def fallback_scores(supports: Vector, order: Sequence[int]) -> Vector:
    """Return a score for each option that is highest for what the first seat in `order` to have answered says."""
    ranks = np.zeros(supports.shape[1])
    ranks[list(order)] = 2.0 ** -np.arange(len(order))
    return np.asarray(np.einsum("os,s->o", supports, ranks), float)


def hits(design: Design, scores: NDArray[np.float64]) -> Vector:
    """Return how likely it is, for each question, that the highest scored option is the right one."""
    total = np.add.reduceat(design.likelihood, design.start[:-1]) + design.none_likelihood
    best = np.maximum.reduceat(scores, design.start[:-1])
    chosen = scores >= best[design.question] - 1e-12
    right = np.add.reduceat(np.where(chosen, design.likelihood, 0.0), design.start[:-1])
    ties = np.add.reduceat(chosen.astype(float), design.start[:-1])
    return np.asarray(right / ties / total, float)
