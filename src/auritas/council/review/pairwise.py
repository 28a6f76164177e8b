"""Ordering answers to an open-ended question: compared in pairs, anonymously, by members who wrote neither."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from auritas.council.model import Member
from auritas.council.review.assignment import assign, tie
from auritas.council.review.model import Comparison
from auritas.kernel.answers import Answer


@dataclass(frozen=True, slots=True)
class Match:
    """Two answers and the member that compares them."""

    first: Answer
    second: Answer
    judge: Member


def matches(
    answers: Sequence[Answer], members: Sequence[Member], record: Mapping[str, float], *, key: str
) -> tuple[Match, ...]:
    """Return every pair of answers for which there is a member that wrote neither; each pair is compared once.

    record, key: as in `assign`. With two members there is nobody: then the track record alone orders them.
    """
    ordered = sorted((a for a in answers if a.votes), key=lambda a: tie(key, a.run_id))
    found = []
    for first, second in combinations(ordered, 2):
        judge = assign(
            {first.seat.name, second.seat.name}, members, record, key=f"{key} {first.run_id} {second.run_id}"
        )
        if judge is not None:
            found.append(Match(first, second, judge))
    return tuple(found)


def rank_open(
    answers: Sequence[Answer], comparisons: Sequence[Comparison], standing: Mapping[str, float], *, key: str
) -> tuple[Answer, ...]:
    """Return the answers that count, best first, by pairs won less pairs lost.

    A pair is won by the answer that was preferred in both orders; otherwise it is a draw. Comparisons name answers by
    their run. Ties by the seats' track record, then by a hash of `key` and the run. Copeland's rule: Saari and Merlin,
    Economic Theory 8 (1996).
    """
    counted = [answer for answer in answers if answer.votes]
    scores = copeland([answer.run_id for answer in counted], comparisons)

    def place(answer: Answer) -> tuple[int, float, str]:
        return (-scores[answer.run_id], -standing.get(answer.seat.name, 0.0), tie(key, answer.run_id))

    return tuple(sorted(counted, key=place))


def copeland(names: Sequence[str], comparisons: Sequence[Comparison]) -> dict[str, int]:
    """Return pairs won less pairs lost of each name; a pair compared several times goes to who won it more often."""
    margins: dict[tuple[str, str], int] = {}
    for each in comparisons:
        favoured = each.favours
        if favoured is not None and {each.first, each.second} <= set(names):
            pair = (min(each.first, each.second), max(each.first, each.second))
            margins[pair] = margins.get(pair, 0) + (1 if favoured == pair[0] else -1)
    scores = dict.fromkeys(names, 0)
    for (a, b), margin in margins.items():
        sign = (margin > 0) - (margin < 0)
        scores[a] += sign
        scores[b] -= sign
    return scores
