"""Candidates: answers that say the same form one group, whatever order they arrive in."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from auritas.council.equivalence import AnswerKey, equal_key, key, same_key
from auritas.kernel.answers import Answer

_ID_CHARACTERS = 16


class Sameness(Protocol):
    """Decides whether two answers say the same. Must be symmetric.

    The default compares forms. A stage that knows meaning wraps it: ask `same_key` first, then its own stricter test
    on the keys' texts, with whatever it needs computed beforehand.
    """

    def __call__(self, a: AnswerKey, b: AnswerKey, /) -> bool:
        """Return whether the two say the same."""


@dataclass(frozen=True, slots=True)
class Group:
    """A candidate before it has a score. id: follows from what its supporters say and from nothing else.

    text: the words of the finest answer in it. supporters: seats, sorted.
    """

    id: str
    text: str
    supporters: tuple[str, ...]


def candidates(answers: Sequence[Answer], same: Sameness = same_key) -> tuple[Group, ...]:
    """Group the answers that vote; abstentions, failures and silence form no candidate. Sorted by id."""
    voting = [(key(answer.text), answer) for answer in answers if answer.votes]
    said: dict[AnswerKey, list[Answer]] = {}
    for each, answer in voting:
        said.setdefault(each, []).append(answer)
    clusters = clustered(said, same)
    return tuple(sorted((_group(cluster, said) for cluster in clusters), key=lambda group: group.id))


def clustered(keys: Iterable[AnswerKey], same: Sameness = same_key) -> tuple[tuple[AnswerKey, ...], ...]:
    """Partition distinct keys, the finest of each cluster first.

    Sameness is not transitive: 3.14 says the same as 3.142 and as 3.138, which differ. So the finest statements go
    first and each coarser one joins the one cluster whose finest statement, or one exactly equal to that, it agrees
    with. If it agrees with several it stands alone, since joining them would merge what differs and picking one would
    be a guess. The walk is in a total order of the keys, hence the same for every order of the answers.
    """
    clusters: list[list[AnswerKey]] = []
    for each in sorted(set(keys), key=_total_order):
        agreeing = [cluster for cluster in clusters if any(same(head, each) for head in _heads(cluster))]
        if len(agreeing) == 1:
            agreeing[0].append(each)
        else:
            clusters.append([each])
    return tuple(tuple(cluster) for cluster in clusters)


def _heads(cluster: Sequence[AnswerKey]) -> list[AnswerKey]:
    return [cluster[0], *(each for each in cluster[1:] if equal_key(cluster[0], each))]


def _total_order(each: AnswerKey) -> tuple[tuple[int, str, str], str]:
    return each.order, repr(each)


def _group(cluster: Sequence[AnswerKey], said: dict[AnswerKey, list[Answer]]) -> Group:
    texts = sorted({f"{each.kind} {each.text}" for each in cluster})
    digest = hashlib.sha256("\x00".join(texts).encode("utf-8", "surrogatepass")).hexdigest()
    seats = {answer.seat.name for each in cluster for answer in said[each]}
    wordings = Counter(answer.text.strip() for answer in said[cluster[0]])
    text = min(wordings, key=lambda words: (-wordings[words], len(words), words))
    return Group(digest[:_ID_CHARACTERS], text, tuple(sorted(seats)))
