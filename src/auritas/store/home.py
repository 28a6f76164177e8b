"""The data folder: where each file stands, who may read it, and who uses it just now."""

import errno
import fcntl
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Event

from auritas.kernel.errors import UnavailableError
from auritas.store.errors import SharedFolderError, StoreFullError, StoreInUseError, StoreIoError, StoreReadOnlyError

FOLDER_MODE = 0o700
FILE_MODE = 0o600
_OTHERS = 0o077
_NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
_FORBIDDEN = frozenset({errno.EACCES, errno.EPERM, errno.EROFS})
_RETRY_S = 0.05


@dataclass(frozen=True, slots=True)
class Home:
    """The names of everything in the data folder."""

    folder: Path

    @property
    def database(self) -> Path:
        """The encrypted database."""
        return self.folder / "auritas.db"

    @property
    def envelope(self) -> Path:
        """How the key of the database is kept."""
        return self.folder / "key.json"

    @property
    def backups(self) -> Path:
        """Scheduled backups, and those made before a migration."""
        return self.folder / "backups"

    @property
    def lock(self) -> Path:
        """An empty file: who has the store open holds a shared lock on it."""
        return self.folder / "auritas.lock"

    @property
    def key_lock(self) -> Path:
        """An empty file: who changes the envelope holds a lock on it, whether or not a store is open."""
        return self.folder / "key.lock"


def secure_folder(folder: Path) -> None:
    """Create `folder` for its owner alone, or take the access of others away.

    Raises StoreReadOnlyError, and SharedFolderError when the folder is plainly meant for others too.
    """
    try:
        folder.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
        state = folder.stat()
        if not state.st_mode & _OTHERS:
            return
        if state.st_uid != os.geteuid() or state.st_mode & stat.S_ISVTX:
            raise SharedFolderError(
                f"{folder} belongs to others too.", remedy="Set AURITAS_HOME to a folder that is yours alone."
            )
        folder.chmod(FOLDER_MODE)
    except OSError as error:
        raise os_failure(folder, error) from error


def os_failure(path: Path, error: OSError) -> UnavailableError:
    """Return the typed error for what the operating system refused to do with `path`."""
    if error.errno in _NO_ROOM:
        return StoreFullError(
            f"There is no room left for {path} ({error.strerror}).", remedy="Free space on its disk and try again."
        )
    if error.errno in _FORBIDDEN:
        return StoreReadOnlyError(
            f"{path} cannot be used ({error.strerror}).",
            remedy="Make it accessible for you, or set AURITAS_HOME to a folder that is.",
        )
    return StoreIoError(
        f"{path} cannot be used ({error.strerror}).", remedy="Check that its disk is there and in good health."
    )


def create_private(path: Path) -> None:
    """Create an empty file for its owner alone, or take the access of others away."""
    try:
        with suppress(FileExistsError):  # an existing file is not opened: closing it would drop SQLite's locks on it
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, FILE_MODE))
        if path.stat().st_mode & _OTHERS:
            path.chmod(FILE_MODE)
    except OSError as error:
        raise os_failure(path, error) from error


def sync_folder(folder: Path) -> None:
    """Make renames and removals in `folder` survive a power cut."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def replace_file(path: Path, data: bytes) -> None:
    """Write `data` to `path` whole or not at all: a power cut leaves the old content or the new, never a mixture.

    The caller sees to it that nobody else replaces the same file. Raises the errors of `os_failure`.
    """
    fresh = path.with_name(path.name + ".new")
    try:
        handle = os.open(fresh, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, FILE_MODE)
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
        sync_folder(path.parent)
    except OSError as error:
        with suppress(OSError):
            fresh.unlink(missing_ok=True)
        raise os_failure(path, error) from error


def shred(path: Path) -> None:
    """Overwrite a small file and remove it. A missing file is fine.

    Copy-on-write file systems and flash memory may keep the old blocks: this makes recovery harder, not impossible.
    """
    with suppress(FileNotFoundError):
        with path.open("r+b") as file:
            overwrite(file.fileno())
        path.unlink()


def overwrite(handle: int) -> None:
    """Write zeros over all bytes of an open file and have them on the disk."""
    os.pwrite(handle, bytes(os.fstat(handle).st_size), 0)
    os.fsync(handle)


class HomeLock:
    """Who uses the folder: shared while a store is open, exclusive to create, migrate, restore or rewrap.

    Locks of this kind belong to the open file, so two stores in one process are two users like any others.
    """

    def __init__(self, path: Path) -> None:
        try:
            self._handle = os.open(path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, FILE_MODE)
        except OSError as error:
            raise os_failure(path, error) from error

    def share(self) -> None:
        """Join the users; waits while somebody has the folder alone."""
        fcntl.flock(self._handle, fcntl.LOCK_SH)

    def take(self, wait_s: float = 0.0) -> None:
        """Have the folder alone, trying for about `wait_s` seconds. Raises StoreInUseError."""
        pause = Event()
        for _ in range(int(wait_s / _RETRY_S)):
            with suppress(BlockingIOError):
                return fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            pause.wait(_RETRY_S)
        try:
            return fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise StoreInUseError(
                "Another Auritas process has the store open.",
                remedy="End it (an open chat or a running question) and try again.",
            ) from error

    def release(self) -> None:
        """Leave; further calls do nothing."""
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1


@contextmanager
def alone(path: Path, wait_s: float = 0.0) -> Iterator[None]:
    """Hold the lock file `path` alone for a while. Raises StoreInUseError as `HomeLock.take` does."""
    secure_folder(path.parent)
    lock = HomeLock(path)
    try:
        lock.take(wait_s)
        yield
    finally:
        lock.release()
