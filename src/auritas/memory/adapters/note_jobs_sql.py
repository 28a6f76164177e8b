"""Who is at a job of memory, and when it is due next: one process at a time, and a dead one's claim runs out."""

from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import and_, or_, select, update
from sqlalchemy.dialects.sqlite import insert

from auritas.kernel.clock import Clock, timestamp
from auritas.store import Unit
from auritas.store import schema as t


@dataclass(frozen=True, slots=True)
class SqlJobs:
    """The rows of jobs, as one process sees them. holder: an id of that process's own."""

    clock: Clock
    holder: str

    def claim(self, unit: Unit, job: str, hold: timedelta) -> bool:
        """Take a job, or keep it, for `hold`; return False while another process has it."""
        now, s = self.clock.now(), t.schedule.c
        taken = {"holder": self.holder, "held_until": timestamp(now + hold), "last_run_at": timestamp(now)}
        free = or_(s.holder.is_(None), s.holder == self.holder, s.held_until <= timestamp(now))
        statement = insert(t.schedule).values(job=job, **taken)
        done = unit.connection.execute(statement.on_conflict_do_update(index_elements=["job"], set_=taken, where=free))
        return bool(done.rowcount)

    def release(self, unit: Unit, job: str) -> None:
        """Give the job back, if it is still this holder's."""
        s = t.schedule.c
        mine = and_(s.job == job, s.holder == self.holder)
        unit.connection.execute(update(t.schedule).where(mine).values(holder=None, held_until=None))

    def is_due(self, unit: Unit, job: str) -> bool | None:
        """Return whether the job's time has come, or None when no time was ever set for it."""
        following = unit.connection.execute(select(t.schedule.c.next_run_at).where(t.schedule.c.job == job)).scalar()
        return None if following is None else following <= timestamp(self.clock.now())

    def set_next(self, unit: Unit, job: str, wait: timedelta) -> None:
        """Let the job be due when `wait` has passed."""
        following = timestamp(self.clock.now() + wait)
        statement = insert(t.schedule).values(job=job, next_run_at=following)
        unit.connection.execute(
            statement.on_conflict_do_update(index_elements=["job"], set_={"next_run_at": following})
        )
