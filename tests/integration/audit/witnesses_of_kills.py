"""What the audit log adds to the campaign of kills: an entry in each write, and its whole verification after each kill.

`append` runs inside the load program, in the unit of each write; `AuditWatch.look` runs in the test after each kill.
"""

from sqlalchemy import func, select

from auritas.audit.adapters.sql import SqlAuditLog
from auritas.audit.model import Reason
from auritas.audit.service import AuditService
from auritas.kernel.clock import SystemClock, timestamp
from auritas.kernel.ids import TimeOrderedIds
from auritas.kernel.log import Kind, LogEvent
from auritas.kernel.randomness import SeededRng, SystemEntropy
from auritas.store.database import SqlStore
from auritas.store.schema import audit_log, local_settings, outbox
from auritas.store.unit import Unit

INSTALL = "install_id"
_CLOCK = SystemClock()


def new_log() -> SqlAuditLog:
    """Return a log that remembers nothing."""
    return SqlAuditLog(_CLOCK, SystemEntropy(), TimeOrderedIds(_CLOCK, SeededRng(4)))


_log = new_log()


def append(unit: Unit, number: int) -> None:
    """Append one entry with a body in the unit of a write."""
    _log.append(unit, [LogEvent(Kind.GRADE, "user", {"run_id": f"run-{number}"}, f"word {number}")])


class AuditWatch:
    """Verifies after each kill and signs, so that the next kill has something signed to agree with."""

    def __init__(self) -> None:
        self.sizes: list[int] = []

    def look(self, store: SqlStore) -> None:
        """Assert that the log is whole and holds one entry for each write, then sign it."""
        log = new_log()
        service = AuditService(store, log, _CLOCK)
        report = service.verify()
        assert report.ok, report
        with store.read() as unit:
            entries = unit.connection.scalar(
                select(func.count()).select_from(audit_log).where(audit_log.c.event_type == Kind.GRADE)
            )
            writes = unit.connection.scalar(select(func.count()).where(local_settings.c.key != INSTALL))
        assert entries == writes
        self.sizes.append(report.entries)
        if report.entries:
            service.checkpoint(Reason.DEMAND)
            self._even(store)
            assert service.verify().ok

    def _even(self, store: SqlStore) -> None:
        """Signing leaves the install's id among the settings; the campaign wants every setting in the outbox too."""
        now = timestamp(_CLOCK.now())
        with store.unit() as unit:
            if not unit.connection.scalar(select(func.count()).where(outbox.c.topic == INSTALL)):
                row = {"topic": INSTALL, "payload": "{}", "created_at": now, "available_at": now}
                unit.connection.execute(outbox.insert().values(row))
