"""What must happen now and then without anybody asking: daily roots, daily backups, the last signature."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta, tzinfo

from auritas.app.keeping import Keeping
from auritas.audit.adapters.sql import SqlAuditLog
from auritas.audit.model import Reason
from auritas.audit.service import AuditService, EmptyLogError
from auritas.council.adapters.records import CouncilRecords
from auritas.kernel.clock import Clock
from auritas.kernel.diagnostics import Diagnostics
from auritas.store import SqlStore, Unit

LONGEST_QUESTION = timedelta(hours=6)
"""No deadline and no cascade lasts so long: a question that is open after it belongs to a process that has died."""
DAILY_ROOT, OPEN_QUESTIONS, WEIGHTS, DOMAINS, VECTORS, LAST_SIGNATURE, DAILY_BACKUP = (
    "daily root",
    "open questions",
    "council's weights",
    "tree of domains",
    "vectors of messages",
    "last checkpoint",
    "daily backup",
)
DUTIES = frozenset({DAILY_ROOT, OPEN_QUESTIONS, WEIGHTS, DOMAINS, VECTORS, LAST_SIGNATURE, DAILY_BACKUP})
"""What a failure is noted under."""


@dataclass(frozen=True, slots=True)
class Upkeep:
    """Runs what is due. A failure here is reported and never stops what the person wanted.

    at_last: what is done when a process that wrote something ends, by the name under which a failure is noted.
    elsewhere: whether a process that lives long does that, and the backups; two at once would be in each other's way.
    """

    store: SqlStore
    log: SqlAuditLog
    records: CouncilRecords
    audit: AuditService[Unit]
    keeping: Keeping
    at_last: Mapping[str, Callable[[], object]]
    diagnostics: Diagnostics
    clock: Clock
    zone: tzinfo
    elsewhere: Callable[[], bool] = bool  # nobody

    def run_due(self) -> None:
        """Close the days that ended while the machine was off, and the questions whose process died."""
        self._guarded(DAILY_ROOT, lambda: self.audit.run_due(self.zone))
        self._guarded(OPEN_QUESTIONS, self._close_questions)

    def at_end(self, *, brief: bool = False) -> None:
        """Learn, sign what this process wrote, make the daily backup if it is due; after mere reading do nothing.

        brief: only sign. A process that lives long does the rest while it lives, and must end as soon as it is told to.
        """
        if not self.log.appended:
            return
        alone = not brief and not self.elsewhere()
        for what, work in self.at_last.items() if alone else ():
            self._guarded(what, work)
        self._guarded(LAST_SIGNATURE, self._sign)
        if alone:
            self._guarded(DAILY_BACKUP, self.keeping.back_up_daily)

    def _close_questions(self) -> None:
        with self.store.read() as unit:
            left = self.records.left_open(unit, self.clock.now() - LONGEST_QUESTION)
        if left:
            with self.store.unit() as unit:
                self.records.give_up(unit, left)

    def _sign(self) -> None:
        try:
            self.audit.checkpoint(Reason.SHUTDOWN)
        except EmptyLogError:
            return

    def _guarded(self, what: str, work: Callable[[], object]) -> None:
        try:
            work()
        except Exception as error:  # noqa: BLE001  no failure of a duty may cost a person the command it follows
            self.diagnostics.trouble(what, error)
