"""Export files that a page sends: in memory while they are read, and large ones in a file without a name."""

import os
import threading
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import IO, Any

from auritas.app.folders import UPLOADS
from auritas.app.imports import Imports, Tally
from auritas.app.indexing import Indexing
from auritas.app.progress import Steps, told
from auritas.app.runs import Progress
from auritas.app.stoppable import in_thread
from auritas.kernel.errors import InvalidError
from auritas.kernel.tasks import Spawner
from auritas.kernel.text import counted, one_line
from auritas.store.home import os_failure, secure_folder

__all__ = ["LARGEST_BYTES", "TooLargeError", "Upload", "Uploads"]

LARGEST_BYTES = 1_000_000_000
IN_MEMORY_BYTES = 64 * 2**20
"""Of one file; what is larger goes to the disk in the clear, and few exports are."""
IMPORTING = "import"
INDEXING = "Indexing"
INDEX_AT_ONCE_S = 0.5
"""Seconds of indexing after which a person's wish to stop is looked for."""
_NAMES_SHOWN = 5


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
    """A file that is being sent. name: what the person calls it. folder: where it lies once it is large.

    There it has no name, so that nobody can open it and nothing is left of it in the folder, however this process ends.
    """

    name: str
    folder: Path
    file: IO[bytes]

    def __str__(self) -> str:
        return self.name

    @property
    def size(self) -> int:
        """Its bytes so far."""
        return self.file.seek(0, os.SEEK_END)

    def write(self, piece: bytes) -> None:
        """Add a piece. Raises UnavailableError when the disk is full."""
        try:
            self.file.write(piece)
        except OSError as error:
            raise os_failure(self.folder, error) from None

    @contextmanager
    def opened(self) -> Iterator[IO[bytes]]:
        """Give it from its beginning; it stays until it is discarded."""
        self.file.seek(0)
        yield self.file

    def discard(self) -> None:
        """Let go of it."""
        self.file.close()


@dataclass(frozen=True, slots=True)
class Uploads:
    """Takes export files and reads them in as the work of a run."""

    home: Path
    imports: Imports
    indexing: Indexing
    spawner: Spawner
    in_memory: int = IN_MEMORY_BYTES

    def receive(self, name: str = "") -> Upload:
        """Begin to take a file. Raises UnavailableError."""
        folder = self.home / UPLOADS
        secure_folder(folder)
        file: Any = SpooledTemporaryFile(self.in_memory, dir=str(folder))  # noqa: SIM115  closed by `discard`
        return Upload(one_line(name, 120) or "The file", folder, file)

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
            upload.discard()

    def _read_in(self, upload: Upload, steps: Steps, stopped: threading.Event) -> str:
        tally = Tally()
        for step in self.imports.run(upload):
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
