"""What is believed of each member before it is graded: from its self-test, public scores and agreement."""

import math
from collections.abc import Collection, Iterable, Mapping, Sequence

from auritas.council.choice.agreement import agreed_rates
from auritas.council.choice.model import EVERYTHING, Situation
from auritas.council.choice.prior import log_odds
from auritas.council.choice.record import Count

SETTLED_GRADES = 20.0
"""Grades after which a member helps to tell how hard this person's questions are."""
TRUST_IN_AGREEMENT = 0.5
"""Members of one family agree in their errors, so what agreement tells of a member is taken by half."""
ENOUGH_QUESTIONS = 50


def believed_rates(
    seats: Collection[str],
    known: Mapping[str, float],
    counts: Mapping[str, Mapping[str, Count]],
    ungraded: Sequence[Situation] = (),
) -> dict[str, float]:
    """Return for each seat how often it is expected to be right before its own grades are counted.

    known: rates from self-tests or public examinations. Those were other questions, easier or harder, so only how
    members differ is taken from them; the level comes from the grades at hand. A member of which nothing is known is
    taken for an average one, moved by how often it agreed with the others.
    """
    odds = {seat: log_odds(known[seat]) for seat in seats if seat in known}
    middle = _mean(odds.values())
    odds |= {seat: middle for seat in seats if seat not in odds}
    strange = [seat for seat in seats if seat not in known]
    if strange and len(ungraded) >= ENOUGH_QUESTIONS:
        agreed = agreed_rates(ungraded, {seat: expit(each) for seat, each in odds.items()})
        level = _mean(log_odds(agreed[seat]) for seat in seats)
        for seat in strange:
            odds[seat] += TRUST_IN_AGREEMENT * (log_odds(agreed[seat]) - level)
    shift = _shift(odds, counts)
    return {seat: expit(each + shift) for seat, each in odds.items()}


def _shift(odds: Mapping[str, float], counts: Mapping[str, Mapping[str, Count]]) -> float:
    """Return by how much the questions at hand are easier than those that the beliefs come from, in log-odds."""
    overall = {seat: counts.get(seat, {}).get(EVERYTHING, Count()) for seat in odds}
    settled = {seat: count for seat, count in overall.items() if count.graded >= SETTLED_GRADES}
    return _mean(log_odds(count.right / count.graded) - odds[seat] for seat, count in settled.items())


def _mean(values: Iterable[float]) -> float:
    listed = list(values)
    return math.fsum(listed) / len(listed) if listed else 0.0


def expit(odds: float) -> float:
    """Return the probability of log-odds."""
    return 1 / (1 + math.exp(-odds))
