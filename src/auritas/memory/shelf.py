"""All active corrections side by side, as columns: what is asked of each of them is asked of all at once."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from auritas.kernel.memory import Correction, DecayClass, Scope
from auritas.memory.decay import HALF_LIFE_DAYS, STEADY_RECENCY
from auritas.memory.factors import COSTLY_TOKENS, FAILURE_PREVENTION, WEIGHT_OF_CLASS, tokens_of
from auritas.memory.model import Where, place_of
from auritas.memory.precedence import can_hold, rivals
from auritas.memory.relevance import USUAL, commonness, relevances
from auritas.memory.shared_words import WordRows, word_rows

Floats: TypeAlias = NDArray[np.float64]
Flags: TypeAlias = NDArray[np.bool_]
Vectors: TypeAlias = NDArray[np.float32]
Places: TypeAlias = NDArray[np.intp]

_DAY_SECONDS = 86_400.0


@dataclass(frozen=True, slots=True)
class Columns:
    """One number of each correction. Times are seconds since the epoch; half_life is in days, infinite for class A."""

    failure_prevention: Floats
    importance: Floats
    confidence: Floats
    half_life: Floats
    trusted_since: Floats
    used_at: Floats
    tokens: NDArray[np.int64]
    token_cost: Floats
    pinned: Flags
    is_fact: Flags


class Shelf:
    """The corrections that can hold, in the order of their ids; others are left out. It never changes.

    vectors: for each, those of the texts by which it is found, as rows of length one; who is absent is found by shared
    words alone. questions: vectors of questions about nothing in particular; see `relevance.commonness`.
    """

    def __init__(
        self,
        corrections: Iterable[Correction],
        vectors: Mapping[str, Vectors] | None = None,
        questions: Floats | None = None,
    ) -> None:
        self.corrections = tuple(sorted(filter(can_hold, corrections), key=lambda correction: correction.id))
        self._vectors = vectors or {}
        self._questions = questions
        self._place = {correction.id: place for place, correction in enumerate(self.corrections)}

    def __len__(self) -> int:
        return len(self.corrections)

    @cached_property
    def columns(self) -> Columns:
        """The numbers by which corrections are weighed, save those that depend on time or question."""
        kept = self.corrections
        tokens = np.array([tokens_of(c.text) for c in kept], dtype=np.int64)
        return Columns(
            _floats(FAILURE_PREVENTION[c.type] for c in kept),
            np.clip(_floats(c.confidence + WEIGHT_OF_CLASS[c.decay_class] for c in kept), 0.0, 1.0),
            _floats(c.confidence for c in kept),
            _floats(HALF_LIFE_DAYS.get(c.decay_class, np.inf) for c in kept),
            _floats(_trusted_since(c).timestamp() for c in kept),
            _floats((c.last_used_at or c.created_at).timestamp() for c in kept),
            tokens,
            np.minimum(tokens / COSTLY_TOKENS, 1.0),
            _flags(c.pinned for c in kept),
            _flags(c.is_fact for c in kept),
        )

    def relevance(self, vector: Sequence[float] | None, question: str = "") -> Floats:
        """Return how far each correction has to do with a question, in [0, 1]; 0: unrelated.

        By the question's vector; where that or the correction's own is missing, by the words that both share.
        """
        if vector is None or not self._rows.size or len(vector) != self._rows.shape[1]:
            return self._words.relevance(question)
        cosines = np.asarray(self._rows @ np.asarray(vector, dtype=np.float32), dtype=np.float64)
        found = self._nearest(relevances(cosines, self._common))
        owners, _ = self._owners
        if len(owners) == len(self):
            return found
        bare = np.ones(len(self), dtype=np.bool_)
        bare[owners] = False
        return np.where(bare, self._words.relevance(question), found)

    def renewed(self, used_at: Mapping[str, datetime]) -> "Shelf":
        """Return the shelf with what was used since, from when on trust in what was inferred counts (class C)."""
        known = {self._place[each]: at for each, at in used_at.items() if each in self._place}
        if not known:
            return self
        shelf, columns, kept = copy(self), self.columns, list(self.corrections)
        used, trusted = columns.used_at.copy(), columns.trusted_since.copy()
        for place, at in known.items():
            kept[place] = replace(kept[place], last_used_at=at)
            used[place] = at.timestamp()
            trusted[place] = _trusted_since(kept[place]).timestamp()
        shelf.corrections = tuple(kept)
        shelf.columns = replace(columns, used_at=used, trusted_since=trusted)
        return shelf

    def cosines(self, vectors: Vectors) -> Floats:
        """Return the similarity of each correction to the nearest of some vectors, by the nearest of its own."""
        if not self._rows.size or not vectors.size or vectors.shape[1] != self._rows.shape[1]:
            return np.zeros(len(self))
        return self._nearest(np.asarray(self._rows @ vectors.T, dtype=np.float64).max(axis=1))

    def _nearest(self, of_rows: Floats) -> Floats:
        """Return for each correction the highest number of its rows, at least 0, which those without rows have."""
        found = np.zeros(len(self))
        owners, begins = self._owners
        found[owners] = np.maximum(np.maximum.reduceat(of_rows, begins), 0.0)
        return found

    @cached_property
    def _words(self) -> WordRows:
        return word_rows([text for text in (c.claim, c.canonical_query) if text] for c in self.corrections)

    @cached_property
    def _rows(self) -> Vectors:
        kept = [self._vectors[c.id] for c in self.corrections if len(self._vectors.get(c.id, ()))]
        return np.concatenate(kept) if kept else np.zeros((0, 0), dtype=np.float32)

    @cached_property
    def _owners(self) -> tuple[Places, Places]:
        """The places of those that have rows, and for each of them the first of its rows."""
        counts = [len(self._vectors.get(c.id, ())) for c in self.corrections]
        owners = np.flatnonzero(counts)
        begins = np.concatenate(([0], np.cumsum(np.array(counts, dtype=np.intp)[owners])))[:-1]
        return owners, begins.astype(np.intp)

    @cached_property
    def _common(self) -> Floats | float:
        return USUAL if self._questions is None else commonness(self._rows.astype(np.float64), self._questions)

    def remaining(self, now: datetime) -> Floats:
        """Return the share of trust that is left of each; see `decay.effective_confidence`."""
        return self._fading(self.columns.trusted_since, now)

    def recency(self, now: datetime) -> Floats:
        """Return how recently each was used; see `decay.recency`."""
        fading = self._fading(self.columns.used_at, now)
        return np.where(np.isinf(self.columns.half_life), STEADY_RECENCY, fading)

    def _fading(self, since: Floats, now: datetime) -> Floats:
        ages = np.maximum((now.timestamp() - since) / _DAY_SECONDS, 0.0)
        return np.exp2(-ages / self.columns.half_life)

    def in_scope(self, where: Where) -> Flags:
        """Return which corrections hold where a question is asked; see `precedence.in_scope`."""
        wanted: Mapping[Scope, Callable[[str], bool]] = {
            Scope.GLOBAL: lambda _: True,
            Scope.PROJECT: lambda place: place == where.project_id,
            Scope.CONVERSATION: lambda place: place == where.conversation_id,
            Scope.DOMAIN: lambda place: place in where.domains,
        }
        held = [wanted[scope](place) for scope, place in self._rooms]
        return np.array(held, dtype=np.bool_)[self._room_of] if held else np.zeros(0, dtype=np.bool_)

    def among(self, ids: Iterable[str]) -> Flags:
        """Return which corrections have one of some ids."""
        found = np.zeros(len(self), dtype=np.bool_)
        found[[self._place[each] for each in ids if each in self._place]] = True
        return found

    def hidden(self, present: Flags) -> Places:
        """Return the places of those, among corrections in scope, that a narrower one hides; see `precedence`."""
        places, begins = self._rivals
        here = present[places]
        before = np.concatenate(([0], np.cumsum(here)))
        # Of each group, the first that is in scope holds: who has another of it before them is hidden.
        return places[here & (before[:-1] > before[begins])]

    @cached_property
    def _rivals(self) -> tuple[Places, Places]:
        """The places of all that have rivals, group after group; and for each of them where its group begins."""
        places: list[int] = []
        begins: list[int] = []
        for group in rivals(self.corrections):
            begins += [len(places)] * len(group)
            places += [self._place[correction.id] for correction in group]
        return np.array(places, dtype=np.intp), np.array(begins, dtype=np.intp)

    @cached_property
    def _rooms(self) -> Sequence[tuple[Scope, str]]:
        return sorted({(c.scope, place_of(c.scope, c)) for c in self.corrections})

    @cached_property
    def _room_of(self) -> NDArray[np.intp]:
        number = {room: place for place, room in enumerate(self._rooms)}
        return np.array([number[c.scope, place_of(c.scope, c)] for c in self.corrections], dtype=np.intp)


def _trusted_since(correction: Correction) -> datetime:
    if correction.decay_class is DecayClass.C and correction.last_used_at is not None:
        return max(correction.created_at, correction.last_used_at)
    return correction.created_at


def _floats(values: Iterable[float]) -> Floats:
    return np.fromiter(values, dtype=np.float64)


def _flags(values: Iterable[bool]) -> Flags:
    return np.fromiter(values, dtype=np.bool_)
