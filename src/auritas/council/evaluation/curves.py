"""What a cascade saves, and what each grade adds."""

from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from auritas.council.choice.cascade import GRID
from auritas.council.choice.learning import Setting, learn
from auritas.council.choice.model import Case
from auritas.council.choice.policies import DEFAULT_POLICY, POLICIES, BestSingle
from auritas.council.evaluation.metrics import ece
from auritas.council.evaluation.replay import Replayed
from auritas.council.evaluation.report import CascadePoint, CurvePoint
from auritas.council.evaluation.split import Split, cascaded, outcome

GRADES = (0, 25, 50, 100, 250, 500, 1000, 2500)
CURVE_SPLITS = 4
"""Splits that the curves average; each point is learned anew."""


class Curves(Protocol):
    """What the curves need of a plan."""

    @property
    def scores(self) -> Mapping[str, float]:
        """Public scores by model."""

    def heard(self, what: str, /) -> None:
        """Is told what is going on."""


def cascade_curve(questions: Sequence[Replayed], splits: Sequence[Split]) -> tuple[CascadePoint, ...]:
    """Return the share of calls made and of gain kept, for each threshold, averaged over the splits."""
    found = []
    for split in splits:
        if not split.learned.stages:
            continue
        progress = cascaded([questions[place] for place in split.held], split.learned)
        single, whole = split.single.mean(), progress.hit[-1].mean()
        for threshold in GRID:
            hit, asked = progress.stopped(threshold)
            found.append((threshold, asked.mean() / progress.asked[-1], hit.mean() - single, whole - single))
    return tuple(_point(threshold, [row for row in found if row[0] == threshold]) for threshold in GRID if found)


def _point(threshold: float, rows: Sequence[tuple[float, float, float, float]]) -> CascadePoint:
    _, calls, kept, whole = np.mean(rows, axis=0)
    return CascadePoint(float(calls), float(kept / whole) if whole > 0 else 1.0, threshold)


def learning_curve(
    questions: Sequence[Replayed],
    halves: Sequence[tuple[NDArray[np.int64], NDArray[np.int64]]],
    plan: Curves,
    pool: Sequence[str],
) -> tuple[CurvePoint, ...]:
    """Return the gain after so many grades over the best single model, which is chosen by all grades of the half.

    The other questions of the half are there without grades, as they are for a person who grades few.
    """
    used = halves[:CURVE_SPLITS]
    sizes = [size for size in GRADES if size < len(used[0][0])]
    points = []
    for size in (*sizes, len(used[0][0])):
        plan.heard(f"learning curve, {size} grades")
        rows = [_after(questions, halves, size, plan, pool) for halves in used]
        points.append(CurvePoint(size, *(float(value) for value in np.mean(rows, axis=0))))
    return tuple(points)


def _after(
    questions: Sequence[Replayed],
    halves: tuple[NDArray[np.int64], NDArray[np.int64]],
    grades: int,
    plan: Curves,
    pool: Sequence[str],
) -> tuple[float, float, float]:
    first, second = halves
    cases = [questions[place].case for place in first]
    setting = Setting(pool, plan.scores, cascade=False)
    few = learn([case if index < grades else Case(case.situation) for index, case in enumerate(cases)], setting)
    hits = np.array([[float(seat in questions[place].right) for seat in pool] for place in first])
    best = pool[int(hits.mean(axis=0).argmax())]
    half = [questions[place] for place in second]
    single = np.mean([float(best in question.right) for question in half])
    said, fallback = outcome(half, POLICIES[DEFAULT_POLICY], few), outcome(half, BestSingle(), few)
    return float(said.hit.mean() - single), float(said.hit.mean() - fallback.hit.mean()), ece(said.p, said.hit)
