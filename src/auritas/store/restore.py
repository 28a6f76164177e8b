"""Restoring: everything is checked before anything is touched, and the old database stays beside the new one."""

import os
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from auritas.kernel.clock import Clock, timestamp
from auritas.kernel.errors import AuritasError, NotFoundError, RefusedError
from auritas.kernel.randomness import Entropy
from auritas.store import container
from auritas.store import envelope as envelopes
from auritas.store.backup import (
    Check,
    Progress,
    Stage,
    copy_pages,
    examine_copy,
    no_progress,
    opens_with,
    scratch,
)
from auritas.store.container import Header
from auritas.store.engine import Access, connect, typed_errors
from auritas.store.envelope import Envelope, Method
from auritas.store.home import Home, alone, os_failure, secure_folder, sync_folder
from auritas.store.keychain import Keychain
from auritas.store.keys import Unlocked, create_key, has_key, unlock
from auritas.store.migration import known_versions, require_known
from auritas.store.secret import Secret


class BackupLockedError(RefusedError):
    """What is needed to open the backup is not here."""

    code = "backup_locked"


class NoBackupError(NotFoundError):
    """There is no such file."""

    code = "no_backup"


@dataclass(frozen=True, slots=True)
class Restored:
    """What was restored. aside: the database that was there before, still under the store's key, or None.

    unlocked: the key of the store, made just now on a fresh machine. ended: how many programs and browsers it had let
    in that must be let in again.
    """

    created_at: str
    schema: str
    aside: Path | None
    unlocked: Unlocked
    ended: int = 0


def inspect(file: Path) -> Header:
    """Return the header of a backup; nothing of it is proved yet. Raises NoBackupError, BackupDamagedError."""
    with _opened(file) as opened:
        return container.read_header(opened, file)


def restore(
    folder: Path,
    file: Path,
    *,
    clock: Clock,
    entropy: Entropy,
    keychain: Keychain,
    passphrase: str | None = None,
    store_passphrase: str | None = None,
    progress: Progress = no_progress,
    check: Check | None = None,
) -> Restored:
    """Replace the database in `folder` by the one in `file`, at once and only after it has been verified.

    passphrase: what opens the backup, where it has one. store_passphrase: what opens the store in `folder`, where it
    has one; on a fresh machine the new store is guarded by it (or by `passphrase`, or as `create_key` decides).
    The restored database is under the store's own key; one of an older schema is migrated when it is next opened.
    Tokens and sessions in it are revoked: some may have been revoked after the backup was made.
    Raises StoreInUseError while a store is open, BackupLockedError, BackupDamagedError, WrongPassphraseError,
    NewerSchemaError, StoreDamagedError, and what `check` raises: in each case nothing was changed.
    """
    home = Home(folder)
    secure_folder(folder)
    with alone(home.lock), scratch(folder / "restore.copy") as copy, scratch(folder / "restore.new") as fresh:
        present = unlock(folder, store_passphrase, keychain=keychain) if has_key(folder) else None
        header, key = _extract(file, copy, lambda found: _key(found, passphrase, present, keychain), progress)
        schema = examine_copy(copy, key, progress, check)
        require_known(schema, known_versions())
        unlocked = present or create_key(
            folder, passphrase=store_passphrase or passphrase, keychain=keychain, entropy=entropy
        )
        copy_pages(copy, key, fresh, unlocked.key, progress)
        ended = _revoke_all(fresh, unlocked.key, clock)
        aside = _swap(home, fresh, unlocked.key, clock)
    return Restored(header.created_at, schema, aside, unlocked, ended)


def _extract(file: Path, copy: Path, key_of: Callable[[Header], Secret], progress: Progress) -> tuple[Header, Secret]:
    with _opened(file) as opened, copy.open("r+b") as out:
        header = container.read_header(opened, file)
        key = key_of(header)

        def tell(done: int) -> None:
            progress(Stage.VERIFYING, done, header.size)

        container.copy_database(opened, header, key, out, progress=tell, path=file)
    return header, key


def _key(header: Header, passphrase: str | None, present: Unlocked | None, keychain: Keychain) -> Secret:
    if header.envelope.method is Method.PASSPHRASE:
        if passphrase is None:
            raise _locked(header)
        return envelopes.with_passphrase(header.envelope, passphrase)
    return envelopes.with_key(header.envelope, _outer_key(header, passphrase, present, keychain))


def _outer_key(header: Header, passphrase: str | None, present: Unlocked | None, keychain: Keychain) -> Secret:
    outer = header.outer
    if outer is None:
        raise _locked(header)
    if present is not None and envelopes.key_id(present.key) == outer.key_id:
        return present.key
    if outer.method is Method.PASSPHRASE and passphrase is not None:
        return envelopes.with_passphrase(outer, passphrase)
    found = _in_keychain(outer, keychain)
    if found is None:
        raise _locked(header)
    return found


def _in_keychain(outer: Envelope, keychain: Keychain) -> Secret | None:
    text = keychain.get(outer.install) if outer.method is Method.KEYRING else None
    if text is None:
        return None
    with suppress(ValueError):
        return envelopes.checked(outer, Secret(bytes.fromhex(text)))
    return None


def _locked(header: Header) -> BackupLockedError:
    return BackupLockedError("The backup cannot be opened with what is here.", remedy=opens_with(header))


def _revoke_all(database: Path, key: Secret, clock: Clock) -> int:
    with typed_errors(database), closing(connect(database, key, Access.WRITE)) as raw:
        if not raw.execute("SELECT 1 FROM sqlite_master WHERE name = 'tokens'").fetchone():
            return 0  # a schema from before them
        rule = "UPDATE tokens SET revoked_at = ? WHERE revoked_at IS NULL"
        return int(raw.execute(rule, (timestamp(clock.now()),)).rowcount)


def _swap(home: Home, fresh: Path, key: Secret, clock: Clock) -> Path | None:
    """Put `fresh` in place in one step. The old file keeps a second name, so that there is never no database."""
    old, wal = home.database, home.database.with_name(home.database.name + "-wal")
    aside = None
    try:
        if old.exists() and old.stat().st_size:
            _settle(old, key)
            aside = old.with_name(f"{old.name}.before-restore-{clock.now():%Y%m%dT%H%M%S%f}Z")
            os.link(old, aside)
            if wal.exists():  # the old file was too damaged to take it in; it must not be replayed into the new one
                wal.replace(aside.with_name(aside.name + "-wal"))
            old.with_name(old.name + "-shm").unlink(missing_ok=True)
        fresh.replace(old)
        sync_folder(home.folder)
    except OSError as error:
        raise os_failure(home.folder, error) from error
    return aside


def _settle(database: Path, key: Secret) -> None:
    """Move the write-ahead log into the file and remove it, as far as the file still works."""
    with suppress(AuritasError), closing(connect(database, key, Access.WRITE)) as raw:
        raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")


@contextmanager
def _opened(file: Path) -> Iterator[IO[bytes]]:
    try:
        with file.open("rb") as opened:
            yield opened
    except FileNotFoundError as error:
        raise NoBackupError(
            f"There is no file {file}.", remedy="Check the name; see backups/ in the data folder."
        ) from error
    except OSError as error:
        raise os_failure(file, error) from error
