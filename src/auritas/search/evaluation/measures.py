"""Shares with intervals, and differences of two rankings on the same questions."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

DRAWS: Final = 2_000
_LOW: Final = 0.025
_HIGH: Final = 0.975
_AT_ONCE: Final = 100


@dataclass(frozen=True, slots=True)
class Share:
    """A mean with its 95 % interval, by bootstrap over questions (Efron and Tibshirani, 1993, section 13.3)."""

    value: float
    low: float
    high: float


def share(values: Sequence[float], seed: int = 0) -> Share:
    """Return the mean of `values` and its interval; zeros where there are none."""
    if not values:
        return Share(0.0, 0.0, 0.0)
    found = np.asarray(values, dtype=np.float64)
    rng = np.random.default_rng(seed)
    rounds = range(DRAWS // _AT_ONCE)
    means = np.concatenate([found[rng.integers(0, len(found), (_AT_ONCE, len(found)))].mean(axis=1) for _ in rounds])
    return Share(float(found.mean()), float(np.quantile(means, _LOW)), float(np.quantile(means, _HIGH)))


def difference(ours: Sequence[float], theirs: Sequence[float], seed: int = 0) -> Share:
    """Return the mean of the paired differences and its interval."""
    return share([one - other for one, other in zip(ours, theirs, strict=True)], seed)
