"""One window for one home: whoever starts a second one shows the first."""

import fcntl
import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from auritas.kernel.errors import UnavailableError

if TYPE_CHECKING:
    from PySide6.QtCore import QObject
    from PySide6.QtNetwork import QLocalServer

LOCK = "lock"
SOCKET = "socket"
TRIES = 60
"""Half a second each: a first one that is just beginning or ending is waited for."""
_WAIT_MS = 500
_LONGEST_PATH = 100
"""Bytes; systems refuse socket paths from 104 or 108 on."""
SHOW, SHOWN = b"show\n", b"shown\n"


class NoFirstWindowError(UnavailableError):
    """Another window of this home runs, and does not answer."""

    code = "window_hangs"

    def __init__(self) -> None:
        super().__init__(
            "A window of this home runs already, and does not answer.", remedy="End it, then run: auritas desktop"
        )


@contextmanager
def first(folder: Path) -> Iterator[bool]:
    """Hold the place of the one window of a home until the block ends; yield whether it was free.

    Raises UnavailableError where the folder cannot be written.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise UnavailableError(
            f"{folder} cannot be written ({error.strerror}).", remedy="Set AURITAS_HOME to a folder that is yours."
        ) from None
    try:
        yield _taken(handle)
    finally:
        os.close(handle)


def _taken(handle: int) -> bool:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def shown_elsewhere(folder: Path) -> bool:
    """Ask the first window to show itself; return whether it did."""
    from PySide6.QtNetwork import QLocalSocket

    socket = QLocalSocket()
    socket.connectToServer(_name(folder))
    if not socket.waitForConnected(_WAIT_MS):
        return False
    socket.write(SHOW)
    socket.waitForBytesWritten(_WAIT_MS)
    socket.waitForReadyRead(_WAIT_MS)
    return bytes(socket.readAll().data()) == SHOWN


def listen(folder: Path, show: Callable[[], None], parent: "QObject") -> "QLocalServer":
    """Call `show` whenever a second window was started."""
    from PySide6.QtNetwork import QLocalServer

    server = QLocalServer(parent)
    server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
    QLocalServer.removeServer(_name(folder))  # ours by the lock: what lies there is of a dead one

    def called() -> None:
        socket = server.nextPendingConnection()
        socket.disconnected.connect(socket.deleteLater)
        show()
        socket.write(SHOWN)
        socket.flush()

    server.newConnection.connect(called)
    server.listen(_name(folder))
    return server


def _name(folder: Path) -> str:
    path = str(folder / SOCKET)
    if len(os.fsencode(path)) <= _LONGEST_PATH and os.name == "posix":
        return path
    return f"auritas-{hashlib.sha256(os.fsencode(path)).hexdigest()[:24]}"
