"""Pools drawn at random: how often following the council costs a person something, whatever models they happen to have.

A pool is worse when the default policy is right less often than the best single model with fallback, by more than
WORSE, on the half of the questions that neither learned from.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from auritas.council.choice.learning import Setting, learn
from auritas.council.choice.model import Case, restricted
from auritas.council.choice.policies import DEFAULT_POLICY, POLICIES, BestSingle
from auritas.council.choice.record import TrackRecord, counted
from auritas.council.choice.snapshot import Snapshot
from auritas.council.evaluation.replay import Replayed, replay
from auritas.council.evaluation.report import POINTS
from auritas.council.evaluation.split import outcome
from auritas.council.evaluation.table import Row, models_of, require_enough
from auritas.kernel.errors import InvalidError

SIZES = (3, 8)
"""Fewest and most models of a pool."""
GRADES = (250, 2500)
WORSE = 0.005
"""Loss of accuracy that counts as worse: half a point."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """How many pools to draw and from which seed. scores: public scores by model. heard: is told what is going on."""

    pools: int
    seed: int = 0
    scores: Mapping[str, float] = field(default_factory=dict)
    heard: Callable[[str], None] = lambda _: None


@dataclass(frozen=True, slots=True)
class PoolResult:
    """One pool. gain: over the best single model with fallback, chosen by the same grades.

    gain_known: over the one that all grades of the half would choose, which nobody can know before.
    """

    models: tuple[str, ...]
    gain: float
    gain_known: float


@dataclass(frozen=True, slots=True)
class PoolsSummary:
    """How the default policy does over random pools at one number of grades; gains are shares of questions.

    worse_share: of pools that are worse. worse_share_known_best: the same against the model that all grades choose.
    """

    pools: int
    worse_share: float
    worse_share_known_best: float
    mean_gain: float
    least_gain: float


def random_pools(rows: Sequence[Row], drawing: Drawing) -> Mapping[int, tuple[PoolResult, ...]]:
    """Return what each random pool gains, by number of grades; sizes that the table cannot serve are left out.

    Raises InvalidError for a table with too few models or questions.
    """
    models = models_of(rows)
    if len(models) < SIZES[0]:
        raise InvalidError(f"Random pools need a table of {SIZES[0]} models; this one has {len(models)}.")
    drawing.heard("reading answers of all models")
    questions = replay(rows, models)
    require_enough(questions)
    sizes = [size for size in GRADES if size <= len(questions) // 2] or [len(questions) // 2]
    found: dict[int, list[PoolResult]] = {size: [] for size in sizes}
    for number in range(drawing.pools):
        drawing.heard(f"random pool {number + 1} of {drawing.pools}")
        rng = np.random.default_rng([drawing.seed, number])
        pool = _drawn(models, rng)
        own = _of_pool(questions, frozenset(pool))
        order = rng.permutation(len(own))
        for size in sizes:
            found[size].append(_measured(own, order, pool, size, drawing.scores))
    return {size: tuple(results) for size, results in found.items()}


def _drawn(models: Sequence[str], rng: np.random.Generator) -> tuple[str, ...]:
    count = int(rng.integers(SIZES[0], min(SIZES[1], len(models)), endpoint=True))
    return tuple(sorted(models[index] for index in rng.choice(len(models), count, replace=False)))


def _of_pool(questions: Sequence[Replayed], pool: frozenset[str]) -> list[Replayed]:
    """Return the questions as the pool would have seen them, those that fewer than two of it were asked left out."""
    seen = [replace(one, case=restricted(one.case, pool), right=one.right & pool) for one in questions]
    return [one for one in seen if len(one.case.situation.asked) > 1]


def _measured(
    questions: Sequence[Replayed],
    order: NDArray[np.int64],
    pool: Sequence[str],
    grades: int,
    scores: Mapping[str, float],
) -> PoolResult:
    middle = len(order) // 2
    cases = [questions[place].case for place in order[:middle]]
    graded = [case if index < grades else Case(case.situation) for index, case in enumerate(cases)]
    learned = learn(graded, Setting(pool, scores, cascade=False))
    half = [questions[place] for place in order[middle:]]
    hit = outcome(half, POLICIES[DEFAULT_POLICY], learned).hit
    single = outcome(half, BestSingle(), learned).hit
    known = outcome(half, BestSingle(), _knowing(learned, cases)).hit
    return PoolResult(tuple(pool), float((hit - single).mean()), float((hit - known).mean()))


def _knowing(learned: Snapshot, cases: Sequence[Case]) -> Snapshot:
    """Return the snapshot with the track record that all grades of the half would have given."""
    return replace(learned, record=TrackRecord(counted(cases), {}, learned.record.prior))


def summarised(pools: Sequence[PoolResult]) -> PoolsSummary:
    """Return what the pools have in common."""
    gains = [pool.gain for pool in pools]
    return PoolsSummary(
        pools=len(pools),
        worse_share=worse_share(gains),
        worse_share_known_best=worse_share([pool.gain_known for pool in pools]),
        mean_gain=float(np.mean(gains)),
        least_gain=min(gains),
    )


def worse_share(gains: Sequence[float]) -> float:
    """Return the share of gains that are losses of more than WORSE."""
    return sum(gain < -WORSE for gain in gains) / len(gains)


def to_document(results: Mapping[int, PoolsSummary]) -> dict[str, Any]:
    """Return the summaries as plain JSON values, by number of grades; gains are percentage points."""
    return {str(size): _document(summary) for size, summary in results.items()}


def _document(summary: PoolsSummary) -> dict[str, Any]:
    return {
        "worse_share": round(summary.worse_share, 4),
        "worse_share_known_best": round(summary.worse_share_known_best, 4),
        "pools": summary.pools,
        "mean_gain_pp": round(POINTS * summary.mean_gain, 2),
        "least_gain_pp": round(POINTS * summary.least_gain, 2),
    }
