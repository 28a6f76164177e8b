"""How trust in what was said fades with time."""

from collections.abc import Mapping
from datetime import datetime
from types import MappingProxyType

from auritas.kernel.memory import Correction, DecayClass

HALF_LIFE_DAYS: Mapping[DecayClass, float] = MappingProxyType({DecayClass.B: 365.0, DecayClass.C: 30.0})
"""Class A has none: what was said outright holds until it is taken back."""

STEADY_RECENCY = 0.8
"""Of class A, whose use says nothing about whether it still holds."""

_DAY_SECONDS = 86_400.0


def remaining(decay_class: DecayClass, age_days: float) -> float:
    """Return the share of trust left after `age_days`, in [0, 1]: one half after each half-life.

    A negative age, of a clock that was set back or of an import, gives no boost.
    """
    half_life = HALF_LIFE_DAYS.get(decay_class)
    return 1.0 if half_life is None else 0.5 ** (max(age_days, 0.0) / half_life)


def days_between(earlier: datetime, now: datetime) -> float:
    """Return the days from `earlier` to `now`, negative when it lies ahead."""
    return (now - earlier).total_seconds() / _DAY_SECONDS


def effective_confidence(correction: Correction, now: datetime) -> float:
    """Return the confidence that is left at `now`. What was inferred (class C) counts from its last use."""
    since = correction.created_at
    if correction.decay_class is DecayClass.C and correction.last_used_at is not None:
        since = max(since, correction.last_used_at)
    return correction.confidence * remaining(correction.decay_class, days_between(since, now))


def recency(correction: Correction, now: datetime) -> float:
    """Return how recently it was used, or said where it never was, in [0, 1]; steady for class A."""
    if correction.decay_class is DecayClass.A:
        return STEADY_RECENCY
    since = correction.last_used_at or correction.created_at
    return remaining(correction.decay_class, days_between(since, now))
