"""What a seat's stated confidence has been worth: a monotone curve, learned from its graded reports and then frozen."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from auritas.council.ledger.scores import checked
from auritas.kernel.errors import InvalidError

STEPS = 10
"""Members state their confidence in tens or fives; a finer curve would learn from fewer reports at each knot."""
PRIOR_REPORTS = 20.0
"""Weight of what is assumed before a seat has reports of its own, in reports, as in its track record: at each knot, and
of "as stated" against its overall rate."""
_DECIMALS = 6
_AS_STATED = tuple(step / STEPS for step in range(STEPS + 1))


@dataclass(frozen=True, slots=True)
class Graded:
    """One past report and how its answer turned out. weight: 1 for a certain grade, less for one that can be wrong."""

    report: float
    outcome: float
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Recalibration:
    """How likely a seat is right when it reports p: straight lines between knots at equal steps from 0 to 1.

    values: at the knots, never falling, in [0, 1]. grades: how many reports it was learned from; 0 takes a report as
    it is stated.
    """

    values: tuple[float, ...] = _AS_STATED
    grades: int = 0

    def __post_init__(self) -> None:
        if len(self.values) < 2 or any(low > high for low, high in pairwise((0.0, *self.values, 1.0))):  # noqa: PLR2004  a line has two ends
            raise InvalidError("A recalibration never falls and stays between 0 and 1.")

    def __call__(self, report: float) -> float:
        """Return g(report). Never falls, bit for bit: rounding is monotone, and no piece passes its right end."""
        place = checked(report) * (len(self.values) - 1)
        left = min(int(place), len(self.values) - 2)
        low, high = self.values[left], self.values[left + 1]
        return min(high, low + (high - low) * (place - left))


def learn(history: Sequence[Graded]) -> Recalibration:
    """Return the curve of a seat with this history.

    Each report is shared between its two neighbouring knots; each knot is shrunk towards a line that leads from "as
    stated" to the seat's overall rate as reports come in; then pools of adjacent violators make it monotone (Ayer et
    al., Annals of Mathematical Statistics 26, 1955). The order of the history never matters.
    """
    total = math.fsum(past.weight for past in history)
    if not total:
        return Recalibration()
    rate = math.fsum(past.weight * past.outcome for past in history) / total
    kept = PRIOR_REPORTS / (PRIOR_REPORTS + total)
    weights = [PRIOR_REPORTS] * len(_AS_STATED)
    sums = [PRIOR_REPORTS * (kept * knot + (1 - kept) * rate) for knot in _AS_STATED]
    for past in sorted(history, key=lambda past: (past.report, past.outcome, past.weight)):
        for knot, part in _neighbours(past.report):
            weights[knot] += part * past.weight
            sums[knot] += part * past.weight * past.outcome
    values = (round(min(1.0, max(0.0, value)), _DECIMALS) for value in _monotone(sums, weights))
    return Recalibration(tuple(values), len(history))


def _neighbours(report: float) -> tuple[tuple[int, float], tuple[int, float]]:
    left = min(int(checked(report) * STEPS), STEPS - 1)
    part = report * STEPS - left
    return (left, 1 - part), (left + 1, part)


def _monotone(sums: Sequence[float], weights: Sequence[float]) -> list[float]:
    pools: list[tuple[float, float, int]] = []
    for each, weight in zip(sums, weights, strict=True):
        total, mass, size = each, weight, 1
        while pools and pools[-1][0] * mass >= total * pools[-1][1]:
            before = pools.pop()
            total, mass, size = total + before[0], mass + before[1], size + before[2]
        pools.append((total, mass, size))
    return [total / mass for total, mass, size in pools for _ in range(size)]
