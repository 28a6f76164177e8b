"""Measures of accuracy, calibration and ranking, each with its source."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]
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


def paired_interval(differences: Sequence[float] | Vector) -> tuple[float, float]:
    """Return the 95 % interval of the mean of paired differences, by the normal approximation."""
    values = np.asarray(differences, float)
    if len(values) < 2:  # noqa: PLR2004
        return (float("nan"), float("nan"))
    mean, error = float(values.mean()), float(values.std(ddof=1) / np.sqrt(len(values)))
    return (mean - 1.96 * error, mean + 1.96 * error)
