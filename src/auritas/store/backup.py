"""Backups: taken while the store is in use, encrypted with a key of their own, and opened again before they count."""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Any, TypeAlias

from auritas.kernel.clock import Clock, timestamp
from auritas.kernel.errors import RefusedError
from auritas.kernel.randomness import Entropy
from auritas.store import container
from auritas.store import envelope as envelopes
from auritas.store.container import Header
from auritas.store.engine import DEFAULT_TUNING, Access, connect, reading_engine, typed_errors
from auritas.store.envelope import KEY_BYTES, Envelope, Method
from auritas.store.errors import StoreFullError
from auritas.store.health import require_sound
from auritas.store.home import Home, create_private, os_failure, sync_folder
from auritas.store.keys import read_envelope
from auritas.store.secret import Secret
from auritas.store.unit import Unit

_PAGES_AT_ONCE = 1024
_ROOM_TO_SPARE = 16 * 2**20


class OwnFileError(RefusedError):
    """A backup would have replaced a file of the store."""

    code = "own_file"


class Stage(StrEnum):
    """What a backup or a restore is doing."""

    COPYING = "copying"
    CHECKING = "checking"
    WRITING = "writing"
    VERIFYING = "verifying"


Progress: TypeAlias = Callable[[Stage, int, int], None]
"""Hears the stage, how much of it is done, and how much there is (pages or bytes).

What it raises ends the work at that step, and leaves no file behind.
"""

Check: TypeAlias = Callable[[Unit], None]
"""Looks at the copied database through a read-only unit and raises when it is not good, as the audit log does."""


@dataclass(frozen=True, slots=True)
class Backup:
    """A finished, verified backup. opens_with: a sentence that says what is needed to restore it."""

    path: Path
    size: int
    created_at: str
    opens_with: str


def no_progress(_stage: Stage, _done: int, _total: int) -> None:
    """Tell nobody."""


def back_up(
    home: Home,
    key: Secret,
    target: Path,
    *,
    clock: Clock,
    entropy: Entropy,
    passphrase: str | None = None,
    progress: Progress = no_progress,
    check: Check | None = None,
) -> Backup:
    """Write everything committed at this moment to the one file `target`, and verify it by opening.

    With a passphrase the file restores on any machine; without one it needs what opens this store now. Memory use does
    not grow with the store; the disk needs room for two copies for a while. Other processes may keep writing. An
    existing `target` is replaced only by a whole, verified backup, and never when it is a file of the store itself.
    Raises the errors of `auritas.store.errors`, OwnFileError, WeakPassphraseError, and what `check` raises.
    """
    _require_foreign(home, target)
    own_key = Secret(entropy.token(KEY_BYTES))
    envelope, outer = _envelopes(home, key, own_key, passphrase, entropy)
    _require_room(target.parent, 2 * home.database.stat().st_size)
    hidden = f".{target.name}"
    with scratch(target.with_name(hidden + ".copy")) as copy, scratch(target.with_name(hidden + ".part")) as part:
        copy_pages(home.database, key, copy, own_key, progress)
        schema = examine_copy(copy, own_key, progress, check)
        header = Header(timestamp(clock.now()), schema, copy.stat().st_size, envelope, outer)
        _seal_into(part, header, copy, own_key, progress)
        _verify(part, _reopened(envelope, key, passphrase), progress)
        progress(Stage.VERIFYING, header.size, header.size)  # the last moment at which it can be given up
        _publish(part, target)
    return Backup(target, target.stat().st_size, header.created_at, opens_with(header))


def _envelopes(
    home: Home, key: Secret, own_key: Secret, passphrase: str | None, entropy: Entropy
) -> tuple[Envelope, Envelope | None]:
    store = read_envelope(home.folder)
    if passphrase is not None:
        return envelopes.by_passphrase(store.install, own_key, passphrase, entropy), None
    return envelopes.by_key(store.install, own_key, key, entropy), replace(store, key=b"")


def opens_with(header: Header) -> str:
    """Return a sentence that says what is needed to restore."""
    match header.outer:
        case None:
            return "Opens on any machine with the passphrase given for this backup."
        case Envelope(method=Method.PASSPHRASE):
            return "Opens on any machine with the passphrase that the store had when this backup was made."
        case Envelope(method=Method.KEYRING):
            return "Opens only where this machine's keyring entry is. Give a passphrase for a backup that travels."
        case _:
            return "Opens only together with this store's key.json. Give a passphrase for a backup that travels."


def copy_pages(source: Path, key: Secret, target: Path, target_key: Secret, progress: Progress) -> None:
    """Copy one snapshot of the database at `source` into the empty file `target` under another key."""

    def tell(_status: int, remaining: int, total: int) -> None:
        progress(Stage.COPYING, total - remaining, total)

    with (
        typed_errors(target),
        closing(connect(source, key, Access.READ)) as old,
        closing(_scratch_database(target, target_key)) as new,
    ):
        old.execute("BEGIN")
        old.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone()  # pins the snapshot: the copy never restarts
        old.backup(new, pages=_PAGES_AT_ONCE, progress=tell)
        new.execute("PRAGMA journal_mode=DELETE")
    _sync_file(target)


def _scratch_database(target: Path, key: Secret) -> Any:
    connection = connect(target, key, Access.CREATE, DEFAULT_TUNING)
    connection.execute("PRAGMA journal_mode=OFF")
    connection.execute("PRAGMA synchronous=OFF")
    return connection


def examine_copy(copy: Path, key: Secret, progress: Progress, check: Check | None) -> str:
    """Open a copy and check its pages, structure and references, then whatever `check` looks at; return its schema."""
    progress(Stage.CHECKING, 0, 1)
    schema = require_sound(copy, key, lambda: progress(Stage.CHECKING, 0, 1))
    if check is not None:
        engine = reading_engine(copy, key, DEFAULT_TUNING)
        try:
            with engine.connect() as connection, connection.begin():
                check(Unit(connection))
        finally:
            engine.dispose()
    progress(Stage.CHECKING, 1, 1)
    return schema or ""


def _seal_into(part: Path, header: Header, copy: Path, key: Secret, progress: Progress) -> None:
    try:
        with part.open("r+b") as file, copy.open("rb") as database:
            container.write(file, header, database, key, lambda done: progress(Stage.WRITING, done, header.size))
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise os_failure(part, error) from error


def _reopened(envelope: Envelope, key: Secret, passphrase: str | None) -> Secret:
    """Return the backup's key as a restore would get it: this proves the envelope, not only the pages."""
    if passphrase is not None:
        return envelopes.with_passphrase(envelope, passphrase)
    return envelopes.with_key(envelope, key)


def _verify(part: Path, key: Secret, progress: Progress) -> None:
    with part.open("rb") as file:
        header = container.read_header(file, part)

        def tell(done: int) -> None:
            progress(Stage.VERIFYING, done, header.size)

        container.copy_database(file, header, key, None, progress=tell, path=part)


def _publish(part: Path, target: Path) -> None:
    try:
        part.replace(target)
        sync_folder(target.parent)
    except OSError as error:
        raise os_failure(target, error) from error


@contextmanager
def scratch(path: Path) -> Iterator[Path]:
    """Give an empty private file that is gone afterwards, unless it was renamed."""
    remove(path)
    create_private(path)
    try:
        yield path
    finally:
        remove(path)


def remove(path: Path) -> None:
    """Remove a database file with its companions, as far as they are there."""
    for suffix in ("", "-wal", "-shm", "-journal"):
        with suppress(FileNotFoundError):
            path.with_name(path.name + suffix).unlink()


def _sync_file(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _require_foreign(home: Home, target: Path) -> None:
    """In the data folder only an older backup may be replaced: anything else there is what a backup is made of."""
    try:
        if target.resolve().parent != home.folder.resolve() or not target.is_file():
            return
        with target.open("rb") as file:
            if file.read(len(container.MAGIC)) == container.MAGIC:
                return
    except OSError as error:
        raise os_failure(target, error) from error
    raise OwnFileError(f"{target} belongs to the store itself.", remedy="Give the backup another name or folder.")


def _require_room(folder: Path, needed: int) -> None:
    try:
        free = shutil.disk_usage(folder).free
    except OSError as error:
        raise os_failure(folder, error) from error
    if free < needed + _ROOM_TO_SPARE:
        raise StoreFullError(
            f"The copy needs about {(needed + _ROOM_TO_SPARE) // 2**20} MiB in {folder}, and {free // 2**20} are free.",
            remedy="Free space there, or choose another disk.",
        )
