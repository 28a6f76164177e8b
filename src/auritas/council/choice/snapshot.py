"""Everything that was learned, frozen: what a question that is being answered now is decided by."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from auritas.council.choice.guard import Guard
from auritas.council.choice.model import Situation
from auritas.council.choice.record import TrackRecord
from auritas.council.choice.rule import Weights

NEVER = 2.0
"""A threshold that no probability reaches."""
CALIBRATED_AT = 100
"""Grades from which P(right) is called a probability; before, it is a score."""


@dataclass(frozen=True, slots=True)
class Stage:
    """The first members of a cascade, and when their answers are enough.

    weights: rule A learned on what these seats alone say. threshold: P of the leading candidate at which nobody else is
    asked. stops: share of graded questions for which it was enough.
    """

    seats: tuple[str, ...]
    weights: Weights
    threshold: float = NEVER
    stops: float = 0.0


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What was learned up to a moment.

    grades: questions with a certain grade; a reviewer's word alone makes no probability. seats: who is asked at most,
    best first. correlations: of errors, by pair of seats; empty before there are enough grades.
    """

    grades: int
    seats: tuple[str, ...]
    record: TrackRecord
    weights: Weights
    guard: Guard
    stages: tuple[Stage, ...] = ()
    correlations: Mapping[str, Mapping[str, float]] = field(default_factory=dict)

    @property
    def calls(self) -> float | None:
        """How many members the cascade asks on average; None while none was learned."""
        if not self.stages:
            return None
        early = sum(stage.stops for stage in self.stages)
        return sum(stage.stops * len(stage.seats) for stage in self.stages) + (1 - early) * len(self.seats)

    @property
    def calibrated(self) -> bool:
        """Whether P(right) may be called a probability."""
        return self.grades >= CALIBRATED_AT

    def weights_for(self, situation: Situation) -> Weights:
        """Return the weights that were learned for exactly the seats that were asked, or those for all."""
        asked = set(situation.asked)
        return next((stage.weights for stage in self.stages if set(stage.seats) == asked), self.weights)
