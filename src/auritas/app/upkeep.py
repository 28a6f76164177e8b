"""What must happen now and then without anybody asking: daily roots, daily backups, the last signature."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import tzinfo

from auritas.app.keeping import Keeping
from auritas.audit.model import Reason
from auritas.audit.service import AuditService, EmptyLogError
from auritas.kernel.diagnostics import Diagnostics
from auritas.kernel.errors import AuritasError
from auritas.store import Unit


@dataclass(frozen=True, slots=True)
class Upkeep:
    """Runs what is due. A failure here is reported and never stops what the person wanted."""

    audit: AuditService[Unit]
    keeping: Keeping
    diagnostics: Diagnostics
    zone: tzinfo

    def at_start(self) -> None:
        """Close the days that ended while the machine was off."""
        self._guarded("daily root", lambda: self.audit.run_due(self.zone))

    def at_end(self) -> None:
        """Sign what was written, and make the daily backup if it is due."""
        self._guarded("last checkpoint", self._sign)
        self._guarded("daily backup", self.keeping.back_up_daily)

    def _sign(self) -> None:
        try:
            self.audit.checkpoint(Reason.SHUTDOWN)
        except EmptyLogError:
            return

    def _guarded(self, what: str, work: Callable[[], object]) -> None:
        try:
            work()
        except (AuritasError, OSError) as error:
            self.diagnostics.trouble(what, error)
