"""Who is asked, and when it is enough: the accuracy levels as a pure rule."""

from collections.abc import Sequence
from hashlib import sha256

from auritas.council.model import Member, Topic
from auritas.council.policy import HIGH, score_shares, vote_weight
from auritas.kernel.answers import AccuracyLevel, Decision

BALANCED_FIRST = 2
"""Models asked at once at the balanced level: without grades one opinion is never enough to stop at."""


def waves(level: AccuracyLevel, members: Sequence[Member], topic: Topic) -> tuple[tuple[Member, ...], ...]:
    """Return the members in the groups in which they are asked.

    fast: the best model alone. balanced: the best two, then one after another. high and maximum: all at once. Before
    a cascade the built-in members go first: they cost nothing, and what they can compute needs no opinion. Who may not
    vote is only asked with all.
    """
    builtin = tuple(member for member in members if member.card.provider == "builtin")
    everyone = sorted((m for m in members if m not in builtin), key=lambda m: _order(m, topic))
    models = [m for m in everyone if m.votes] or everyone
    match level:
        case AccuracyLevel.FAST:
            planned = [builtin, tuple(models[:1])]
        case AccuracyLevel.BALANCED:
            planned = [builtin, tuple(models[:BALANCED_FIRST]), *((model,) for model in models[BALANCED_FIRST:])]
        case _:
            planned = [(*builtin, *everyone)]
    return tuple(wave for wave in planned if wave)


def settled(decision: Decision) -> bool:
    """Whether the leading candidate is far enough ahead that nobody else needs to be asked."""
    return bool(decision.candidates) and score_shares(decision.candidates)[0] >= HIGH


def _order(member: Member, topic: Topic) -> tuple[float, str]:
    return (-vote_weight(member, topic), sha256(member.seat.name.encode()).hexdigest())
