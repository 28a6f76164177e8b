"""Export files that a page sends: kept in the home while they are read, private, and removed afterwards."""

import threading
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from auritas.app.folders import UPLOADS
from auritas.app.imports import Imports, Tally
from auritas.app.indexing import Indexing
from auritas.app.progress import Steps, told
from auritas.app.runs import Progress
from auritas.app.stoppable import in_thread
from auritas.kernel.errors import AuritasError, InvalidError
from auritas.kernel.ids import Ids
from auritas.kernel.tasks import Spawner
from auritas.kernel.text import counted, one_line
from auritas.store.home import create_private, os_failure, secure_folder

__all__ = ["LARGEST_BYTES", "TooLargeError", "Upload", "Uploads"]

LARGEST_BYTES = 1_000_000_000
IMPORTING = "import"
INDEXING = "Indexing"
INDEX_AT_ONCE_S = 0.5
"""Seconds of indexing after which a person's wish to stop is looked for."""
_NAMES_SHOWN = 5
R = TypeVar("R")


class TooLargeError(InvalidError):
    """A file is larger than what is taken over the network."""

    code = "too_large"

    def __init__(self, most: int) -> None:
        super().__init__(
            f"The file has more than {most // 10**6:,} MB.",
            remedy="Split it; conversations can also be read in from a file of any size: auritas import FILE",
        )


@dataclass(frozen=True, slots=True)
class Upload:
    """A file that is being sent. name: what the person calls it."""

    path: Path
    name: str

    def write(self, piece: bytes) -> None:
        """Add a piece. Raises UnavailableError when the disk is full."""
        try:
            with self.path.open("ab") as file:
                file.write(piece)
        except OSError as error:
            raise os_failure(self.path, error) from None

    def discard(self) -> None:
        """Remove it."""
        self.path.unlink(missing_ok=True)


@dataclass(frozen=True, slots=True)
class Uploads:
    """Takes export files and reads them in as the work of a run."""

    home: Path
    imports: Imports
    indexing: Indexing
    ids: Ids
    spawner: Spawner
    _open: set[Path] = field(default_factory=set)

    def receive(self, name: str = "") -> Upload:
        """Begin to take a file. What a process that died has left is removed first. Raises UnavailableError."""
        folder = self.home / UPLOADS
        secure_folder(folder)
        for left in set(folder.iterdir()) - self._open:
            left.unlink(missing_ok=True)
        upload = Upload(folder / self.ids.new(), one_line(name, 120) or "The file")
        self._open.add(upload.path)  # before it is there: another upload that begins would take it for left behind
        create_private(upload.path)
        return upload

    def discard(self, upload: Upload) -> None:
        """Remove a file that was taken."""
        upload.discard()
        self._open.discard(upload.path)

    async def read_in(self, upload: Upload) -> AsyncGenerator[Progress, None]:
        """Import a file, index what came of it, remove the file, and yield how far it is.

        Whenever it is stopped, what has landed stays, and the same file adds the rest later. Raises as `Imports.run`.
        """

        async def work(steps: Steps) -> str:
            return await in_thread(lambda stopped: self._read_in(upload, steps, stopped))

        try:
            async with aclosing(told(IMPORTING, work, self.spawner)) as steps:
                async for step in steps:
                    yield step
        finally:
            self.discard(upload)

    def _read_in(self, upload: Upload, steps: Steps, stopped: threading.Event) -> str:
        tally = Tally()
        for step in _named(self.imports.run(upload.path), upload):
            tally = step.tally
            steps(step.done, step.total)
            if stopped.is_set():
                return in_words(tally)
        self._index(steps, stopped)
        return in_words(tally)

    def _index(self, steps: Steps, stopped: threading.Event) -> None:
        """Index what landed; left to the worker it would take many of its looks."""
        done = 0
        while not stopped.is_set():
            far = self.indexing.catch_up_words(INDEX_AT_ONCE_S)
            done += far.done
            steps(done, done + far.total - far.done, INDEXING)
            if not far.done or far.done == far.total:
                return


def in_words(tally: Tally) -> str:
    """Return what came of an import, in sentences."""
    return " ".join(_sentences(tally))


def _sentences(tally: Tally) -> Iterator[str]:
    continued = f", {counted(tally.continued, 'conversation')} continued" if tally.continued else ""
    new = f"{counted(tally.conversations, 'new conversation')} and {counted(tally.messages, 'new message')}"
    yield f"Imported {new}{continued}."
    if tally.known:
        yield f"{counted(tally.known, 'conversation')} had nothing new."
    if tally.empty:
        yield f"{counted(tally.empty, 'conversation')} without words left out."
    left = tally.left_out
    if left.other_branches or left.inner or left.empty:
        hidden = counted(left.other_branches + left.inner + left.empty, "message")
        yield f"{hidden} left out: edited away, of tools, or without words."
    if tally.ignored_files:
        more = ", …" if len(tally.ignored_files) > _NAMES_SHOWN else ""
        yield f"Not read: {', '.join(one_line(each, 60) for each in tally.ignored_files[:_NAMES_SHOWN])}{more}."
    if tally.failed:
        first = tally.damaged[0]
        them = "1 damaged entry" if tally.failed == 1 else f"{tally.failed:,} damaged entries"
        yield f"{them} left out; the first is number {first.index + 1}: {first.reason}."
    if tally.cut_off:
        yield f"The file could not be read to its end: {tally.cut_off}. Get a whole file and import it again."


def _named(steps: Iterator[R], upload: Upload) -> Iterator[R]:
    """Yield what is read of a file; an error names it as the person does, not by its place in the home."""
    try:
        yield from steps
    except AuritasError as error:
        error.message = error.message.replace(str(upload.path), upload.name)
        raise
