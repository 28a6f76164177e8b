"""How far members err together."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from auritas.council.choice.model import Case

FEWEST_GRADES = 50
"""Before this a correlation is noise."""


def error_correlations(cases: Sequence[Case], seats: Sequence[str]) -> dict[str, dict[str, float]]:
    """Return the correlation of being right, for each pair of seats, over the sure cases that both were asked.

    Pearson's phi, in [-1, 1]. Empty below FEWEST_GRADES cases, and a pair that shares fewer is not in it.
    """
    sure = [case for case in cases if case.right is not None]
    if len(sure) < FEWEST_GRADES:
        return {}
    right = _outcomes(sure, seats)
    found: dict[str, dict[str, float]] = {seat: {} for seat in seats}
    for i, a in enumerate(seats):
        for j, b in enumerate(seats):
            phi = _phi(right[:, i], right[:, j]) if i != j else None
            if phi is not None:
                found[a][b] = phi
    return found


def _outcomes(sure: Sequence[Case], seats: Sequence[str]) -> NDArray[np.float64]:
    """Return one row a case and one column a seat: 1 right, 0 wrong or silent, not a number where it was not asked."""
    place = {seat: index for index, seat in enumerate(seats)}
    right = np.full((len(sure), len(seats)), np.nan)
    for row, case in enumerate(sure):
        asked = [place[seat] for seat in case.situation.asked if seat in place]
        right[row, asked] = 0.0
        if case.right is not None and case.right < len(case.situation.options):
            supporters = case.situation.options[case.right].supporters
            right[row, [place[seat] for seat in supporters if seat in place]] = 1.0
    return right


def _phi(first: NDArray[np.float64], second: NDArray[np.float64]) -> float | None:
    """Return the correlation, or None where too few questions were put to both."""
    both = ~(np.isnan(first) | np.isnan(second))
    if both.sum() < FEWEST_GRADES:
        return None
    if not first[both].std() or not second[both].std():
        return 0.0
    return float(np.corrcoef(first[both], second[both])[0, 1])
