"""Keeping the index up: in small units of work, so that nobody waits for it and a kill at any point loses nothing."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from auritas.kernel.clock import Clock
from auritas.kernel.diagnostics import Diagnostics
from auritas.kernel.errors import UnavailableError
from auritas.kernel.ports import Store
from auritas.search.model import IndexedMessage, IndexPart, Progress

U = TypeVar("U")
U_contra = TypeVar("U_contra", contravariant=True)

CONVERSATIONS_AT_ONCE = 64
MESSAGES_AT_ONCE = 64
LOCK_HELD_S = 0.1
"""How long one unit of work may go on taking further conversations: an answer may be waiting for the write lock."""

OnProgress = Callable[[Progress], None]


class WordIndex(Protocol[U_contra]):
    """The index of words, and the list of what it has not got yet."""

    def waiting(self, unit: U_contra) -> int:
        """Return how many conversations are to be indexed, those left out that failed too often."""

    def take(self, unit: U_contra, count: int) -> Sequence[str]:
        """Return up to `count` of them, those first that wait longest."""

    def put(self, unit: U_contra, conversation_id: str, parts: Sequence[str]) -> None:
        """Index a conversation as it stands and strike it off the list; list its new messages for the parts."""

    def failed(self, unit: U_contra, conversation_id: str) -> None:
        """Note that a conversation could not be indexed; it goes to the end of the list."""

    def enlist(self, unit: U_contra, part: str) -> None:
        """List every message for a part that has never been here."""

    def known(self, unit: U_contra, part: str) -> bool:
        """Tell whether `enlist` was done for a part."""

    def pending(self, unit: U_contra, part: str, count: int) -> Sequence[IndexedMessage]:
        """Return up to `count` messages that a part has not got yet; one that failed before comes last and alone."""

    def settle(self, unit: U_contra, part: str, rows: Sequence[IndexedMessage], *, failed: bool) -> None:
        """Strike messages off a part's list, or note that they failed."""

    def tidy_due(self, unit: U_contra) -> bool:
        """Tell whether `tidy` has anything to do."""

    def tidy(self, unit: U_contra) -> None:
        """Rewrite the pages, on which deleted words may be left, and end a rebuild."""

    def begin_rebuild(self, unit: U_contra) -> None:
        """List all conversations and all messages for all parts; what is indexed serves until it is replaced."""

    def clear(self, unit: U_contra) -> None:
        """Throw the index away, for one that is damaged."""


@dataclass(frozen=True, slots=True)
class Indexer(Generic[U]):
    """Applies what waits. Several processes may do so at once: each conversation is indexed as it stands then."""

    store: Store[U]
    index: WordIndex[U]
    parts: Sequence[IndexPart[U]]
    clock: Clock
    diagnostics: Diagnostics

    def catch_up(
        self, budget_s: float | None = None, progress: OnProgress | None = None, *, follow: bool = True
    ) -> Progress:
        """Index what waits, for `budget_s` seconds at most (None: to the end), and return how far it came.

        follow: let the further parts, which may be slow, follow, too; else theirs stays on their lists. Done once,
        doing it again changes nothing. Raises what the store raises when it is full or locked.
        """
        end = None if budget_s is None else self.clock.monotonic() + budget_s
        with self.store.read() as unit:
            total = self.index.waiting(unit)
        done, more = 0, total > 0
        while more and ((left := self._left(end)) is None or left > 0):
            count, more = self._batch()
            done += count
            if progress is not None:
                progress(Progress(done, max(total, done)))
        for part in self.parts if follow else ():
            self._follow(part, end)
        self._tidy()
        return Progress(done, max(total, done))

    def rebuild(self, progress: OnProgress | None = None, *, damaged: bool = False) -> Progress:
        """Index everything anew. A rebuild that is cut short goes on with the next catching up.

        damaged: throw the index away first; else it serves until each conversation is replaced.
        """
        with self.store.unit() as unit:
            if damaged:
                self.index.clear(unit)
            self.index.begin_rebuild(unit)
            for part in self.parts:
                part.clear(unit)
        return self.catch_up(progress=progress)

    def _left(self, end: float | None) -> float | None:
        return None if end is None else end - self.clock.monotonic()

    def _batch(self) -> tuple[int, bool]:
        """Index some of what waits; return how many, and whether more may wait."""
        try:
            return self._together()
        except UnavailableError:
            raise
        except Exception:  # noqa: BLE001  one of the batch fails: each on its own shows which
            done = self._apart()
            return done, done > 0

    def _together(self) -> tuple[int, bool]:
        names = [part.name for part in self.parts]
        start = self.clock.monotonic()
        with self.store.unit() as unit:
            done, waiting = 0, self.index.take(unit, CONVERSATIONS_AT_ONCE)
            for conversation_id in waiting:
                self.index.put(unit, conversation_id, names)
                done += 1
                if self.clock.monotonic() - start > LOCK_HELD_S:
                    break
            return done, done < len(waiting) or len(waiting) == CONVERSATIONS_AT_ONCE

    def _apart(self) -> int:
        names = [part.name for part in self.parts]
        with self.store.read() as unit:
            waiting = self.index.take(unit, CONVERSATIONS_AT_ONCE)
        for conversation_id in waiting:
            try:
                with self.store.unit() as unit:
                    self.index.put(unit, conversation_id, names)
            except UnavailableError:
                raise
            except Exception as error:  # noqa: BLE001  noted, and the others go on
                self.diagnostics.trouble("search index", error)
                with self.store.unit() as unit:
                    self.index.failed(unit, conversation_id)
        return len(waiting)

    def _follow(self, part: IndexPart[U], end: float | None) -> None:
        with self.store.read() as unit:
            known, rows = self.index.known(unit, part.name), self.index.pending(unit, part.name, MESSAGES_AT_ONCE)
        if not known:
            with self.store.unit() as unit:
                self.index.enlist(unit, part.name)
                rows = self.index.pending(unit, part.name, MESSAGES_AT_ONCE)
        while rows and ((left := self._left(end)) is None or left > 0) and self._give(part, rows):
            with self.store.read() as unit:
                rows = self.index.pending(unit, part.name, MESSAGES_AT_ONCE)

    def _give(self, part: IndexPart[U], rows: Sequence[IndexedMessage]) -> bool:
        try:
            part.prepare(rows)
            with self.store.unit() as unit:
                # What was deleted or changed while the part prepared is no longer on its list, or with another text.
                still = [row for row in self.index.pending(unit, part.name, MESSAGES_AT_ONCE) if row in rows]
                part.remove(unit, [row.seq for row in still])
                part.add(unit, still)
                self.index.settle(unit, part.name, still, failed=False)
        except UnavailableError:
            raise
        except Exception as error:  # noqa: BLE001  noted, tried again a few times, and never in the way of others
            self.diagnostics.trouble(f"search part {part.name}", error)
            with self.store.unit() as unit:
                self.index.settle(unit, part.name, rows, failed=True)
            return False
        return True

    def _tidy(self) -> None:
        with self.store.read() as unit:
            due = self.index.tidy_due(unit)
        if due:
            with self.store.unit() as unit:
                self.index.tidy(unit)
