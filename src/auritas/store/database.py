"""The store: one encrypted file, one writer, many readers."""

import asyncio
from collections.abc import Callable
from contextlib import AbstractContextManager, closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeVar

from auritas.store.engine import (
    DEFAULT_TUNING,
    Access,
    Tuning,
    connect,
    reading_engine,
    require_encrypted,
    typed_errors,
    writing_engine,
)
from auritas.store.errors import StoreBusyError
from auritas.store.home import Home, HomeLock, create_private, secure_folder, sync_folder
from auritas.store.migration import VERSIONS, BeforeMigration, known_versions, migrate, require_known, version_of
from auritas.store.secret import Secret
from auritas.store.unit import Unit, Units
from auritas.store.writer import GroupWriter

if TYPE_CHECKING:
    from concurrent.futures import Future

T = TypeVar("T")

_SET_UP_WAIT_S = 60.0
_VERSION_LIMIT = 2**31 - 1


class SqlStore:
    """The encrypted SQLite implementation of `kernel.ports.Store`. Close it, or use it as a context manager."""

    def __init__(self, home: Home, key: Secret, lock: HomeLock, tuning: Tuning) -> None:
        self.home = home
        self._key = key
        self._lock = lock
        self._units = Units(
            writing_engine(home.database, key, tuning),
            reading_engine(home.database, key, tuning),
        )
        self._writer = GroupWriter(self._units)

    @classmethod
    def open(
        cls,
        folder: Path,
        key: Secret,
        *,
        tuning: Tuning = DEFAULT_TUNING,
        before_migration: BeforeMigration | None = None,
        versions: Path = VERSIONS,
    ) -> Self:
        """Open the database in `folder`, creating or migrating it first where that is needed.

        versions: the folder of the migrations; tests have others.

        Raises WrongKeyError, PlaintextError, NewerSchemaError (the file stays as it was), StoreInUseError when a
        migration finds another process, and the other errors of `auritas.store.errors`.
        """
        home = Home(folder)
        secure_folder(folder)
        lock = HomeLock(home.lock)
        try:
            lock.share()
            if not _is_current(home, key, versions):
                lock.take(_SET_UP_WAIT_S)
                _set_up(home, key, tuning, before_migration, versions)
                lock.share()
            return cls(home, key, lock, tuning)
        except BaseException:
            lock.release()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exc: object) -> None:
        self.close()

    def unit(self) -> AbstractContextManager[Unit]:
        """Open the only writing transaction of this process; commit on leaving, roll back on an error.

        It blocks the calling thread until the write lock is free, so hold it briefly and await nothing inside.
        Raises NestedUnitError inside another unit of the same thread.
        """
        return self._units.write()

    def read(self) -> AbstractContextManager[Unit]:
        """Open a consistent snapshot for reading; a write through it raises StoreReadOnlyError."""
        return self._units.read()

    async def write(self, work: Callable[[Unit], T]) -> T:
        """Run `work` on the writer thread and return its result once it is committed.

        Works that wait at the same moment share one transaction; each has its own savepoint, so an error rolls back
        and is raised to its own caller alone. Cancelling before the start drops the work, later it changes nothing.
        """
        return await asyncio.wrap_future(self.submit(work))

    def submit(self, work: Callable[[Unit], T]) -> "Future[T]":
        """Do as `write` for callers without an event loop: return at once what will hold the result."""
        return self._writer.submit(work)

    @property
    def commits(self) -> int:
        """Transactions of the group commit so far."""
        return self._writer.commits

    def sync(self) -> None:
        """Commit once with a full sync: everything committed before, by any process, now survives a power cut."""
        with self._units.raw_writer() as raw, typed_errors(self.home.database):
            try:
                raw.execute("PRAGMA synchronous=FULL")
                raw.execute("BEGIN IMMEDIATE")
                # The commit must hold a page, else nothing is synced; user_version is ours and means nothing else.
                (number,) = raw.execute("PRAGMA user_version").fetchone()
                raw.execute(f"PRAGMA user_version={(number + 1) % _VERSION_LIMIT}")
                raw.execute("COMMIT")
            finally:
                raw.rollback()
                raw.execute("PRAGMA synchronous=NORMAL")

    def empty_wal(self) -> None:
        """Move all of the write-ahead log into the file and truncate it: an erased text must not linger there.

        Raises StoreBusyError while a reader still needs an older state.
        """
        with self._units.raw_writer() as raw, typed_errors(self.home.database):
            (busy, _, _) = raw.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        if busy:
            raise StoreBusyError("A reader still uses the write-ahead log.", remedy="Try again in a moment.")

    def connect(self) -> Any:
        """Return a raw, read-only connection of its own for backups and checks; the caller closes it."""
        return connect(self.home.database, self._key, Access.READ)

    def close(self) -> None:
        """Finish queued writes and close the file. Closing twice is fine."""
        self._writer.close()
        self._units.close()
        self._lock.release()


def _is_current(home: Home, key: Secret, versions: Path) -> bool:
    if not home.database.exists() or not home.database.stat().st_size:
        return False
    with closing(connect(home.database, key, Access.READ)) as raw, typed_errors(home.database):
        version = version_of(raw)
    known = known_versions(versions)
    require_known(version, known)
    return version == known[-1]


def _set_up(home: Home, key: Secret, tuning: Tuning, before_migration: BeforeMigration | None, versions: Path) -> None:
    """Create or migrate; the caller has the folder alone."""
    create_private(home.database)
    sync_folder(home.folder)
    with closing(connect(home.database, key, Access.CREATE, tuning)) as raw, typed_errors(home.database):
        version, newest = version_of(raw), known_versions(versions)[-1]
        if version == newest:
            return  # another process was faster
        raw.execute("PRAGMA journal_mode=WAL")
        if version is not None and before_migration is not None:
            before_migration(version, newest)
        migrate(raw, home.database, versions)
    require_encrypted(home.database)
