"""Commands as processes of their own that need not import the program again: forks of one that has done so.

A command costs more than a second of imports, and the tests run hundreds. A fork has its own memory, streams,
environment, working directory, signals and exit code, and runs what `python -m auritas` runs. What Python itself reads
when it starts (its variables, its locale), and what a test wants to signal or wrap, takes a new process instead.
"""

import gc
import json
import os
import runpy
import signal
import socket
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache
from pathlib import Path

POSSIBLE = sys.platform == "linux"
"""Elsewhere a process that has imported so much cannot be forked safely, or not at all."""
READ_LATER = ("AURITAS_", "PYTEST_")
"""Variables that the program reads when it needs them; any other may have been read while it was imported."""
SIZE = frozenset({"COLUMNS", "LINES"})
"""The line editor leaves the size of a terminal behind in the environment of whoever imported it."""
SET_BY_THE_PROGRAM = {"OPENBLAS_NUM_THREADS": "1"}
"""What its start sets where nobody else has."""
REQUEST_BYTES = 1 << 20
TIMEOUT_S = 240.0
"""After which a command counts as stuck."""


class Forks:
    """One process that has imported the program and forks for each command, one at a time."""

    def __init__(self) -> None:
        ours, theirs = socket.socketpair()
        self._environment = {name: value for name, value in os.environ.items() if name not in SIZE}
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, __file__, str(theirs.fileno())],
                env=self._environment,
                stdin=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
            )
        self._socket = ours

    def close(self) -> None:
        """End the process; commands have ended before."""
        self._socket.close()
        self._process.wait(30)

    def fits(self, environment: dict[str, str]) -> bool:
        """Whether a fork is the same as a new process under `environment`."""
        return _read_before(environment) == _read_before(self._environment)

    def run(
        self, words: Sequence[str], environment: dict[str, str], *, feed: str = "", timeout_s: float = TIMEOUT_S
    ) -> "subprocess.CompletedProcess[str]":
        """Run a command to its end, as `subprocess.run` does. Raises TimeoutExpired; the command is killed then."""
        (stdin, feeding), (reading, stdout), (warned, stderr) = os.pipe(), os.pipe(), os.pipe()
        request = {"words": list(words), "environment": environment, "folder": str(Path.cwd())}
        try:
            sent = json.dumps(request).encode() + b"\n"
            socket.send_fds(self._socket, [sent], [stdin, stdout, stderr])
        finally:
            for theirs in (stdin, stdout, stderr):
                os.close(theirs)
        with ThreadPoolExecutor(2) as readers:
            out, err = readers.submit(_all_of, reading), readers.submit(_all_of, warned)
            with suppress(BrokenPipeError), os.fdopen(feeding, "wb") as stream:
                stream.write(feed.encode())
            code = self._ended(words, timeout_s)
        return subprocess.CompletedProcess(list(words), code, out.result(), err.result())

    def _ended(self, words: Sequence[str], timeout_s: float) -> int:
        answers = self._socket.makefile("r")
        pid = int(answers.readline())
        self._socket.settimeout(timeout_s)
        try:
            return int(answers.readline())
        except TimeoutError:
            os.kill(pid, signal.SIGKILL)
            self._socket.settimeout(None)
            self._socket.recv(64)
            raise subprocess.TimeoutExpired(list(words), timeout_s) from None
        finally:
            self._socket.settimeout(None)


@cache
def shared() -> Forks:
    """Return the forks of all tests of this process; they begin with the first command."""
    return Forks()


def _read_before(environment: dict[str, str]) -> dict[str, str]:
    return SET_BY_THE_PROGRAM | {name: value for name, value in environment.items() if not name.startswith(READ_LATER)}


def _all_of(descriptor: int) -> str:
    with os.fdopen(descriptor, encoding="utf-8") as stream:
        return stream.read()


# --- the process that forks ----------------------------------------------------------------------------------------


def _import_the_program() -> None:
    import importlib
    import pkgutil

    for package in ("cli", "app", "store", "audit", "gateway", "memory", "search", "council"):
        root = importlib.import_module(f"auritas.{package}")
        for module in pkgutil.walk_packages(root.__path__, f"{root.__name__}."):
            if "migrations" not in module.name:  # read by alembic as files
                importlib.import_module(module.name)
    for module_name in ("alembic.command", "cryptography.hazmat.bindings._rust", "rich.table", "typer.main"):
        importlib.import_module(module_name)


def _serve(requests: socket.socket) -> None:
    """Fork for each request, and tell the id and how it ended. Returns in each fork, and once nobody asks any more."""
    while True:
        text = b""
        descriptors: list[int] = []
        while not text.endswith(b"\n"):
            part, more, _, _ = socket.recv_fds(requests, REQUEST_BYTES, 3)
            if not part:
                os._exit(0)
            text, descriptors = text + part, descriptors + more
        pid = os.fork()
        if pid == 0:
            requests.close()
            _become(json.loads(text), descriptors)
            return
        for descriptor in descriptors:
            os.close(descriptor)
        requests.sendall(f"{pid}\n".encode())
        _, status = os.waitpid(pid, 0)
        requests.sendall(f"{os.waitstatus_to_exitcode(status)}\n".encode())


def _become(request: dict[str, object], descriptors: list[int]) -> None:
    for number, descriptor in enumerate(descriptors):
        os.dup2(descriptor, number)
        os.close(descriptor)
    sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)
    sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
    sys.stderr = os.fdopen(2, "w", encoding="utf-8", buffering=1, closefd=False)
    os.environ.clear()
    os.environ.update(request["environment"])  # type: ignore[call-overload]  # as written above
    os.chdir(str(request["folder"]))
    sys.argv = ["auritas", *request["words"]]  # type: ignore[misc]  # as written above


if __name__ == "__main__":
    os.environ |= SET_BY_THE_PROGRAM | os.environ
    sys.path.pop(0)  # this folder: the program is found where it is installed
    _import_the_program()
    gc.freeze()  # what is shared is not looked through by each fork, which would copy it
    _serve(socket.socket(fileno=int(sys.argv[1])))
    runpy.run_module("auritas", run_name="__main__", alter_sys=True)
