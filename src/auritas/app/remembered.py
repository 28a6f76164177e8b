"""What is remembered, gone through: chosen and a page at a time, where each was said and used, and which are alike."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from auritas.app.memory_views import Entry
from auritas.app.missing_embedder import NoEmbedderError
from auritas.app.recollection import Shelves
from auritas.app.remembering import LIST_COMMAND, SHOWN
from auritas.app.resembling import NEAR, resembling, unsettled
from auritas.kernel.errors import NotFoundError
from auritas.kernel.memory import Correction, CorrectionState, CorrectionType, Scope
from auritas.kernel.text import one_line
from auritas.memory.adapters.corrections_sql import SqlCorrections
from auritas.memory.adapters.steering_sql import kept_pairs
from auritas.memory.adapters.used_sql import Application, applications, conversation_of
from auritas.memory.model import pair_of, place_of
from auritas.memory.shelf import Vectors
from auritas.store import SqlStore

__all__ = ["Alike", "Application", "Origin", "Remembered", "RememberedPage", "Wanted"]

COMPARED = 2_000
"""Corrections of one place whose words are compared with one another, the newest first."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which corrections are looked for; what is empty or None narrows nothing. text: stands in their words."""

    states: Sequence[CorrectionState] = SHOWN
    types: Sequence[CorrectionType] = ()
    scopes: Sequence[Scope] = ()
    text: str = ""
    project_id: str | None = None
    conversation_id: str | None = None
    domain: str | None = None
    pinned: bool | None = None

    def __contains__(self, each: Correction) -> bool:
        said = (each.claim, each.instruction, each.canonical_query, each.condition)
        return (
            (not self.types or each.type in self.types)
            and (not self.scopes or each.scope in self.scopes)
            and self.project_id in {None, each.project_id}
            and self.conversation_id in {None, each.conversation_id}
            and self.domain in {None, each.domain}
            and self.pinned in {None, each.pinned}
            and (not self.text or any(self.text.casefold() in words.casefold() for words in said))
        )


@dataclass(frozen=True, slots=True)
class RememberedPage:
    """Some of what is remembered, newest first. next: the id after which the page that follows begins."""

    items: tuple[Entry, ...]
    next: str | None
    total: int


@dataclass(frozen=True, slots=True)
class Origin:
    """Where something was said, as far as that is still there."""

    message_id: str
    conversation_id: str


@dataclass(frozen=True, slots=True)
class Alike:
    """Two corrections that hold in one place and say nearly the same, or the contrary. similarity: a cosine."""

    newer: Correction
    older: Correction
    similarity: float


@dataclass(frozen=True, slots=True)
class Remembered:
    """Looks through what is remembered; only reads. every: all corrections in some states, newest first."""

    store: SqlStore
    corrections: SqlCorrections
    shelves: Shelves
    every: Callable[[Sequence[CorrectionState]], tuple[Entry, ...]]

    def known(self, correction_id: str) -> Correction:
        """Return a correction by its whole id. Raises NotFoundError, also for one that was erased."""
        with self.store.read() as unit:
            found = self.corrections.get(unit, correction_id)
        if found is None or found.state is CorrectionState.ERASED or found.type is CorrectionType.MODEL_PREFERENCE:
            raise NotFoundError(f"Nothing is remembered under {one_line(correction_id, 60)!r}.", remedy=LIST_COMMAND)
        return found

    def page(self, wanted: Wanted, size: int, before: str | None = None) -> RememberedPage:
        """Return up to `size` corrections, newest first. before: the last one of the page before.

        Raises NotFoundError where that one is not among them any more.
        """
        found = [entry for entry in self.every(wanted.states) if entry.correction in wanted]
        start = 0
        if before is not None:
            ids = [entry.correction.id for entry in found]
            if before not in ids:
                raise NotFoundError("The page before this one has changed.", remedy="Begin again with the first page.")
            start = ids.index(before) + 1
        items = tuple(found[start : start + size])
        more = start + size < len(found)
        return RememberedPage(items, items[-1].correction.id if more else None, len(found))

    def origin(self, correction_id: str) -> Origin | None:
        """Return the message in which a correction was said, None where there was none or it is gone."""
        with self.store.read() as unit:
            message_id = self.corrections.source(unit, correction_id)
            conversation_id = conversation_of(unit, message_id) if message_id else None
        return Origin(message_id, conversation_id) if message_id and conversation_id else None

    def applications(self, correction_id: str, count: int, before: str | None = None) -> tuple[Application, ...]:
        """Return the questions into whose prompts a correction entered, newest first, after question `before`."""
        with self.store.read() as unit:
            return applications(unit, correction_id, count, before)

    def resembling(self, correction: Correction) -> tuple[Correction, ...]:
        """Return what holds in the same place and may be meant to be replaced by a correction, nearest first."""
        found = resembling(self.shelves, correction)
        with self.store.read() as unit:
            return unsettled(correction, found, kept_pairs(unit))

    def alike(self, count: int) -> tuple[Alike, ...]:
        """Return pairs of active corrections that may be meant to replace one another, the most similar first.

        They are proposed, not judged: both hold until a person says otherwise, and once one said that both hold, they
        are proposed no more. Raises NoEmbedderError.
        """
        embedder = self.shelves.embedder()
        if embedder is None:
            raise NoEmbedderError
        shelf = self.shelves.current()  # embeds what has no vector yet
        with self.store.read() as unit:
            vectors = self.corrections.vectors(unit, embedder.id, embedder.dimensions)
            settled = kept_pairs(unit)
        rooms: dict[tuple[Scope, str, str, bool], list[Correction]] = defaultdict(list)
        for each in shelf.corrections:
            if each.id in vectors:
                rooms[each.scope, place_of(each.scope, each), each.condition, each.is_fact].append(each)
        near = (pair for room in rooms.values() for pair in _near(room, vectors))
        pairs = [pair for pair in near if pair_of(pair.newer.id, pair.older.id) not in settled]
        return tuple(sorted(pairs, key=lambda pair: (-pair.similarity, pair.newer.id, pair.older.id))[:count])


def _near(room: Sequence[Correction], vectors: Mapping[str, Vectors]) -> list[Alike]:
    """Return the pairs of one room whose words are near enough, by the nearest of their texts."""
    newest = sorted(room, key=lambda each: (each.created_at, each.id), reverse=True)[:COMPARED]
    owners = np.repeat(np.arange(len(newest)), [len(vectors[each.id]) for each in newest])
    rows = np.concatenate([vectors[each.id] for each in newest])
    found: dict[tuple[int, int], float] = {}
    for first in range(len(newest)):
        cosines = rows @ vectors[newest[first].id].T
        for row in np.flatnonzero((cosines.max(axis=1) >= NEAR) & (owners > first)):
            pair = first, int(owners[row])
            found[pair] = max(found.get(pair, 0.0), float(cosines[row].max()))
    return [Alike(newest[newer], newest[older], min(near, 1.0)) for (newer, older), near in found.items()]
