"""The parts under everything: store, clock, log, backups."""

from datetime import tzinfo
from functools import cached_property
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from auritas.app.logs import LogFile
from auritas.app.partings import Partings
from auritas.app.settings import Settings
from auritas.kernel.clock import Clock, SystemClock
from auritas.kernel.ids import TimeOrderedIds
from auritas.kernel.randomness import SeededRng, SystemEntropy
from auritas.kernel.tasks import TaskSpawner

if TYPE_CHECKING:
    from auritas.app.audit import AuditUseCases
    from auritas.app.keeping import Keeping
    from auritas.audit.adapters.sql import SqlAuditLog
    from auritas.audit.service import AuditService
    from auritas.kernel.diagnostics import Diagnostics
    from auritas.store import Unit
    from auritas.store.opening import OpenedStore


class Spine:
    """What every other part stands on. Parts are built when they are first used."""

    def __init__(self, settings: Settings, opened_store: "OpenedStore", passphrase: str | None) -> None:
        self.settings = settings
        self._passphrase = passphrase
        self.opened = opened_store
        self.store = opened_store.store
        self.clock: Clock = SystemClock()
        self.entropy = SystemEntropy()
        self.rng = SeededRng()
        self.ids = TimeOrderedIds(self.clock, self.rng)
        self.spawner = TaskSpawner()
        self.partings = Partings()
        self.diagnostics: Diagnostics = LogFile(settings.home, self.clock)

    @property
    def notices(self) -> tuple[str, ...]:
        """What a person must know about this start: how the key is kept, when it was made just now."""
        warning = self.opened.unlocked.warning
        return (warning,) if self.opened.created and warning else ()

    @cached_property
    def zone(self) -> tzinfo:
        """The user's time zone."""
        from auritas.app.audit import machine_zone

        return ZoneInfo(self.settings.zone) if self.settings.zone else machine_zone()

    @cached_property
    def log(self) -> "SqlAuditLog":
        """The audit log."""
        from auritas.audit.adapters.sql import SqlAuditLog

        return SqlAuditLog(self.clock, self.entropy, self.ids)

    @cached_property
    def audit_service(self) -> "AuditService[Unit]":
        """Signing, proving and verifying."""
        from auritas.audit.service import AuditService

        return AuditService(self.store, self.log, self.clock)

    @cached_property
    def audit(self) -> "AuditUseCases":
        """The use cases behind `auritas audit`."""
        from auritas.app.audit import AuditUseCases

        return AuditUseCases(self.store, self.log, self.zone)

    @cached_property
    def keeping(self) -> "Keeping":
        """Backups and the passphrase."""
        from auritas.app.keeping import Keeping
        from auritas.store.keychain import SystemKeychain

        return Keeping(self.store, self.log, self.opened.unlocked, self.clock, self.entropy, SystemKeychain())
