"""What a policy says of the candidates, whichever policy it is."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Protocol

from auritas.council.choice.model import Option, Situation
from auritas.council.choice.snapshot import Snapshot

_DIGITS = 9
"""Scores closer than this are equal: what is left is rounding."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """The candidates as a policy sees them.

    scores: of each option, in the order of the situation; higher is better. p: how likely each is right, where the
    policy says so. chosen: index of the chosen option, None when there is none.
    """

    scores: tuple[float, ...]
    chosen: int | None
    p: tuple[float, ...] | None = None


class Policy(Protocol):
    """Chooses among candidates by what was learned. The order of seats and options never matters."""

    @property
    def name(self) -> str:
        """What it is called, in settings, evaluations and traces."""

    def rank(self, situation: Situation, learned: Snapshot) -> Ranking:
        """Return what the candidates are worth."""


def best(scores: Sequence[float], situation: Situation, rates: Mapping[str, float]) -> int | None:
    """Return the index of the highest score; of equals, the one whose best supporter has the higher track record.

    What is still equal is decided by a hash of what is said, never by the order of the list.
    """
    if not situation.options:
        return None
    return min(range(len(situation.options)), key=lambda index: _place(scores[index], situation.options[index], rates))


def _place(score: float, option: Option, rates: Mapping[str, float]) -> tuple[float, float, str]:
    record = max((rates.get(seat, 0.0) for seat in option.supporters), default=0.0)
    return (-round(score, _DIGITS), -round(record, _DIGITS), tie(option.key))


def tie(name: str) -> str:
    """Return what decides between equals: a hash, which nobody can be named for."""
    return sha256(name.encode("utf-8", "surrogatepass")).hexdigest()
