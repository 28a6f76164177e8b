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

LONGEST_QUESTION, CALLS_IN_A_ROW = timedelta(minutes=15), 7
"""A question that is open for longer belongs to a process that has died.

Members answer at once, and where they are asked one after another each has the same deadline, two minutes unless it is
set otherwise: seven calls that all wait until theirs, such as three members and a review each tried twice, end within
fourteen minutes. Where a longer deadline is set, seven of those are waited for. A question that takes even longer, on a
machine that slept, is finished all the same when its answer comes.
"""
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
    deadline: what one member may take for one answer.
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
    deadline: timedelta = timedelta()

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
        before = self.clock.now() - max(LONGEST_QUESTION, CALLS_IN_A_ROW * self.deadline)
        with self.store.read() as unit:
            left = self.records.left_open(unit, before)
        if left:
            with self.store.unit() as unit:
                self.records.give_up(unit, before)

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
