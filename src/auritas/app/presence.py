"""Where the server of this home runs: one at a time, found by every command, and never believed after its death."""

import asyncio
import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import IO

from auritas.kernel.clock import Clock, from_timestamp, timestamp
from auritas.kernel.errors import NotFoundError, RefusedError
from auritas.store.home import os_failure

LOCK_FILE = "server.lock"
PRESENCE_FILE = "server.json"
_TRIES = 10
_WAIT_S = 0.02
"""Somebody who only looks holds the lock for an instant: a server that starts just then tries again."""


@dataclass(frozen=True, slots=True)
class Presence:
    """Where a server can be reached.

    url: for a browser and for programs. unix: path of its socket instead, if it has one. certificate: file by which a
    program on this machine knows it, where it speaks TLS.
    """

    url: str
    pid: int
    started_at: datetime
    unix: str | None = None
    certificate: str | None = None

    @property
    def place(self) -> str:
        """Where it is, in a word for a person."""
        return self.unix or self.url


class AlreadyServingError(RefusedError):
    """A second server over the same home."""

    code = "already_serving"

    def __init__(self, where: Presence | None, pid: int | None = None) -> None:
        """where: None while it does not answer; pid: of its process, where that is known."""
        process = f" (process {where.pid if where else pid})" if where or pid else ""
        place = f" at {where.place}" if where else ""
        end = f", or end process {pid}" if pid else ""
        remedy = "Open its page: auritas open" if where else f"It begins or ends just now: wait a moment{end}."
        super().__init__(f"A server of this home runs already{place}{process}.", remedy=remedy)


class NoServerError(NotFoundError):
    """No server runs over this home."""

    code = "no_server"

    def __init__(self) -> None:
        super().__init__("No server runs.", remedy="Start one: auritas serve")


class Post:
    """The place of the one server of a home, for as long as it serves."""

    def __init__(self, home: Path) -> None:
        self._path = home / PRESENCE_FILE

    def announce(self, presence: Presence) -> None:
        """Write down where the server is, for its owner alone. Raises the errors of `store.home.os_failure`."""
        said = {**asdict(presence), "started_at": timestamp(presence.started_at)}
        partial = self._path.with_suffix(".new")
        try:
            partial.touch(mode=0o600)
            partial.write_text(json.dumps(said), encoding="utf-8")
            partial.replace(self._path)
        except OSError as error:
            with suppress(OSError):
                partial.unlink(missing_ok=True)
            raise os_failure(self._path, error) from None

    def leave_nothing(self) -> None:
        """Remove the lock, too, and a home that is empty then: everything in it was destroyed."""
        with suppress(OSError):
            self._path.with_name(LOCK_FILE).unlink(missing_ok=True)
            self._path.parent.rmdir()


@contextmanager
def held(home: Path, clock: Clock) -> Iterator[Post]:
    """Hold the post of the server of `home`.

    Raises AlreadyServingError, and the errors of `store.home.os_failure` where nothing can be written.
    """
    with _locked(home, clock) as lock:
        _sign(lock)
        try:
            yield Post(home)
        finally:
            # Before the lock goes, so that nobody finds the one without the other.
            with suppress(OSError):
                (home / PRESENCE_FILE).unlink(missing_ok=True)


def running(home: Path) -> Presence | None:
    """Return where the server of `home` is, or None: what a dead one left behind is told by its free lock."""
    return _read(home) if is_served(home) else None


def left_at_the_post(home: Path) -> tuple[Path, ...]:
    """Return the files that servers leave in `home`. The lock of one that runs stays: it keeps a second one away."""
    lock = () if is_served(home) else (home / LOCK_FILE,)
    return (home / PRESENCE_FILE, (home / PRESENCE_FILE).with_suffix(".new"), *lock)


def is_served(home: Path) -> bool:
    """Whether a process holds the post of the server of `home`, also one that does not answer yet, or no more."""
    try:
        with (home / LOCK_FILE).open(encoding="utf-8") as lock:
            return not _taken(lock, fcntl.LOCK_SH)
    except OSError:
        return False


def still_serving(home: Path) -> AlreadyServingError | None:
    """Return who holds the post of the server of `home`, as an error that names them; None where nobody does."""
    if not is_served(home):
        return None
    with (home / LOCK_FILE).open(encoding="utf-8") as lock:
        return AlreadyServingError(_read(home), _signed(lock))


def served_by_another(home: Path) -> bool:
    """Whether another process serves `home`, and so does what recurs there."""
    presence = running(home)
    return presence is not None and presence.pid != os.getpid()


def require_running(home: Path) -> Presence:
    """Return where the server of `home` is. Raises NoServerError."""
    presence = running(home)
    if presence is None:
        raise NoServerError
    return presence


def here(url: str, clock: Clock, *, unix: Path | None = None, certificate: Path | None = None) -> Presence:
    """Return the presence of this process."""
    return Presence(
        url, os.getpid(), clock.now(), str(unix) if unix else None, str(certificate) if certificate else None
    )


def _locked(home: Path, clock: Clock) -> IO[str]:
    """Return the lock of a home's server, held; raises as `held` does."""
    pid = None
    for _ in range(_TRIES):
        lock = _opened(home)
        # One that was removed before we had it, by a server whose home was wiped, keeps nobody away.
        if _taken(lock, fcntl.LOCK_EX) and os.fstat(lock.fileno()).st_nlink:
            return lock
        pid = _signed(lock)
        lock.close()
        asyncio.run(clock.sleep(_WAIT_S))
    raise AlreadyServingError(_read(home), pid)


def _opened(home: Path) -> IO[str]:
    path = home / LOCK_FILE
    try:
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        return os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600), "r+", encoding="utf-8")
    except OSError as error:
        raise os_failure(path, error) from None


def _sign(lock: IO[str]) -> None:
    """Write down who holds a lock, where there is room for it: while it begins and ends nothing else tells."""
    with suppress(OSError):
        os.ftruncate(lock.fileno(), 0)
        os.pwrite(lock.fileno(), f"{os.getpid()}\n".encode(), 0)


def _signed(lock: IO[str]) -> int | None:
    try:
        return int(lock.read(20))
    except (OSError, ValueError):
        return None


def _taken(lock: IO[str], how: int) -> bool:
    try:
        fcntl.flock(lock, how | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _read(home: Path) -> Presence | None:
    try:
        said = json.loads((home / PRESENCE_FILE).read_text(encoding="utf-8"))
        return Presence(**{**said, "started_at": from_timestamp(said["started_at"])})
    except (OSError, ValueError, TypeError, KeyError):
        return None
