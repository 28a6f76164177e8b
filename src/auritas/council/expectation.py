"""What a question is likely to take, said before anybody is asked."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from auritas.council.choice.snapshot import Snapshot
from auritas.council.model import Member
from auritas.council.review.judge import CLOSE_SHARE
from auritas.council.waves import BALANCED_FIRST, waves
from auritas.kernel.answers import AccuracyLevel, Expected, QuestionShape
from auritas.kernel.model import BUILTIN

USUAL_TOKENS_IN, USUAL_TOKENS_OUT = 600, 250
"""Of a call to a model that was never asked."""
BALANCED_CALLS = 3.0
"""Models that a cascade asks on average while nothing was learned: two that agree are rarely sure enough."""


@dataclass(frozen=True, slots=True)
class Habit:
    """What a seat's recent answers took on average."""

    seconds: float
    cost_micros: float


def expected(
    level: AccuracyLevel,
    members: Sequence[Member],
    learned: Snapshot,
    habits: Mapping[str, Habit],
    shape: QuestionShape = QuestionShape.CLOSED,
) -> Expected:
    """Return calls, money and time. Time is the sum over waves of the slowest member, None where nobody was timed.

    Reviews count as one more call of the reader, comparisons of texts as two, one for each order; calculating is free
    and takes no call.
    """
    planned = [[m for m in wave if m.card.provider != BUILTIN] for wave in waves(level, members, learned, shape)]
    planned = [wave for wave in planned if wave]
    every = [member for wave in planned for member in wave]
    if not every:
        return Expected(0, 0)
    calls = _calls(level, len(every), shape, learned)
    share = calls / len(every)
    answers = sum(_cost(member, habits) for member in every)
    seconds = [
        max((habits[m.seat.name].seconds for m in wave if m.seat.name in habits), default=0.0) for wave in planned
    ]
    timed = sum(seconds[: max(1, round(calls) - 1)] if level is AccuracyLevel.BALANCED else seconds[:1])
    reviews, compared = _reviews(level, len(every), shape), _comparisons(level, len(every), shape)
    more_cost = (reviews + compared) * answers / len(every)
    # Reviews run at once, comparisons one after another.
    return Expected(
        calls + reviews + compared, round(answers * share + more_cost), timed * (1 + bool(reviews) + compared) or None
    )


def _calls(level: AccuracyLevel, members: int, shape: QuestionShape, learned: Snapshot) -> float:
    if level in {AccuracyLevel.HIGH, AccuracyLevel.MAXIMUM}:
        return float(members)
    if level is AccuracyLevel.FAST or shape is QuestionShape.OPEN:
        return 1.0
    usual = BALANCED_CALLS if learned.calls is None else max(learned.calls, float(BALANCED_FIRST))
    return min(usual, float(members))


def _reviews(level: AccuracyLevel, members: int, shape: QuestionShape) -> int:
    if members < 2:  # noqa: PLR2004  nobody else can read it
        return 0
    if level is AccuracyLevel.MAXIMUM:
        return members - 1
    return int(level is AccuracyLevel.HIGH or shape is QuestionShape.OPEN)


def _comparisons(level: AccuracyLevel, members: int, shape: QuestionShape) -> float:
    """Return the calls for comparing: on an open question each pair, by a third; on a closed one the close calls."""
    thorough = level in {AccuracyLevel.HIGH, AccuracyLevel.MAXIMUM}
    if shape is QuestionShape.OPEN and thorough and members > 2:  # noqa: PLR2004  of two nobody is left to compare
        return 2.0 * math.comb(members, 2)
    return 2 * CLOSE_SHARE if shape is QuestionShape.CLOSED and level is AccuracyLevel.MAXIMUM and members > 1 else 0.0


def _cost(member: Member, habits: Mapping[str, Habit]) -> float:
    habit = habits.get(member.seat.name)
    return habit.cost_micros if habit else float(member.card.price.cost(USUAL_TOKENS_IN, USUAL_TOKENS_OUT))
