"""Measures of accuracy, calibration and ranking, each with its source."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]
Z = 1.959964
"""97.5 % of the normal distribution."""
BINS = 15
"""Bins of equal size for the calibration error."""
_DRAWS = 200


def ece(p: Vector, hit: Vector, bins: int = BINS) -> float:
    """Return the expected calibration error over bins of equal size, in [0, 1].

    The mean over bins of |mean P - share right|: Naeini, Cooper and Hauskrecht (2015), with quantile bins.
    """
    order = np.argsort(p, kind="stable")
    parts = [part for part in np.array_split(order, bins) if len(part)]
    return float(sum(len(part) * abs(p[part].mean() - hit[part].mean()) for part in parts) / max(len(p), 1))


def ece_floor(p: Vector, draw: Callable[[tuple[int, int]], Vector], bins: int = BINS) -> float:
    """Return the calibration error that a perfect P shows at this size by chance alone. draw: uniform numbers."""
    outcomes = (draw((_DRAWS, len(p))) < p).astype(float)
    return float(np.mean([ece(p, outcome, bins) for outcome in outcomes]))


def brier(p: Vector, hit: Vector) -> float:
    """Return the mean squared error of P: Brier (1950)."""
    return float(np.mean((p - hit) ** 2))


def auroc(p: Vector, hit: Vector) -> float:
    """Return how often a right answer has a higher P than a wrong one, ties counting half."""
    from scipy.stats import rankdata

    right = hit > 0.5  # noqa: PLR2004
    positives, negatives = int(right.sum()), int((~right).sum())
    if not positives or not negatives:
        return 0.5
    ranks = rankdata(p)
    return float((ranks[right].sum() - positives * (positives + 1) / 2) / (positives * negatives))


def accuracy_at(p: Vector, hit: Vector, coverage: float) -> float:
    """Return the accuracy on the share `coverage` of questions with the highest P."""
    kept = max(1, round(coverage * len(p)))
    return float(hit[np.argsort(-p, kind="stable")[:kept]].mean())


def reliability(p: Vector, hit: Vector, bins: int = BINS) -> tuple[tuple[float, float, int], ...]:
    """Return for each bin of equal size the mean P, the share right, and the number of questions."""
    order = np.argsort(p, kind="stable")
    parts = [part for part in np.array_split(order, bins) if len(part)]
    return tuple((float(p[part].mean()), float(hit[part].mean()), len(part)) for part in parts)


@dataclass(frozen=True, slots=True)
class Paired:
    """A mean difference with its 95 % interval."""

    mean: float
    interval: tuple[float, float]


def paired(differences: Vector, times: Vector) -> Paired:
    """Return the mean of differences, each counted `times`, with its interval by the normal approximation.

    The error is that of a ratio of sums over independent questions: Cochran, Sampling Techniques (1977), section 6.3.
    """
    mean = float((differences * times).sum() / times.sum())
    count = len(differences)
    if count < 2:  # noqa: PLR2004  one pair says nothing about how far others differ
        return Paired(mean, (float("nan"), float("nan")))
    spread = times * (differences - mean)
    error = float(np.sqrt(count / (count - 1) * (spread**2).sum()) / times.sum())
    return Paired(mean, (mean - Z * error, mean + Z * error))
