"""The server behind a window: one that runs already, or a process of ours that ends with the window."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING

from auritas.app.presence import require_running, running
from auritas.kernel.errors import AuritasError, UnavailableError

if TYPE_CHECKING:
    from auritas.server.serve import Serving

COMMAND = "desktop-server"
"""Hidden command that serves until its standard input ends."""
_ENDS_WITHIN_S = 15
_ALREADY = "already_serving"
_SAYS_WITHIN_S = 2
"""A process that it started may hold the pipe open for longer."""
_LINES, _LINE_BYTES = 50, 4_096
"""What is kept of the words of a server: enough for the end of a stack of calls."""


class ServerEndedError(UnavailableError):
    """The server process ended while its window wanted it. last: the last line that it said, empty for none."""

    code = "server_ended"

    def __init__(self, last: str, *, begun: bool) -> None:
        what = "The server of this window has ended" if begun else "The server could not start"
        after = "Nothing that was confirmed is lost. " if begun else ""
        remedy = f"{after}If it happens again, see why: auritas serve, then auritas doctor"
        super().__init__(f"{what}: {last}" if last else f"{what}, and said nothing.", remedy=remedy)


@dataclass(frozen=True, slots=True)
class Reached:
    """A server that answers. url: where. address: what to open first. ours: whether it ends with the window."""

    url: str
    address: str
    ours: bool


def announce(serving: "Serving") -> None:
    """Tell the window where the server is, on standard output."""
    url = serving.presence.url
    sys.stdout.write(json.dumps({"url": url, "address": serving.one_time or url}) + "\n")
    sys.stdout.flush()


def end_with_input() -> None:
    """End this process politely when standard input ends: with the window that holds its other end, however it died."""

    def watch() -> None:
        # Not by sys.stdin: a thread that waits inside its lock would stop the interpreter from ending.
        while os.read(0, 1):
            pass
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=watch, name="window", daemon=True).start()


def attach(home: Path) -> Reached:
    """Return the server that runs for `home`. Raises NoServerError, NoPageError and what the server says."""
    from auritas.app.attaching import one_time_address  # not needed where the server is our own

    return Reached(require_running(home).url, asyncio.run(one_time_address(home)), ours=False)


def program(*words: str) -> list[str]:
    """Return the command line that starts this program again: frozen into one folder, or as a module."""
    if getattr(sys, "frozen", False):
        return [sys.executable, *words]
    return [sys.executable, "-P", "-m", "auritas", *words]  # -P: a module in the present folder is not ours


class Heard:
    """Reads all that a process says, so that it never waits for a reader; the last lines are kept, in memory alone.

    They may hold a person's words, so they are written nowhere.
    """

    def __init__(self, stream: IO[bytes]) -> None:
        self._lines: deque[str] = deque(maxlen=_LINES)
        self._reading = threading.Thread(target=self._read, args=(stream,), name="server's words", daemon=True)
        self._reading.start()

    def lines(self) -> list[str]:
        """Wait until the process, which has ended, was heard to its end, and return its last lines but blank ones."""
        self._reading.join(_SAYS_WITHIN_S)
        return [line for line in tuple(self._lines) if line]

    def _read(self, stream: IO[bytes]) -> None:
        while line := stream.readline(_LINE_BYTES):
            self._lines.append(line.decode("utf-8", "replace").strip())


class ServerProcess:
    """A server of our own. It begins at once; `reached` waits until it answers."""

    def __init__(self, home: Path, command: Sequence[str] | None = None) -> None:
        """command: what to start instead of this program's own server."""
        self._home = home
        self._process = subprocess.Popen(  # noqa: S603  this program again
            command or program(COMMAND, "--json"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,  # Ctrl-C is for the window, which then ends this one
        )
        assert self._process.stdin is not None  # noqa: S101  they are pipes
        assert self._process.stdout is not None  # noqa: S101
        assert self._process.stderr is not None  # noqa: S101
        self._lifeline, self._said = self._process.stdin, self._process.stdout
        self._complaints = Heard(self._process.stderr)

    def reached(self) -> Reached:
        """Wait until it answers and return where; one that runs already is used instead. Raises what it ended with."""
        line = self._said.readline()
        if line:
            said = json.loads(line)
            Heard(self._said)
            return Reached(said["url"], said["address"], ours=True)
        error = self._error(begun=False)
        if error.code == _ALREADY:
            return attach(self._home)
        raise error

    def ended(self) -> AuritasError:
        """Wait until the process has ended, and return what is to be said of that."""
        self._process.wait()
        return self._error(begun=True)

    def _error(self, *, begun: bool) -> AuritasError:
        lines = self._complaints.lines()
        last = lines[-1] if lines else ""
        with suppress(ValueError, KeyError, TypeError):
            error = json.loads(last)["error"]
            from auritas.app.attaching import error_of

            return error_of(error["code"], error["message"], error.get("remedy", ""))
        return ServerEndedError(last, begun=begun)

    def stop(self) -> None:
        """End it and wait for it; one that hangs is killed, which its store survives."""
        with suppress(OSError):
            self._lifeline.close()
        try:
            self._process.wait(_ENDS_WITHIN_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def server_for(home: Path) -> ServerProcess | None:
    """Start a server for `home`, or return None where one runs already."""
    return None if running(home) else ServerProcess(home)
