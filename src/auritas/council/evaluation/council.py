"""`auritas eval council`: every policy on recorded answers, learned on one half and measured on the other."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from auritas.council.choice.learning import Setting, learn
from auritas.council.choice.model import Case
from auritas.council.choice.policies import DEFAULT_POLICY, POLICIES, BestSingle
from auritas.council.choice.votes import effective_votes
from auritas.council.evaluation.curves import cascade_curve, learning_curve
from auritas.council.evaluation.metrics import (
    Paired,
    Vector,
    accuracy_at,
    auroc,
    brier,
    ece,
    ece_floor,
    paired,
    reliability,
)
from auritas.council.evaluation.replay import Replayed, replay
from auritas.council.evaluation.report import Calibration, PolicyResult, Report
from auritas.council.evaluation.split import Split, measured
from auritas.council.evaluation.table import Row, require_enough

COVERAGES = (0.2, 0.4, 0.6, 0.7, 0.8, 0.9, 1.0)


@dataclass(frozen=True, slots=True)
class Plan:
    """What to evaluate. splits: seeded halves. policies: names, all by default. curves: cascade and learning curve.

    scores: public scores by model, which is what is believed before any grade. heard: is told what is going on.
    """

    splits: int = 5
    policies: tuple[str, ...] = tuple(POLICIES)
    curves: bool = True
    scores: Mapping[str, float] = field(default_factory=dict)
    seed: int = 0
    heard: Callable[[str], None] = lambda _: None


def evaluate(rows: Sequence[Row], pool: Sequence[str], plan: Plan) -> Report:
    """Return how every policy does on the questions of `rows` that at least two of `pool` were asked.

    Learning and measuring never share a question. Raises InvalidError when there are too few questions.
    """
    plan.heard("reading answers")
    questions = replay(rows, pool)
    require_enough(questions)
    halves = [halved(len(questions), plan.seed + index) for index in range(plan.splits)]
    names = tuple(dict.fromkeys((*plan.policies, DEFAULT_POLICY, BestSingle().name)))
    splits = []
    for index, (first, second) in enumerate(halves):
        plan.heard(f"split {index + 1} of {plan.splits}")
        learned = learn(cases(questions, first), Setting(pool, plan.scores))
        splits.append(measured(questions, second, learned, names))
    return _report(questions, pool, plan, splits, halves)


def halved(count: int, seed: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the places of the questions to learn from, in random order, and of those to measure on."""
    order = np.random.default_rng(seed).permutation(count).astype(np.int64)
    return order[: count // 2], order[count // 2 :]


def cases(questions: Sequence[Replayed], places: NDArray[np.int64], grades: int | None = None) -> list[Case]:
    """Return the cases at `places`; only the first `grades` of them, all by default, with their key."""
    chosen = [questions[place].case for place in places]
    graded = len(chosen) if grades is None else grades
    return [case if index < graded else Case(case.situation) for index, case in enumerate(chosen)]


Halves = Sequence[tuple[NDArray[np.int64], NDArray[np.int64]]]


def _report(
    questions: Sequence[Replayed], pool: Sequence[str], plan: Plan, splits: Sequence[Split], halves: Halves
) -> Report:
    last = splits[-1].learned
    default = [split.outcomes[DEFAULT_POLICY] for split in splits]
    return Report(
        pool=tuple(pool),
        questions=len(questions),
        splits=len(splits),
        default_policy=DEFAULT_POLICY,
        policies={name: _result(name, splits, questions) for name in splits[0].outcomes},
        best_single=_mean([split.single.mean() for split in splits]),
        members={seat: _mean([float(seat in question.right) for question in questions]) for seat in pool},
        used=last.seats,
        council_in_force=_mean([float(split.learned.guard.council) for split in splits]),
        oracle=_mean([float(bool(question.right)) for question in questions]),
        effective_votes=effective_votes(last.seats, last.correlations),
        calibration=_calibration([(outcome.p, outcome.hit) for outcome in default], plan.seed),
        coverage={c: _mean([accuracy_at(outcome.p, outcome.hit, c) for outcome in default]) for c in COVERAGES},
        cascade=cascade_curve(questions, splits) if plan.curves else (),
        threshold=last.stages[0].threshold if last.stages else None,
        curve=learning_curve(questions, halves, plan, pool) if plan.curves else (),
    )


def _result(name: str, splits: Sequence[Split], asked: Sequence[Replayed]) -> PolicyResult:
    outcomes = [split.outcomes[name] for split in splits]
    fallback = BestSingle().name
    over_single = _paired(splits, len(asked), lambda split: split.outcomes[name].hit - split.single)
    over_fallback = _paired(splits, len(asked), lambda split: split.outcomes[name].hit - split.outcomes[fallback].hit)
    return PolicyResult(
        accuracy=_mean([outcome.hit.mean() for outcome in outcomes]),
        gain=over_single.mean,
        interval=over_single.interval,
        gain_fallback=over_fallback.mean,
        interval_fallback=over_fallback.interval,
        calls=_mean([outcome.calls.mean() for outcome in outcomes]),
        micros=_mean([outcome.spent.mean() for outcome in outcomes]) if any(each.cost for each in asked) else None,
    )


def _paired(splits: Sequence[Split], questions: int, difference: Callable[[Split], Vector]) -> Paired:
    """Return the mean difference over all held questions; a question that several splits held is one observation."""
    total, times = np.zeros(questions), np.zeros(questions)
    for split in splits:
        total[split.held] += difference(split)
        times[split.held] += 1
    held = times > 0
    return paired(total[held] / times[held], times[held])


def _calibration(said: Sequence[tuple[Vector, Vector]], seed: int) -> Calibration:
    draw = np.random.default_rng(seed).random
    every_p, every_hit = np.concatenate([p for p, _ in said]), np.concatenate([hit for _, hit in said])
    return Calibration(
        ece=_mean([ece(p, hit) for p, hit in said]),
        floor=_mean([ece_floor(p, draw) for p, _ in said]),
        brier=_mean([brier(p, hit) for p, hit in said]),
        auroc=_mean([auroc(p, hit) for p, hit in said]),
        bins=reliability(every_p, every_hit),
    )


def _mean(values: Sequence[float]) -> float:
    return float(np.mean(values))
