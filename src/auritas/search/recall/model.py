"""What is weighed when the past is recalled."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from auritas.kernel.model import Role
from auritas.search.recall.dates import Period

Floats: TypeAlias = NDArray[np.float64]
Places: TypeAlias = NDArray[np.intp]

PAUSE: Final = timedelta(hours=6)
"""A longer silence ends a stretch of talk."""

NONE: Final = -1
"""The place of a neighbour that is not there."""


@dataclass(frozen=True, slots=True)
class Speakers:
    """The words, in lower case, by which a question names those who speak; by default it is the user who asks."""

    user: tuple[str, ...] = ("i", "me", "my", "mine")
    assistant: tuple[str, ...] = ("you", "your", "yours")

    @property
    def names(self) -> tuple[str, ...]:
        """All of them."""
        return self.user + self.assistant


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as it is looked up.

    terms: the stems that it is about. speaker: who said what is asked for, when the question names one. periods: when
    it was said. vector: of unit length; None: without meaning.
    """

    text: str
    terms: tuple[str, ...]
    speaker: Role | None = None
    periods: tuple[Period, ...] = ()
    vector: Floats | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """One message in the pool. length: in words. asks: whether it ends as a question."""

    seq: int
    conversation_id: str
    role: Role
    at: datetime
    length: int
    asks: bool


@dataclass(frozen=True, slots=True)
class Corpus:
    """What is known of all messages. known: in how many each term of the question occurs."""

    messages: int
    mean_length: float
    known: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Pool:
    """The messages that are weighed for one question, by conversation and in order; arrays have a row for each.

    counts: how often each term of the question occurs. cosines: with the question. previous, next: places of the
    neighbours in the same stretch of talk, or NONE. stretch: number of that stretch.
    """

    turns: Sequence[Turn]
    counts: Floats
    cosines: Floats
    corpus: Corpus
    previous: Places
    next: Places
    stretch: Places


def pool_of(turns: Sequence[Turn], counts: Floats, cosines: Floats, corpus: Corpus) -> Pool:
    """Return a pool of messages that are sorted by conversation and order, with what is next to what."""
    together = np.array([_of_one_stretch(one, other) for one, other in pairwise(turns)], dtype=bool)
    joined = np.concatenate([[False], together]) if turns else np.zeros(0, dtype=bool)
    places = np.arange(len(turns))
    following = np.concatenate([joined[1:], [False]]) if turns else joined
    return Pool(
        turns,
        counts,
        cosines,
        corpus,
        previous=np.where(joined, places - 1, NONE),
        next=np.where(following, places + 1, NONE),
        stretch=np.cumsum(~joined),
    )


def _of_one_stretch(one: Turn, other: Turn) -> bool:
    return one.conversation_id == other.conversation_id and abs(other.at - one.at) <= PAUSE


@dataclass(frozen=True, slots=True)
class Weighed:
    """A message of the pool with its rank's value and its score in [0, 1], which compares across questions."""

    turn: Turn
    value: float
    score: float
