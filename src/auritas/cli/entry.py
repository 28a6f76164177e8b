"""Where the program starts. The version is answered before anything slow is imported."""

import io
import os
import signal
import sys

INTERRUPTED = 130
"""As `kernel.errors.EXIT_INTERRUPTED`, which is not imported yet when it is needed here."""


def main() -> None:
    """Run the command line and leave with its exit code."""
    if sys.argv[1:] in (["--version"], ["-V"]):
        from auritas import __version__

        print(f"auritas {__version__}")  # noqa: T201  the one line that must not wait for a console
        return
    _open_streams()
    # On a shared machine the threads of the linear algebra wait for each other: one is the fastest for problems of our
    # size, by a factor of twenty on two busy cores.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # A polite request to end is treated like Ctrl-C: the models stop, the store closes, nothing is left behind.
    signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
    try:
        from auritas.cli.root import run

        code = run(sys.argv[1:])
        # Everything is done and closed: a Ctrl-C from here on must not turn a result into a failure.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    except KeyboardInterrupt:
        # During the imports nothing was begun, so there is nothing to say.
        code = INTERRUPTED
    if code == INTERRUPTED:
        _leave(code)
    sys.exit(code)


def _open_streams() -> None:
    # A stream that was closed for us, or whose encoding lacks a character, must not decide how a command ends.
    if sys.stdin is None:
        sys.stdin = os.fdopen(os.open(os.devnull, os.O_RDONLY), encoding="utf-8")
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8"))
    for stream, errors in ((sys.stdin, "surrogateescape"), (sys.stdout, "replace"), (sys.stderr, "backslashreplace")):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=errors)


def _leave(code: int) -> None:
    # When Ctrl-C hits inside exec() of a string, as in the making of a dataclass, the interpreter remembers it as
    # unhandled and would end by the signal, although it was handled.
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)
