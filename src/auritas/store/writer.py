"""Group commit: writes that wait at the same moment share one transaction and one commit.

A commit costs far more than the statements in it. Each write has a savepoint of its own, so that the failure of one
leaves its neighbours alone, and none is acknowledged before the commit that holds it.
"""

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any, TypeVar

from auritas.store.engine import close_rows, driver
from auritas.store.errors import StoreClosedError
from auritas.store.unit import Unit, Units

T = TypeVar("T")

BATCH = 512
"""Writes in one transaction at most: bounds how long the first one waits and how long the write lock is held."""


@dataclass(slots=True)
class _Job:
    work: Callable[[Unit], Any]
    future: "Future[Any]" = field(default_factory=Future)
    value: Any = None
    error: BaseException | None = None

    def settle(self) -> None:
        if self.error is None:
            self.future.set_result(self.value)
        else:
            self.future.set_exception(self.error)


class GroupWriter:
    """One thread that takes whatever is queued and commits it at once."""

    def __init__(self, units: Units) -> None:
        self._units = units
        self._queue: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._open = True
        self.commits = 0
        """Transactions committed so far: fewer than writes when they were grouped."""

    def submit(self, work: Callable[[Unit], T]) -> "Future[T]":
        """Queue `work` and return what will hold its result. Raises StoreClosedError after `close`."""
        job = _Job(work)
        with self._lock:
            if not self._open:
                raise StoreClosedError("The store is closed.", remedy="Open it again.")
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._run, name="auritas-writer", daemon=True)
                self._thread.start()
            self._queue.put(job)
        return job.future

    def close(self) -> None:
        """Finish what is queued and end the thread."""
        with self._lock:
            self._open = False
            thread = self._thread
        if thread is not None:
            self._queue.put(None)
            thread.join()

    def _run(self) -> None:
        while True:
            batch, last = self._next_batch()
            wanted = [job for job in batch if job.future.set_running_or_notify_cancel()]
            if wanted:
                self._commit(wanted)
            if last:
                return

    def _next_batch(self) -> tuple[list[_Job], bool]:
        batch: list[_Job] = []
        job = self._queue.get()
        while job is not None:
            batch.append(job)
            if len(batch) == BATCH:
                return batch, False
            try:
                job = self._queue.get_nowait()
            except queue.Empty:
                return batch, False
        return batch, True

    def _commit(self, batch: list[_Job]) -> None:
        try:
            with self._units.write() as unit:
                for job in batch:
                    _attempt(unit, job)
            self.commits += 1
        except BaseException as error:  # noqa: BLE001  carried to everybody who waits for this commit
            for job in batch:
                job.error = job.error or error
        for job in batch:
            job.settle()


def _attempt(unit: Unit, job: _Job) -> None:
    raw = driver(unit.connection)
    raw.execute("SAVEPOINT job")
    try:
        job.value = job.work(unit)
    except BaseException as error:
        job.error = error
        if not raw.in_transaction:
            raise  # a full disk made SQLite roll back everything: the whole batch fails with this error
        close_rows(unit.connection)  # a statement still open would stop the rollback
        raw.execute("ROLLBACK TO job")
    raw.execute("RELEASE job")
