"""Who is asked, and when it is enough: the accuracy levels as pure rules."""

from collections.abc import Sequence

from auritas.council.choice.model import Situation
from auritas.council.choice.ranking import tie
from auritas.council.choice.snapshot import Snapshot
from auritas.council.model import Member
from auritas.council.policy import HIGH
from auritas.kernel.answers import AccuracyLevel, Decision, QuestionShape
from auritas.kernel.model import BUILTIN

BALANCED_FIRST = 2
"""Models asked at once at the balanced level, so that a second opinion costs no time."""


def ranked(members: Sequence[Member], learned: Snapshot) -> tuple[Member, ...]:
    """Return the models that vote, the best record first, ties by a hash; all of them where none may vote."""
    models = [member for member in members if member.card.provider != BUILTIN]
    voting = [member for member in models if member.votes] or models
    return tuple(sorted(voting, key=lambda m: (-round(learned.record.rate(m.seat.name), 9), tie(m.seat.name))))


def waves(
    level: AccuracyLevel, members: Sequence[Member], learned: Snapshot, shape: QuestionShape = QuestionShape.CLOSED
) -> tuple[tuple[Member, ...], ...]:
    """Return the members in the groups in which they are asked, until it is enough.

    fast: the best, the next best only if it is silent. balanced: the best two, then one after another; on an open
    question as fast. high and maximum: all at once, at most as many as learning chose. Built-in members go before a
    cascade: they cost nothing, and what they can compute needs no opinion. Who may not vote is only asked with all.
    """
    builtin = tuple(member for member in members if member.card.provider == BUILTIN)
    order = ranked(members, learned)
    if level in {AccuracyLevel.HIGH, AccuracyLevel.MAXIMUM}:
        mute = tuple(m for m in members if m not in order and m not in builtin)
        return ((*builtin, *order[: max(len(learned.seats), 1)], *mute),)
    together = 1 if level is AccuracyLevel.FAST or shape is QuestionShape.OPEN else BALANCED_FIRST
    planned = [builtin, order[:together], *((member,) for member in order[together:])]
    return tuple(wave for wave in planned if wave)


def enough(level: AccuracyLevel, decision: Decision, situation: Situation, learned: Snapshot, *, one: bool) -> bool:
    """Return whether nobody else needs to be asked. one: a single answer is all that is wanted.

    The cascade stops at the learned threshold for exactly these members; before one is learned, or with a built-in
    member among them, at a High score.
    """
    if decision.winner is None:
        return False
    if level is AccuracyLevel.FAST or one:
        return True
    asked = set(situation.asked)
    stage = next((stage for stage in learned.stages if set(stage.seats) == asked), None)
    return (decision.winner.p or 0.0) >= (stage.threshold if stage else HIGH)
