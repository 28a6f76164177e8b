"""The check-up behind `auritas doctor`: each finding says what is so and what to do about it."""

import platform
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from datetime import timedelta
from shutil import disk_usage
from typing import Any

from auritas.app.embedded import EmbeddedModels
from auritas.app.indexing import Indexing
from auritas.app.logs import LOG_FILE, troubles
from auritas.app.notes import Notes
from auritas.app.roster import Roster
from auritas.app.settings import Settings
from auritas.app.upkeep import DUTIES
from auritas.audit.adapters.sql import SqlAuditLog
from auritas.audit.service import AuditService
from auritas.gateway.adapters.engine_cpu import cpu_flags, require_avx2
from auritas.gateway.manifest import ModelKind
from auritas.kernel.clock import Clock
from auritas.kernel.errors import AuritasError
from auritas.kernel.text import counted
from auritas.store import SqlStore, Unit
from auritas.store.health import examine
from auritas.store.keys import Unlocked

LOW_DISK_BYTES, NO_ROOM_BYTES = 1_000_000_000, 10_000_000
"""Below the one a person should know; below the other what was written last may have failed."""
_MB = 1_000_000
_SET_PASSPHRASE = "Protect it: auritas config passphrase"  # noqa: S105  a command, no secret
_WRITE_OUT = (
    "Make one now: auritas backup FILE, or a copy that anyone can read: auritas conversations export --all --to FILE"
)


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at. damage: something is not what was written. remark: no fault, yet worth knowing."""

    about: str
    ok: bool
    text: str
    remedy: str = ""
    damage: bool = False
    remark: bool = False

    def document(self) -> dict[str, Any]:
        """Return the finding for JSON."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Doctor:
    """Looks at everything; a look that fails is a finding, too."""

    store: SqlStore
    unlocked: Unlocked
    log: SqlAuditLog
    audit: AuditService[Unit]
    embedded: EmbeddedModels
    roster: Roster
    indexing: Indexing
    notes: Notes
    settings: Settings
    clock: Clock

    def findings(self, *, check_audit: bool) -> tuple[Finding, ...]:
        """Return what was found, in the order in which a person should mend it."""
        looks: list[tuple[str, Callable[[], Iterable[Finding]]]] = [
            ("store", self._store),
            ("key", self._key),
            ("log", self._whole_log if check_audit else self._log_head),
            ("search", self._search),
            ("notes", self._notes),
            ("upkeep", self._upkeep),
            ("engine", self._engine),
            ("models", self._models),
        ]
        return tuple(finding for about, look in looks for finding in _guarded(about, look))

    def _store(self) -> Iterable[Finding]:
        health = examine(self.store.home, self.unlocked.key)
        place = f"{self.store.home.database}, {health.size / _MB:.1f} MB, schema {health.schema}, every page checks out"
        yield Finding(
            "store",
            health.ok,
            place if health.ok else "; ".join(health.findings),
            "Restore a backup: auritas restore FILE (see backups/ in the data folder).",
            damage=not health.ok,
        )
        enough = health.free >= LOW_DISK_BYTES
        yield Finding(
            "disk", enough, f"{health.free / _MB:,.0f} MB free", "Free some space: writing stops on a full disk."
        )

    def _key(self) -> Iterable[Finding]:
        # A key file is a choice that a headless machine may have to make, so it is told and no fault.
        if self.unlocked.warning:
            text = "in key.json in the clear: who reads the data folder reads everything"
            yield Finding("key", ok=True, text=text, remedy=_SET_PASSPHRASE, remark=True)
        else:
            yield Finding("key", ok=True, text=f"kept by: {self.unlocked.method}")

    def _log_head(self) -> Iterable[Finding]:
        with self.store.read() as unit:
            root = self.log.head(unit)
        yield Finding(
            "log", ok=True, text=f"{root.size} entries, root {root.root.hex()[:16]}…; all of it is verified on request"
        )

    def _whole_log(self) -> Iterable[Finding]:
        report = self.audit.verify()
        good = f"{report.entries} entries verified, root {report.root.hex()[:16]}…"
        bad = f"entry {report.first_bad} cannot be trusted: {report.reason}"
        yield Finding(
            "log", report.ok, good if report.ok else bad, "Compare with a backup or an export.", damage=not report.ok
        )

    def _search(self) -> Iterable[Finding]:
        health = self.indexing.health()
        good = f"{health.indexed:,} of {health.messages:,} messages indexed"
        if health.waiting:
            good += f", {counted(health.waiting, 'conversation')} waiting"
        room = disk_usage(self.store.home.folder).free >= NO_ROOM_BYTES
        anew = "Build the index anew: auritas search rebuild"
        yield Finding("search", health.ok, good, anew if room else "Free some space: then the index goes on by itself.")

    def _notes(self) -> Iterable[Finding]:
        waiting = len(self.notes.pending())
        text = f"{counted(waiting, 'hand-off note')} to be written when a chat ends" if waiting else "none waits"
        yield Finding("notes", ok=True, text=text)

    def _upkeep(self) -> Iterable[Finding]:
        failed = sorted(DUTIES.intersection(troubles(self.store.home.folder, self.clock.now() - timedelta(days=2))))
        backups = sorted(self.store.home.backups.glob("*.backup"))
        good = f"newest backup: {backups[-1].name}" if backups else "no backup yet; one is made after the next question"
        bad = f"failed in the last two days: {', '.join(failed)} (type and place are in {LOG_FILE})"
        if not failed and not backups:
            yield Finding("upkeep", ok=True, text=good, remedy=_WRITE_OUT, remark=True)
            return
        remedy = f"See that the disk has room and {self.store.home.folder} is yours alone; then: auritas backup FILE"
        yield Finding("upkeep", not failed, bad if failed else good, remedy)

    def _engine(self) -> Iterable[Finding]:
        require_avx2(cpu_flags())  # raising makes the finding
        yield Finding("engine", ok=True, text=f"embedded models run on this {platform.machine()} processor")

    def _models(self) -> Iterable[Finding]:
        here = [m for m in self.embedded.list() if m.installed and m.kind is ModelKind.ANSWERS]
        untested = [m.name for m in here if m.self_test is None]
        yield Finding(
            "models",
            bool(here),
            f"{len(here)} embedded models in {self.settings.model_folder}"
            if here
            else "no embedded model is installed",
            "Fetch them: auritas models get standard",
        )
        if untested:
            have, their, votes = (
                ("has", "its", "vote counts") if len(untested) == 1 else ("have", "their", "votes count")
            )
            text = f"{', '.join(untested)} {have} not passed {their} self-test yet, so {their} {votes} little"
            yield Finding("self-test", ok=False, text=text, remedy="Test them: auritas models test")
        seats = ", ".join(member.seat.name for member in self.roster.members())
        yield Finding("council", ok=True, text=f"in their seats: {seats}")


def _guarded(about: str, look: Callable[[], Iterable[Finding]]) -> Iterable[Finding]:
    try:
        return tuple(look())
    except AuritasError as error:
        return (Finding(about, ok=False, text=error.message, remedy=error.remedy),)
    except OSError as error:
        text = f"{error.filename or 'a file'} cannot be read ({error.strerror})"
        return (Finding(about, ok=False, text=text, remedy="Check the rights of the data folder and the disk."),)
