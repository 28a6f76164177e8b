"""Keeping and letting go: backup, restore, passphrase, panic."""

import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from auritas.app.folders import DESKTOP, PEOPLE, UPLOADS
from auritas.app.install_token import FILE as TOKEN_FILE
from auritas.app.logs import LOG_FILE
from auritas.app.presence import AlreadyServingError, left_at_the_post
from auritas.app.settings import CONFIG_FILE, Settings
from auritas.app.stoppable import StoppedError, in_thread
from auritas.audit.adapters.sql import SqlAuditLog
from auritas.audit.service import verify_in
from auritas.kernel.clock import Clock
from auritas.kernel.errors import AuritasError, NotFoundError, VerificationError
from auritas.kernel.log import Kind, LogEvent
from auritas.kernel.randomness import Entropy
from auritas.store import SqlStore, Unit
from auritas.store.backup import Backup, Progress, Stage, back_up, no_progress, opens_with
from auritas.store.envelope import Method
from auritas.store.home import Home, secure_folder
from auritas.store.keychain import Keychain
from auritas.store.keys import Unlocked, change_passphrase, has_key, read_envelope
from auritas.store.panic import Wiped, panic
from auritas.store.restore import BackupLockedError, Restored, inspect, restore
from auritas.store.rotation import back_up_daily

if TYPE_CHECKING:
    from auritas.app.progress import Steps

_MB = 1_000_000
_FOLDERS = (UPLOADS, DESKTOP)
"""Wiped with everything in them."""


class BadLogError(VerificationError):
    """The audit log inside a backup does not verify."""

    code = "backup_log_bad"


def log_check(log: SqlAuditLog, progress: Progress = no_progress) -> Callable[[Unit], None]:
    """Return what a copied store must pass before it counts: its whole log verifies."""

    def check(unit: Unit) -> None:
        report = verify_in(unit, log, progress=lambda _entries: progress(Stage.CHECKING, 0, 1))
        if not report.ok:
            raise BadLogError(
                f"The audit log does not verify from entry {report.first_bad} on: {report.reason}",
                remedy="Look at it under Under the hood, Audit, or by auritas audit verify",
            )

    return check


def while_wanted(stopped: threading.Event, told: Progress = no_progress) -> Progress:
    """Return a progress that ends its work, by StoppedError, once nobody wants it any more."""

    def progress(stage: Stage, done: int, total: int) -> None:
        if stopped.is_set():
            raise StoppedError
        told(stage, done, total)

    return progress


@dataclass(frozen=True, slots=True)
class KeyState:
    """How the store's key is kept. guarded: by a passphrase. warning: what a person must know about it, or nothing."""

    method: Method
    guarded: bool
    warning: str


@dataclass(frozen=True, slots=True)
class BackupLine:
    """A backup in the data folder. made_at: None, with opens_with empty, where the file cannot be read as a backup."""

    name: str
    bytes: int
    made_at: str | None
    opens_with: str


@dataclass(frozen=True, slots=True)
class Keeping:
    """Backups and the passphrase of an open store."""

    store: SqlStore
    log: SqlAuditLog
    unlocked: Unlocked
    clock: Clock
    entropy: Entropy
    keychain: Keychain

    def back_up(self, target: Path, passphrase: str | None, progress: Progress = no_progress) -> Backup:
        """Write one verified, encrypted file; raises as `store.backup.back_up` does, and BadLogError."""
        made = back_up(
            self.store.home,
            self.unlocked.key,
            target.absolute(),
            clock=self.clock,
            entropy=self.entropy,
            passphrase=passphrase,
            progress=progress,
            check=log_check(self.log, progress),
        )
        self._note(Kind.BACKUP, {"bytes": made.size, "own_passphrase": passphrase is not None})
        return made

    def back_up_daily(self, progress: Progress = no_progress) -> Backup | None:
        """Make the scheduled backup if it is due; return it, or None. Raises what `progress` raises."""
        check = log_check(self.log, progress)
        made = back_up_daily(
            self.store.home, self.unlocked.key, clock=self.clock, entropy=self.entropy, progress=progress, check=check
        )
        if made is not None:
            self._note(Kind.BACKUP, {"bytes": made.size, "scheduled": True})
        return made

    @property
    def key(self) -> "KeyState":
        """How the key is kept now."""
        method = read_envelope(self.store.home.folder).method
        warning = self.unlocked.warning or "" if method is Method.KEY_FILE else ""
        return KeyState(method, method is Method.PASSPHRASE, warning)

    def listed(self) -> tuple["BackupLine", ...]:
        """Return the backups in the data folder, newest first."""
        files = sorted(self.store.home.backups.glob("*.backup"), reverse=True)
        return tuple(sorted(map(_line, files), key=lambda each: each.made_at or "", reverse=True))

    def back_up_now(self, passphrase: str | None, progress: Progress = no_progress) -> Backup:
        """Write a backup into the data folder, beside the scheduled ones; it is never dropped. Raises as `back_up`."""
        secure_folder(self.store.home.backups)
        name = f"auritas-{self.clock.now():%Y%m%dT%H%M%S.%fZ}-kept.backup"
        return self.back_up(self.store.home.backups / name, passphrase, progress)

    async def backing_up(self, passphrase: str | None, steps: "Steps") -> str:
        """Do as `back_up_now` in a thread, telling its steps; return what was written in a sentence.

        Cancelled, it ends at its next step and leaves no file; this returns only then.
        """

        def work(stopped: threading.Event) -> Backup:
            told: Progress = lambda stage, done, total: steps(done, total, stage)  # noqa: E731  one line
            return self.back_up_now(passphrase, while_wanted(stopped, told))

        made = await in_thread(work)
        return f"Wrote and verified {made.path.name} ({made.size / _MB:,.1f} MB). {made.opens_with}"

    def change_passphrase(self, old: str | None, new: str) -> Unlocked:
        """Wrap the key anew; raises as `store.keys.change_passphrase` does."""
        changed = change_passphrase(self.store.home.folder, old, new, keychain=self.keychain, entropy=self.entropy)
        self._note(Kind.SETTINGS_CHANGE, {"field": "passphrase"})
        return changed

    def _note(self, kind: Kind, refs: dict[str, int | str | bool | None]) -> None:
        with self.store.unit() as unit:
            self.log.append(unit, [LogEvent(kind, "user", refs)])


@dataclass(frozen=True, slots=True)
class Restoring:
    """Replaces the store by a backup, asking for a passphrase only where one is needed.

    store_passphrase: what opens the store that is here, where it is known without asking.
    """

    settings: Settings
    log: SqlAuditLog
    clock: Clock
    entropy: Entropy
    keychain: Keychain
    store_passphrase: str | None
    ask_passphrase: Callable[[str], str]

    def run(self, file: Path, given: str | None, progress: Progress = no_progress) -> tuple[Restored, str | None]:
        """Check all of `file`, log included, and put it in place; raises as `store.restore.restore` does.

        given: the passphrase of the backup, where it is known without asking. Returns what was done and the passphrase
        that opens the store now; a store made by this is guarded by that of the backup.
        """
        own = self._own()
        if given is None and inspect(file).envelope.method is Method.PASSPHRASE:
            given = self.ask_passphrase("Passphrase of the backup")
        try:
            done = self._restore(file, given, own, progress)
        except BackupLockedError:
            if given is not None:
                raise
            given = self.ask_passphrase("Passphrase of the store it was made from")
            done = self._restore(file, given, own, progress)
        guarded = done.unlocked.method is Method.PASSPHRASE
        return done, (own or given) if guarded else None

    def _own(self) -> str | None:
        if self.store_passphrase is not None or not has_key(self.settings.home):
            return self.store_passphrase
        guarded = read_envelope(self.settings.home).method is Method.PASSPHRASE
        return self.ask_passphrase("Passphrase of the store that is here") if guarded else None

    def _restore(self, file: Path, given: str | None, own: str | None, progress: Progress) -> Restored:
        return restore(
            self.settings.home,
            file,
            clock=self.clock,
            entropy=self.entropy,
            keychain=self.keychain,
            passphrase=given,
            store_passphrase=own,
            progress=progress,
            check=log_check(self.log),
        )


def wipe(settings: Settings, keychain: Keychain) -> Wiped:
    """Destroy the store of the house and those of the people in it: the keys, then every file that is ours.

    Each is gone although another resists; embedded models are public and stay.
    """
    people = settings.home / PEOPLE
    folders = sorted(each for each in people.glob("*") if each.is_dir()) if people.is_dir() else []
    # The house goes first: it holds what opens the others.
    every = [_wipe_one(home, keychain) for home in (settings.home, *folders)]
    for emptied in (people, settings.home):
        _remove_emptied(emptied)
    return Wiped(
        tuple(path for each in every for path in each.removed),
        tuple(path for each in every for path in each.left),
        any(each.keyring_left for each in every),
    )


def _wipe_one(home: Path, keychain: Keychain) -> Wiped:
    within = [path for folder in _FOLDERS for path in sorted((home / folder).rglob("*"), reverse=True)]
    folders = [path for path in within if path.is_dir() and not path.is_symlink()]
    files = [path for path in within if path.is_file() and not path.is_symlink()]
    for path in {*within}.difference(folders, files):  # sockets and links, which hold nothing to overwrite
        with suppress(OSError):
            path.unlink()
    ours = [home / CONFIG_FILE, *left_at_the_post(home), *home.glob(f"{TOKEN_FILE}*"), *home.glob(f"{LOG_FILE}*")]
    wiped = panic(home, keychain=keychain, more=[*ours, *files])
    for folder in (*folders, *(home / name for name in _FOLDERS), home):
        _remove_emptied(folder)
    return wiped


def _remove_emptied(folder: Path) -> None:
    with suppress(OSError):
        folder.rmdir()


def _line(file: Path) -> BackupLine:
    try:
        header = inspect(file)
    except (AuritasError, OSError):
        return BackupLine(file.name, file.stat().st_size, None, "")
    return BackupLine(file.name, file.stat().st_size, header.created_at, opens_with(header))


@dataclass(frozen=True, slots=True)
class Panicked:
    """What a wipe from a terminal has destroyed, the part of the server that ran included.

    removed: files. still: the server that goes on although it was told to end, with what it had open; None: nobody.
    """

    removed: int
    left: tuple[Path, ...]
    keyring_left: bool
    still: AlreadyServingError | None = None


def has_store(settings: Settings) -> bool:
    """Whether there is anything to open or to wipe."""
    home = Home(settings.home)
    return home.envelope.exists() or home.database.exists()


def awaits_passphrase(settings: Settings) -> bool:
    """Whether a person must give a passphrase before the store can be opened. Raises what a damaged key raises."""
    home = settings.home
    return settings.passphrase_file is None and has_key(home) and read_envelope(home).method is Method.PASSPHRASE


def passphrase_in(file: Path) -> str:
    """Return the first line of a file. Raises NotFoundError when it cannot be read."""
    try:
        with file.expanduser().open(encoding="utf-8") as opened:
            return opened.readline().rstrip("\r\n")
    except (OSError, UnicodeDecodeError) as error:
        raise NotFoundError(
            f"The passphrase file {file} cannot be read ({type(error).__name__}).", remedy="Check its path and rights."
        ) from None
