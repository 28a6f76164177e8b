"""Asking one after another: when what the first members said is enough."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from auritas.council.choice.fit import Design, Vector, design, fit, probabilities, weights_of
from auritas.council.choice.model import Case, restricted
from auritas.council.choice.paired import hits
from auritas.council.choice.penalties import Penalties
from auritas.council.choice.prior import MEAN_WEIGHT, prior_weights
from auritas.council.choice.rule import Weights
from auritas.council.choice.snapshot import NEVER, Stage

LOSS_ALLOWED = 0.002
"""Of accuracy, paired with asking everybody, at the one-sided 90 % bound."""
BOUND_Z = 1.2816
"""One-sided 90 % of the normal distribution."""
FEWEST_GRADES = 100
"""Below this nothing is known about when to stop, and the fixed rule of the levels holds."""
FOLDS = 2
GRID = (*(step / 100 for step in range(50, 90, 2)), *(step / 1000 for step in range(900, 1000, 5)))
"""Thresholds tried."""


@dataclass(frozen=True, slots=True)
class Progress:
    """What a cascade would have said of each graded question, one row a stage, the whole council last.

    confidence: P of the leading candidate. hit: whether it is right. asked: members asked up to each stage.
    """

    confidence: Vector
    hit: Vector
    asked: tuple[int, ...]

    def stopped(self, threshold: float) -> tuple[Vector, Vector]:
        """Return for each question whether the cascade is right, and how many members it asks, at one threshold."""
        enough = self.confidence >= threshold
        enough[-1] = True
        stage = enough.argmax(axis=0)
        every = np.arange(self.hit.shape[1])
        return self.hit[stage, every], np.asarray(self.asked, float)[stage]


def stages(
    cases: Sequence[Case], order: Sequence[str], rates: Mapping[str, float], penalties: Penalties
) -> tuple[Stage, ...]:
    """Return the stages of a cascade in `order`; the last, which asks everybody, is not listed.

    Each stage is rule A learned on its members alone. One threshold serves all: the least on GRID whose bound on the
    paired loss, measured on questions that were not learned from, is within LOSS_ALLOWED.
    """
    complete = [case for case in cases if case.likelihood is not None and set(order) <= set(case.situation.asked)]
    if len(complete) < FEWEST_GRADES or len(order) < 2:  # noqa: PLR2004  one member is no cascade
        return ()
    firsts = _firsts(complete, order, rates, penalties)
    found = _progress(firsts, len(complete))
    threshold = allowed(found)
    _, asked = found.stopped(threshold)
    return tuple(replace(first.stage(threshold), stops=_share(asked, first)) for first in firsts[:-1])


@dataclass(frozen=True, slots=True)
class _First:
    """What the first members say alone. usable: the cases, by place, from which anything can be learned."""

    seats: tuple[str, ...]
    usable: NDArray[np.int64]
    design: Design
    prior: Weights
    penalties: Penalties

    def fitted(self, chosen: NDArray[np.bool_] | None = None) -> Vector:
        part = self.design if chosen is None else self.design.rows(np.flatnonzero(chosen))
        return fit(part, self.prior, self.penalties)

    def stage(self, threshold: float) -> Stage:
        return Stage(self.seats, weights_of(self.design.names, self.fitted(), MEAN_WEIGHT), threshold)

    def held_out(self, count: int) -> tuple[Vector, Vector]:
        """Return P of the leading option of each case, learned on the other half, and how likely it is right."""
        confidence, hit = np.zeros(count), np.zeros(count)
        for fold in range(FOLDS):
            held = self.usable % FOLDS == fold
            part = self.design.rows(np.flatnonzero(held))
            p, _ = probabilities(part, self.fitted(~held))
            confidence[self.usable[held]] = np.maximum.reduceat(p, part.start[:-1])
            hit[self.usable[held]] = hits(part, p)
        return confidence, hit


def _share(asked: Vector, first: _First) -> float:
    """Return the share of questions for which these members were all that was asked."""
    return float((asked == len(first.seats)).mean())


def _firsts(
    cases: Sequence[Case], order: Sequence[str], rates: Mapping[str, float], penalties: Penalties
) -> list[_First]:
    found = []
    for size in range(1, len(order) + 1):
        seats = tuple(order[:size])
        own = [restricted(case, frozenset(seats)) for case in cases]
        usable = np.array([index for index, case in enumerate(own) if case.teaches], dtype=np.int64)
        found.append(_First(seats, usable, design(own), prior_weights(rates, seats), penalties))
    return found


def progress(cases: Sequence[Case], order: Sequence[str], rates: Mapping[str, float], penalties: Penalties) -> Progress:
    """Return what each stage says of each case, learned on the other half of the cases."""
    return _progress(_firsts(cases, order, rates, penalties), len(cases))


def _progress(firsts: Sequence[_First], count: int) -> Progress:
    found = [first.held_out(count) for first in firsts]
    sizes = tuple(len(first.seats) for first in firsts)
    return Progress(np.array([p for p, _ in found]), np.array([hit for _, hit in found]), sizes)


def allowed(found: Progress) -> float:
    """Return the least threshold whose one-sided bound on the paired loss is within LOSS_ALLOWED, or NEVER."""
    for threshold in GRID:
        hit, _ = found.stopped(threshold)
        loss = found.hit[-1] - hit
        if loss.mean() + BOUND_Z * loss.std(ddof=1) / np.sqrt(len(loss)) <= LOSS_ALLOWED:
            return threshold
    return NEVER
