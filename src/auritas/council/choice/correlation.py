"""How far members err together."""

from collections.abc import Sequence

import numpy as np

from auritas.council.choice.model import Case

FEWEST_GRADES = 50
"""Before this a correlation is noise."""


def error_correlations(cases: Sequence[Case], seats: Sequence[str]) -> dict[str, dict[str, float]]:
    """Return the correlation of being right, for each pair of seats, over the sure cases that both were asked.

    Pearson's phi, in [-1, 1]. Empty below FEWEST_GRADES cases.
    """
    sure = [case for case in cases if case.right is not None]
    if len(sure) < FEWEST_GRADES:
        return {}
    place = {seat: index for index, seat in enumerate(seats)}
    right = np.full((len(sure), len(seats)), np.nan)
    for row, case in enumerate(sure):
        for seat in case.situation.asked:
            if seat in place:
                right[row, place[seat]] = 0.0
        if case.right is not None and case.right < len(case.situation.options):
            for seat in case.situation.options[case.right].supporters:
                if seat in place:
                    right[row, place[seat]] = 1.0
    return {a: {b: _phi(right[:, i], right[:, j]) for j, b in enumerate(seats) if i != j} for i, a in enumerate(seats)}


def _phi(
    first: "np.ndarray[tuple[int], np.dtype[np.float64]]", second: "np.ndarray[tuple[int], np.dtype[np.float64]]"
) -> float:
    both = ~(np.isnan(first) | np.isnan(second))
    if both.sum() < FEWEST_GRADES or not first[both].std() or not second[both].std():
        return 0.0
    return float(np.corrcoef(first[both], second[both])[0, 1])
