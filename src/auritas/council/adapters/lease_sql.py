"""A lease on a job: of several processes one runs it, and a dead holder's claim runs out."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TypeVar

from sqlalchemy import Update, select, update
from sqlalchemy.dialects.sqlite import insert

from auritas.kernel.clock import Clock, from_timestamp, timestamp
from auritas.kernel.errors import UnavailableError
from auritas.kernel.ports import Store
from auritas.store import Unit
from auritas.store import schema as t

T = TypeVar("T")

HELD_FOR = timedelta(seconds=120)
"""How long a holder may be silent; longer than any stretch of work between two beats."""


class LeaseLostError(UnavailableError):
    """Another process has taken over, because this one was silent for too long."""

    code = "lease_lost"


@dataclass(frozen=True, slots=True)
class JobState:
    """A job as it stands. error: type of what stopped the last run, if anything did."""

    last_run_at: datetime | None
    next_run_at: datetime | None
    failures: int
    error: str | None
    holder: str | None


@dataclass(frozen=True, slots=True)
class JobLease:
    """The lease of one job, as seen by one process. holder: an id of that process's own."""

    store: Store[Unit]
    clock: Clock
    job: str
    every: timedelta
    holder: str

    def due(self) -> bool:
        """Return whether the time has come and nobody is at it; only reads."""
        now = timestamp(self.clock.now())
        with self.store.read() as unit:
            row = unit.connection.execute(select(t.schedule).where(t.schedule.c.job == self.job)).first()
        if row is None:
            return True
        held = row.holder is not None and row.held_until is not None and row.held_until > now
        return not held and (row.next_run_at is None or row.next_run_at <= now)

    def state(self) -> JobState | None:
        """Return how the job stands, or None when it never ran; only reads."""
        with self.store.read() as unit:
            row = unit.connection.execute(select(t.schedule).where(t.schedule.c.job == self.job)).first()
        if row is None:
            return None
        last, following = _moment(row.last_run_at), _moment(row.next_run_at)
        return JobState(last, following, row.failures, row.last_error, row.holder)

    def run(self, work: Callable[[Callable[[], None]], T]) -> T | None:
        """Run `work` while holding the lease; return None when another process holds it.

        `work` gets a beat to call between stretches of work; it raises LeaseLostError when the lease has gone. What
        `work` raises is recorded by its type, the next run is set all the same, and the error is raised on.
        """
        if not self._take():
            return None
        try:
            result = work(self.beat)
        except BaseException as error:
            self._let_go(type(error).__name__)
            raise
        self._let_go(None)
        return result

    def beat(self) -> None:
        """Say that the holder is alive. Raises LeaseLostError."""
        now = self.clock.now()
        values = {"last_run_at": timestamp(now), "held_until": timestamp(now + HELD_FOR)}
        with self.store.unit() as unit:
            if not unit.connection.execute(self._mine().values(values)).rowcount:
                raise LeaseLostError(f"Another process runs {self.job} now.", remedy="Nothing is lost; let it finish.")

    def _take(self) -> bool:
        now = self.clock.now()
        taken = {"holder": self.holder, "held_until": timestamp(now + HELD_FOR), "last_run_at": timestamp(now)}
        free = (t.schedule.c.holder.is_(None)) | (t.schedule.c.held_until <= timestamp(now))
        statement = insert(t.schedule).values({"job": self.job, **taken})
        with self.store.unit() as unit:
            done = unit.connection.execute(
                statement.on_conflict_do_update(index_elements=["job"], set_=taken, where=free)
            )
            return bool(done.rowcount)

    def _let_go(self, error: str | None) -> None:
        following = timestamp(self.clock.now() + self.every)
        values = {"holder": None, "held_until": None, "last_error": error, "next_run_at": following}
        failures = t.schedule.c.failures + 1 if error else 0
        with self.store.unit() as unit:
            unit.connection.execute(self._mine().values(failures=failures, **values))

    def _mine(self) -> Update:
        return update(t.schedule).where(t.schedule.c.job == self.job, t.schedule.c.holder == self.holder)


def _moment(text: str | None) -> datetime | None:
    return from_timestamp(text) if text else None
