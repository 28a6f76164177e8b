"""What an evaluation found, as types; `to_document` gives the JSON that is printed."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

POINTS = 100.0
"""Percentage points in a share."""


@dataclass(frozen=True, slots=True)
class PolicyResult:
    """How one policy did on questions that it had not learned from.

    accuracy: share right. gain, gain_fallback: over the best single model, and over it with fallback when it is silent;
    the intervals are paired, at 95 %. calls: models asked per question. micros: of money per question, None where the
    table has no costs.
    """

    accuracy: float
    gain: float
    interval: tuple[float, float]
    gain_fallback: float
    interval_fallback: tuple[float, float]
    calls: float
    micros: float | None = None


@dataclass(frozen=True, slots=True)
class Calibration:
    """How honest P(right) is. floor: the error that a perfect P shows at this size by chance."""

    ece: float
    floor: float
    brier: float
    auroc: float
    bins: tuple[tuple[float, float, int], ...] = ()


@dataclass(frozen=True, slots=True)
class CascadePoint:
    """What a cascade keeps: share of the calls made, share of the gain kept, at one threshold."""

    calls: float
    gain: float
    threshold: float


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """What the default policy gains after so many grades, and how honest its P is by then."""

    grades: int
    gain: float
    gain_fallback: float
    ece: float


@dataclass(frozen=True, slots=True)
class Report:
    """An evaluation on recorded answers.

    used: who the default policy asks. council_in_force: share of splits in which the guard let the council decide.
    coverage: accuracy by share of questions answered, most certain first.
    """

    pool: tuple[str, ...]
    questions: int
    splits: int
    default_policy: str
    policies: Mapping[str, PolicyResult]
    best_single: float
    members: Mapping[str, float]
    used: tuple[str, ...]
    council_in_force: float
    oracle: float
    effective_votes: float | None
    calibration: Calibration
    coverage: Mapping[float, float]
    cascade: tuple[CascadePoint, ...] = ()
    threshold: float | None = None
    curve: tuple[CurvePoint, ...] = ()


def to_document(report: Report) -> dict[str, Any]:
    """Return the report as plain JSON values; accuracies are shares, gains are percentage points."""
    return {
        "pool": list(report.pool),
        "questions": report.questions,
        "splits": report.splits,
        "default_policy": report.default_policy,
        "best_single": _share(report.best_single),
        "members": {model: _share(accuracy) for model, accuracy in report.members.items()},
        "used": list(report.used),
        "council_in_force": _share(report.council_in_force),
        "policies": {name: _policy(result) for name, result in report.policies.items()},
        "oracle": _share(report.oracle),
        "effective_votes": None if report.effective_votes is None else round(report.effective_votes, 2),
        "calibration": {
            "ece": _share(report.calibration.ece),
            "ece_floor": _share(report.calibration.floor),
            "brier": _share(report.calibration.brier),
            "auroc": _share(report.calibration.auroc),
            "reliability": [
                {"p": _share(p), "right": _share(right), "questions": n} for p, right, n in report.calibration.bins
            ],
        },
        "coverage80": _share(report.coverage[0.8]),
        "risk_coverage": [
            {"coverage": coverage, "accuracy": _share(accuracy)} for coverage, accuracy in report.coverage.items()
        ],
        "cascade": [
            {"calls_share": _share(p.calls), "gain_share": _share(p.gain), "threshold": p.threshold}
            for p in report.cascade
        ],
        "cascade_threshold": report.threshold,
        "learning_curve": [
            {
                "grades": point.grades,
                "gain_pp": _points(point.gain),
                "gain_fallback_pp": _points(point.gain_fallback),
                "ece": _share(point.ece),
            }
            for point in report.curve
        ],
    }


def _policy(result: PolicyResult) -> dict[str, Any]:
    return {
        "accuracy": _share(result.accuracy),
        "gain_pp": _points(result.gain),
        "ci_pp": [_points(bound) for bound in result.interval],
        "gain_fallback_pp": _points(result.gain_fallback),
        "ci_fallback_pp": [_points(bound) for bound in result.interval_fallback],
        "calls_per_question": round(result.calls, 2),
        "micros_per_question": None if result.micros is None else round(result.micros, 1),
    }


def _share(value: float) -> float:
    return round(value, 4)


def _points(value: float) -> float:
    return round(POINTS * value, 2)
