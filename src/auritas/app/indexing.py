"""Keeping the search index up: after each answer, before each search, and by a worker where a process lives long."""

import asyncio
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from auritas.app.stoppable import in_thread
from auritas.kernel.clock import Clock, timestamp
from auritas.kernel.diagnostics import Diagnostics
from auritas.kernel.ids import Ids
from auritas.kernel.ports import Store
from auritas.kernel.tasks import Spawner
from auritas.search.adapters.health_sql import BEAT_FOR, WORKER_JOB, health, is_sound
from auritas.search.adapters.index_sql import SqlWordIndex
from auritas.search.model import Health, IndexPart, Progress
from auritas.search.service import Indexer
from auritas.store import Unit

if TYPE_CHECKING:
    from auritas.app.memory_parts import MemoryParts
    from auritas.app.progress import Steps

__all__ = ["Health", "Indexing", "Progress"]

EVERY_S = 1.0
"""Seconds between two looks of the worker at the list; its beat is renewed at each."""
AT_ONCE_S = 2.0
"""Seconds that the worker indexes before it beats again."""
OnProgress = Callable[[Progress], None]


@dataclass(frozen=True, slots=True)
class Indexing:
    """Applies what waits for the index. Any number of processes may do so at once."""

    store: Store[Unit]
    clock: Clock
    ids: Ids
    diagnostics: Diagnostics
    parts: Sequence[IndexPart[Unit]] = ()

    def catch_up(self, budget_s: float | None = None, progress: OnProgress | None = None) -> Progress:
        """Index what waits, for `budget_s` seconds at most; see `search.service.Indexer.catch_up`."""
        return self._indexer().catch_up(budget_s, progress)

    def catch_up_words(self, budget_s: float | None = None, progress: OnProgress | None = None) -> Progress:
        """Index words alone and leave further parts, which may be slow, to others."""
        return self._indexer().catch_up(budget_s, progress, follow=False)

    def rebuild(self, progress: OnProgress | None = None) -> Progress:
        """Index everything anew; a damaged index is thrown away first, a sound one serves meanwhile."""
        with self.store.unit() as unit:
            sound = is_sound(unit)
        return self._indexer().rebuild(progress, damaged=not sound)

    async def rebuilding(self, steps: "Steps") -> str:
        """Do what `rebuild` does as the work of a run, and return what came of it.

        Cut short, the rebuild goes on with the next catching up.
        """

        def work(stopped: threading.Event) -> str:
            def tell(far: Progress) -> None:
                if stopped.is_set():
                    raise _StoppedError
                steps(far.done, far.total)

            self.rebuild(tell)
            found = self.health(thorough=True)
            return f"{found.indexed:,} of {found.messages:,} messages are indexed."

        return await in_thread(work)

    def health(self, *, thorough: bool = False) -> Health:
        """Return how the index stands. thorough: also compare its pages, which reads all of it."""
        with self.store.read() as unit:
            found = health(unit, self.clock)
        if not thorough:
            return found
        with self.store.unit() as unit:
            return replace(found, sound=is_sound(unit))

    def _indexer(self) -> Indexer[Unit]:
        return Indexer(self.store, SqlWordIndex(), self.parts, self.clock, self.diagnostics)

    def run(self, spawner: Spawner) -> "asyncio.Task[None]":
        """Start the worker of a process that lives long; cancel its task to end it.

        Of several processes one works at a time. It beats at least every few seconds, so that `health` tells of a
        dead one within ten.
        """
        return spawner.spawn("search index", _Worker(self, self.ids.new()).work())


class SharedCatchUp:
    """Catches up once for all who ask for it meanwhile: many answers at once need not each open the index.

    It lives in one event loop.
    """

    def __init__(self, catch_up: Callable[[], object]) -> None:
        self._catch_up = catch_up
        self._turn = asyncio.Lock()
        self._asked = self._covered = 0

    async def __call__(self) -> None:
        """Return when a catching up that began after this call has ended. Raises what it raises."""
        self._asked += 1
        mine = self._asked
        async with self._turn:
            if self._covered >= mine:
                return
            covers = self._asked
            await asyncio.to_thread(self._catch_up)
            self._covered = covers


class _StoppedError(Exception):
    """Nobody waits for the rebuild any more."""


class _Worker:
    def __init__(self, indexing: Indexing, holder: str) -> None:
        self._indexing = indexing
        self._holder = holder
        self._looking = threading.Lock()
        self._ended = False

    async def work(self) -> None:
        try:
            while True:
                await asyncio.to_thread(self._look)
                await self._indexing.clock.sleep(EVERY_S)
        finally:
            self._leave()

    def _look(self) -> None:
        with self._looking:
            if self._ended:
                return
            try:
                if self._beat():
                    self._indexing.catch_up(AT_ONCE_S)
                    self._beat()
            except Exception as error:  # noqa: BLE001  noted, and tried again at the next look
                self._indexing.diagnostics.trouble("search index", error)

    def _beat(self) -> bool:
        """Say that this worker is alive; return False while another one is."""
        now = self._indexing.clock.now()
        statement = """INSERT INTO schedule (job, last_run_at, holder, held_until) VALUES (?, ?, ?, ?)
            ON CONFLICT (job) DO UPDATE SET last_run_at = excluded.last_run_at, holder = excluded.holder,
            held_until = excluded.held_until
            WHERE holder IS NULL OR holder = excluded.holder OR held_until <= excluded.last_run_at"""
        values = (WORKER_JOB, timestamp(now), self._holder, timestamp(now + BEAT_FOR))
        with self._indexing.store.unit() as unit:
            return bool(unit.connection.exec_driver_sql(statement, values).rowcount)

    def _leave(self) -> None:
        """Give the job up; a look that is under way in its thread ends first, so that it cannot take it again."""
        statement = "UPDATE schedule SET holder = NULL, held_until = NULL WHERE job = ? AND holder = ?"
        with self._looking:
            self._ended = True
            with self._indexing.store.unit() as unit:
                unit.connection.exec_driver_sql(statement, (WORKER_JOB, self._holder))


def indexing_over(parts: "MemoryParts") -> Indexing:
    """Put the index together, with the further parts that follow it."""
    return Indexing(parts.store, parts.clock, parts.ids, parts.diagnostics, (parts.recall.index,))
