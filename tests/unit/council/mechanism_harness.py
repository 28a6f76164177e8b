"""Looks for a profitable lie in a payment rule: thousands of random rounds, each with a hundred deviations, at once.

It shares no code with the ledger: places, prices and credits are written a second time here, in closed form and over
arrays, so that a mistake would have to be made twice. A test compares the two.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Array: TypeAlias = npt.NDArray[np.float64]

TOLERANCE = 1e-9
DEVIATIONS = 101
AUTHORS, KNOTS = 6, 11


@dataclass(frozen=True)
class Rounds:
    """Random rounds seen by one author, column 0; the reports of the others are whatever they are.

    belief [n]: what author 0 thinks of its own answer. reports [n, 6]: column 0 is unused. curves [n, 6, 11]: each
    author's recalibration at its knots. there [n, 6]: who is an author. ties [n, 6]: the larger wins a tie.
    """

    belief: Array
    reports: Array
    curves: Array
    there: npt.NDArray[np.bool_]
    ties: npt.NDArray[np.int64]

    @property
    def rivals(self) -> npt.NDArray[np.bool_]:
        return self.there & (np.arange(AUTHORS) > 0)

    @property
    def best(self) -> Array:
        """The highest recalibrated report among the others; -1 where there are none."""
        others = recalibrated(self.curves.reshape(-1, KNOTS), self.reports.reshape(-1, 1)).reshape(self.reports.shape)
        return np.asarray(np.where(self.rivals, others, -1.0).max(axis=1))

    @property
    def wins_tie(self) -> npt.NDArray[np.bool_]:
        others = recalibrated(self.curves.reshape(-1, KNOTS), self.reports.reshape(-1, 1)).reshape(self.reports.shape)
        level = self.rivals & (others == self.best[:, None])
        return np.asarray(self.ties[:, 0] > np.where(level, self.ties, -1).max(axis=1))

    def shown(self, own: Array) -> npt.NDArray[np.bool_]:
        """Whether author 0 is shown with each of its reports `own` [n, m]."""
        value = recalibrated(self.curves[:, 0], own)
        best, wins = self.best[:, None], self.wins_tie[:, None]
        return np.asarray((value > best) | ((value == best) & wins))

    @property
    def price(self) -> Array:
        """The generalised inverse of author 0's curve at the best of the others [n, 1]; 1 where nothing reaches it."""
        curve, best = self.curves[:, 0], self.best[:, None]
        reaches = np.where(self.wins_tie[:, None], curve >= best, curve > best)
        right = np.where(reaches.any(axis=1), reaches.argmax(axis=1), KNOTS - 1)
        left = np.maximum(right - 1, 0)
        low, high = np.take_along_axis(curve, np.stack([left, right], axis=1), axis=1).T
        part = np.divide(self.best - low, high - low, out=np.ones_like(low), where=high > low)
        price = np.where(right == 0, 0.0, (left + np.clip(part, 0, 1)) / (KNOTS - 1))
        return np.asarray(price[:, None])


Earnings: TypeAlias = Callable[[Rounds, Array, float], Array]
"""What author 0 earns with each of its reports [n, m] when its answer turns out as given: 1 right, 0 wrong."""


def recalibrated(curves: Array, reports: Array) -> Array:
    """Straight lines between knots: curves [n, 11], reports [n, m]."""
    place = reports * (KNOTS - 1)
    left = np.minimum(place.astype(int), KNOTS - 2)
    low = np.take_along_axis(curves, left, axis=1)
    high = np.take_along_axis(curves, left + 1, axis=1)
    return np.asarray(np.minimum(high, low + (high - low) * (place - left)))


def brier_credit(reports: Array, outcome: float) -> Array:
    return np.asarray(outcome - (reports - outcome) ** 2)


def expected(earnings: Earnings, rounds: Rounds, own: Array) -> Array:
    """What author 0 expects by its own belief, which the reports of the others do not move."""
    belief = rounds.belief[:, None]
    return belief * earnings(rounds, own, 1.0) + (1 - belief) * earnings(rounds, own, 0.0)


def deviations(rounds: Rounds) -> Array:
    """A grid of 101 reports from 0 to 1, and the places where a rule could break: the price and just beside it."""
    grid = np.broadcast_to(np.linspace(0, 1, DEVIATIONS), (len(rounds.belief), DEVIATIONS))
    price = rounds.price
    beside = [price, np.nextafter(price, 0), np.nextafter(price, 1), price - 1e-6, price + 1e-6]
    return np.asarray(np.clip(np.hstack([grid, *beside]), 0, 1))


def greatest_gain(earnings: Earnings, rounds: Rounds) -> float:
    """The most that any lie earns over the truth, expected, in any of the rounds."""
    truth = expected(earnings, rounds, rounds.belief[:, None])
    return float((expected(earnings, rounds, deviations(rounds)) - truth).max())


def accepts(earnings: Earnings, rounds: Rounds) -> bool:
    return greatest_gain(earnings, rounds) <= TOLERANCE


def random_rounds(count: int, seed: int) -> Rounds:
    """Rounds of one to six authors, in which ties, plateaus and reports of 0 and 1 are common."""
    rng = np.random.default_rng(seed)
    authors = rng.integers(1, AUTHORS + 1, count)
    return Rounds(
        belief=_probabilities(rng, (count,)),
        reports=_probabilities(rng, (count, AUTHORS)),
        curves=_curves(rng, count),
        there=np.arange(AUTHORS) < authors[:, None],
        ties=rng.permuted(np.broadcast_to(np.arange(AUTHORS), (count, AUTHORS)), axis=1),
    )


def _probabilities(rng: np.random.Generator, shape: tuple[int, ...]) -> Array:
    anywhere, tenths = rng.random(shape), rng.integers(0, 11, shape) / 10
    ends = rng.integers(0, 2, shape).astype(float)
    return np.asarray(np.choose(rng.integers(0, 5, shape), [anywhere, anywhere, tenths, tenths, ends]))


def _curves(rng: np.random.Generator, count: int) -> Array:
    shape = (count, AUTHORS, KNOTS)
    stated = np.broadcast_to(np.linspace(0, 1, KNOTS), shape)
    smooth = np.sort(rng.random(shape), axis=2)
    steps = np.sort(rng.integers(0, 6, shape) / 5, axis=2)
    flat = np.broadcast_to(rng.integers(0, 11, (count, AUTHORS, 1)) / 10, shape)
    kind = rng.integers(0, 4, (count, AUTHORS, 1))
    return np.asarray(np.round(np.choose(kind, [stated, smooth, steps, flat]), 6))
