"""How sure somebody was, set against how often it was right: the bins of a reliability diagram."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from auritas.council.review.judge import wilson
from auritas.council.review.model import JudgeRecord

BINS = 10
FEWEST_PER_BIN = 5
"""Decisions in a bin at least, so that a handful of grades makes one wide bin and not ten empty ones."""


@dataclass(frozen=True, slots=True)
class Said:
    """One decision. p: how sure it was called, in [0, 1]. right: how it turned out."""

    p: float
    right: bool


@dataclass(frozen=True, slots=True)
class Bin:
    """Decisions that were about equally sure. p: their mean; from_p, to_p: the least and the most.

    right: share that was right. low, high: its 95 % interval by Wilson (1927).
    """

    p: float
    from_p: float
    to_p: float
    right: float
    count: int
    low: float
    high: float


def bins(said: Sequence[Said], most: int = BINS) -> tuple[Bin, ...]:
    """Return up to `most` bins of equal size, the least sure first; what was equally sure stays together."""
    ordered = sorted(said, key=lambda each: (each.p, each.right))
    wanted = max(1, min(most, len(ordered) // FEWEST_PER_BIN))
    size = math.ceil(len(ordered) / wanted)
    found: list[list[Said]] = []
    for each in ordered:
        if found and (len(found[-1]) < size or found[-1][-1].p == each.p):
            found[-1].append(each)
        else:
            found.append([each])
    return tuple(map(_bin, found))


def calibration_error(found: Sequence[Bin]) -> float | None:
    """Return the expected calibration error, the mean over bins of |mean P - share right|; None without any.

    Naeini, Cooper and Hauskrecht, AAAI (2015), with bins of equal size.
    """
    total = sum(each.count for each in found)
    return math.fsum(each.count * abs(each.p - each.right) for each in found) / total if total else None


def brier(said: Sequence[Said]) -> float | None:
    """Return the mean squared error of P, None without any: Brier, Monthly Weather Review 78 (1950)."""
    return math.fsum((each.p - each.right) ** 2 for each in said) / len(said) if said else None


def _bin(said: Sequence[Said]) -> Bin:
    count, right = len(said), sum(each.right for each in said)
    low, high = wilson(JudgeRecord(right, count))
    mean = math.fsum(each.p for each in said) / count
    return Bin(mean, said[0].p, said[-1].p, right / count, count, low, high)
