"""The server behind a window: one that runs already, or a process of ours that ends with the window."""

import asyncio
import gc
import json
import os
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from auritas.app.attaching import error_of, one_time_address
from auritas.app.presence import require_running
from auritas.kernel.errors import AuritasError, UnavailableError

if TYPE_CHECKING:
    from auritas.server.serve import Serving

COMMAND = "desktop-server"
"""Hidden command that serves until its standard input ends."""
_ENDS_WITHIN_S = 15
_ALREADY = "already_serving"


class ServerEndedError(UnavailableError):
    """The server process ended before it answered."""

    code = "server_ended"

    def __init__(self, said: str) -> None:
        last = said.strip().splitlines()[-1:] or ["it said nothing"]
        super().__init__(f"The server could not start: {last[0]}", remedy="See why: auritas serve, then auritas doctor")


@dataclass(frozen=True, slots=True)
class Reached:
    """A server that answers. url: where. address: what to open first. ours: whether it ends with the window."""

    url: str
    address: str
    ours: bool


def announce(serving: "Serving") -> None:
    """Tell the window where the server is, on standard output; from now on there is time to look for garbage."""
    url = serving.presence.url
    sys.stdout.write(json.dumps({"url": url, "address": serving.one_time or url}) + "\n")
    sys.stdout.flush()
    gc.freeze()
    gc.enable()


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
    return Reached(require_running(home).url, asyncio.run(one_time_address(home)), ours=False)


def program(*words: str) -> list[str]:
    """Return the command line that starts this program again: frozen into one folder, or as a module."""
    if getattr(sys, "frozen", False):
        return [sys.executable, *words]
    return [sys.executable, "-P", "-m", "auritas", *words]  # -P: a module in the present folder is not ours


class ServerProcess:
    """A server of our own. It begins at once; `reached` waits until it answers."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._process = subprocess.Popen(  # noqa: S603  this program again
            program(COMMAND, "--json"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,  # Ctrl-C is for the window, which then ends this one
        )

    def reached(self) -> Reached:
        """Wait until it answers and return where; one that runs already is used instead. Raises what it ended with."""
        assert self._process.stdout is not None  # noqa: S101  it is a pipe
        line = self._process.stdout.readline()
        if line:
            said = json.loads(line)
            return Reached(said["url"], said["address"], ours=True)
        error = self._error()
        if error.code == _ALREADY:
            return attach(self._home)
        raise error

    def ended(self) -> bool:
        """Wait until the process has ended, and say whether that was its own doing."""
        return self._process.wait() != 0

    def _error(self) -> AuritasError:
        assert self._process.stderr is not None  # noqa: S101  it is a pipe
        said = self._process.stderr.read().decode("utf-8", "replace")
        with suppress(ValueError, KeyError, IndexError):
            error = json.loads(said.strip().splitlines()[-1])["error"]
            return error_of(error["code"], error["message"], error.get("remedy", ""))
        return ServerEndedError(said)

    def stop(self) -> None:
        """End it and wait for it; one that hangs is killed, which its store survives."""
        if self._process.stdin is not None:
            with suppress(OSError):
                self._process.stdin.close()
        try:
            self._process.wait(_ENDS_WITHIN_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
