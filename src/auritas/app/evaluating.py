"""`auritas eval council`: a table of recorded answers through the code of a live question. Opens no store."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from auritas.council.choice.policies import POLICIES
from auritas.council.evaluation import random_pools as drawing
from auritas.council.evaluation import report as reports
from auritas.council.evaluation.council import Plan, evaluate
from auritas.council.evaluation.pools import resolve
from auritas.council.evaluation.random_pools import Drawing, PoolsSummary, random_pools, summarised
from auritas.council.evaluation.report import Calibration, CascadePoint, CurvePoint, PolicyResult, Report
from auritas.council.evaluation.table import read_table
from auritas.council.scores import PublicScores, public_scores, read_scores
from auritas.kernel.errors import NotFoundError, nearest

__all__ = [
    "Calibration",
    "CascadePoint",
    "CouncilEvaluation",
    "CurvePoint",
    "Evaluation",
    "PolicyResult",
    "PoolsSummary",
    "Report",
    "evaluate_council",
    "to_document",
]

Heard = Callable[[str], None]
"""Told of each step as it begins."""


@dataclass(frozen=True, slots=True)
class CouncilEvaluation:
    """What a person asks for.

    pool: models, one named pool, or nothing for every model of the table. policies: names, all by default. scores: a
    file of public scores that win over ours; with_scores=False: none at all. plot: where pictures go. random_pools: how
    many to draw besides.
    """

    data: Path
    pool: tuple[str, ...] = ()
    policies: tuple[str, ...] = ()
    splits: int = 5
    seed: int = 0
    scores: Path | None = None
    with_scores: bool = True
    curves: bool = True
    plot: Path | None = None
    random_pools: int = 0


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What was found. scores: what was believed of each model before any grade. random: pools by number of grades."""

    report: Report
    scores: Mapping[str, float] = field(default_factory=dict)
    random: Mapping[int, PoolsSummary] = field(default_factory=dict)
    pictures: tuple[Path, ...] = ()


def evaluate_council(wanted: CouncilEvaluation, heard: Heard = lambda _: None) -> Evaluation:
    """Run the evaluation; the same table, seed and version give the same figures.

    Raises NotFoundError for a file, model, pool or policy that is not there, InvalidError for a table that cannot be
    read or is too small, and UnavailableError when pictures are wanted and cannot be drawn.
    """
    policies = _policies(wanted.policies)
    if wanted.plot is not None:
        from auritas.council.adapters.pictures import require_matplotlib

        require_matplotlib()  # before minutes of work
    known = _known(wanted)
    heard(f"reading {wanted.data.name}")
    rows = read_table(wanted.data)
    pool = resolve(rows, wanted.pool)
    scores = {model: known[model] for model in pool if model in known}
    plan = Plan(wanted.splits, policies, wanted.curves, scores, wanted.seed, heard)
    report = evaluate(rows, pool, plan)
    draws = Drawing(wanted.random_pools, wanted.seed, known, heard)
    drawn = random_pools(rows, draws) if wanted.random_pools else {}
    random = {size: summarised(pools) for size, pools in drawn.items()}
    return Evaluation(report, scores, random, _drawn(report, wanted.plot, heard))


def to_document(evaluation: Evaluation) -> dict[str, Any]:
    """Return the evaluation as plain JSON values; accuracies are shares, gains are percentage points."""
    document = reports.to_document(evaluation.report) | {"public_scores": dict(evaluation.scores)}
    if evaluation.random:
        document["random_pools"] = drawing.to_document(evaluation.random)
    if evaluation.pictures:
        document["pictures"] = [str(path) for path in evaluation.pictures]
    return document


def _policies(asked: tuple[str, ...]) -> tuple[str, ...]:
    for name in asked:
        if name not in POLICIES:
            remedy = nearest(name, tuple(POLICIES)) or f"There are: {', '.join(POLICIES)}."
            raise NotFoundError(f"There is no policy {name!r}.", remedy=remedy)
    return asked or tuple(POLICIES)


def _known(wanted: CouncilEvaluation) -> PublicScores:
    if not wanted.with_scores:
        return PublicScores(())
    return public_scores().plus(read_scores(wanted.scores).rows) if wanted.scores else public_scores()


def _drawn(report: Report, folder: Path | None, heard: Heard) -> tuple[Path, ...]:
    if folder is None:
        return ()
    from auritas.council.adapters.pictures import draw

    heard("drawing")
    return draw(report, folder)
