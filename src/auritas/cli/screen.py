"""What all commands share of the terminal: consoles, JSON, progress and questions. Foreign text is sanitised here."""

import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from rich.console import Console
from rich.progress import (
    BarColumn,
    DownloadColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    TaskProgressColumn,
    TextColumn,
    TimeRemainingColumn,
    TransferSpeedColumn,
)
from rich.text import Text

from auritas.kernel.text import displayable, one_line

UNWRAPPED = 4_000
"""Characters of a line where nobody looks: who reads a pipe or a file wraps for himself."""


class _Screen(Console):
    """A console that does not wrap what goes to a pipe or a file, unless COLUMNS says how wide that is."""

    def __init__(self, *, stderr: bool = False) -> None:
        stream = sys.stderr if stderr else sys.stdout
        self.unwrapped = not stream.isatty() and not os.environ.get("COLUMNS", "").isdigit()
        super().__init__(stderr=stderr, highlight=False, width=UNWRAPPED if self.unwrapped else None)

    def print(self, *objects: Any, **options: Any) -> None:
        """Print as rich does; without the blanks that fill a line, where lines have no width."""
        if not self.unwrapped:
            super().print(*objects, **options)
            return
        with self.capture() as shown:
            super().print(*objects, **options)
        try:
            self.file.write("\n".join(line.rstrip() for line in shown.get().split("\n")))
            self.file.flush()
        except BrokenPipeError:
            self.on_broken_pipe()

    def on_broken_pipe(self) -> None:
        """Go on in silence: whoever read along has left, and the exit code is still the command's own."""
        self.quiet = True
        drop_output()


out = _Screen()
err = _Screen(stderr=True)


def drop_output() -> None:
    """Send what is still to be printed nowhere, so that leaving does not fail over it."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def plain(text: str, style: str = "") -> Text:
    """Return foreign text as rich Text: no markup, no escapes."""
    return Text(displayable(text), style=style)


def brief(text: str, width: int = 80, style: str = "") -> Text:
    """Return foreign text on one line."""
    return Text(one_line(text, width), style=style)


def print_json(document: Any) -> None:
    """Print one JSON document on standard output, without colours or wrapping."""
    readable = (sys.stdout.encoding or "").lower().startswith("utf")
    try:
        sys.stdout.write(json.dumps(document, ensure_ascii=not readable, indent=2) + "\n")
        sys.stdout.flush()
    except BrokenPipeError:
        drop_output()


def complain(message: str, remedy: str) -> None:
    """Print an error and what to do, on standard error."""
    err.print(Text.assemble(("✗ ", "bold red"), displayable(message)))
    if remedy:
        err.print(Text.assemble(("  " + displayable(remedy), "dim")))


def seconds(milliseconds: float) -> str:
    """Return a duration for a person."""
    return f"{milliseconds / 1000:.1f} s" if milliseconds >= 100 else f"{milliseconds:.0f} ms"  # noqa: PLR2004


def money(micros: int) -> str:
    """Return micro-units of money for a person."""
    return f"{micros / 1_000_000:.4f}" if micros else "free"


def size(count: int) -> str:
    """Return a number of bytes for a person."""
    value = float(count)
    for unit in ("B", "kB", "MB"):
        if value < 1000:  # noqa: PLR2004  SI prefixes
            return f"{value:.0f} {unit}"
        value /= 1000
    return f"{value:.2f} GB"


def confirm(question: str, *, assumed: bool) -> bool:
    """Ask for a yes; without a terminal only `assumed` counts."""
    if assumed:
        return True
    if not sys.stdin.isatty():
        return False
    return err.input(Text(f"{question} [y/N] ")).strip().lower() in {"y", "yes"}


Update = Callable[[str, int, int], None]


@contextmanager
def bytes_bar(title: str) -> Iterator[Update]:
    """Show a progress bar in bytes; yields `update(what, done, total)`. Prints lines where there is no terminal."""
    columns = (BarColumn(), DownloadColumn(), TransferSpeedColumn(), TimeRemainingColumn())
    with _bar(title, columns, size) as update:
        yield update


@contextmanager
def count_bar(title: str) -> Iterator[Update]:
    """Show a progress bar in items; otherwise like `bytes_bar`."""
    with _bar(title, (BarColumn(), MofNCompleteColumn()), str) as update:
        yield update


@contextmanager
def steps_bar(title: str) -> Iterator[Update]:
    """Show a progress bar of named steps whose units differ: only the share that is done is shown."""
    with _bar(title, (BarColumn(), TaskProgressColumn()), None) as update:
        yield update


@contextmanager
def _bar(title: str, columns: Sequence[ProgressColumn], amount: Callable[[int], str] | None) -> Iterator[Update]:
    if not err.is_terminal:
        yield _line_progress(title, amount)
        return
    with Progress(TextColumn("{task.description}"), *columns, console=err) as progress:
        task = progress.add_task(title, total=None)

        def update(what: str, done: int, total: int) -> None:
            progress.update(task, description=one_line(f"{title} {what}", 48), completed=done, total=total)

        yield update


def _line_progress(title: str, amount: Callable[[int], str] | None) -> Update:
    printed = ("", -1)

    def update(what: str, done: int, total: int) -> None:
        nonlocal printed
        tenth = 10 * done // total if total else 0
        if (what, tenth) != printed:
            printed = (what, tenth)
            far = f"{amount(done)} of {amount(total)}" if amount else f"{10 * tenth} %"
            err.print(plain(f"{title}: {what}, {far}"))

    return update
