"""Export files, read one conversation at a time, however large: JSON, or JSON inside a zip."""

import json
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from datetime import datetime
from fnmatch import fnmatch
from lzma import LZMAError
from pathlib import Path, PurePosixPath
from typing import IO, Any, Protocol
from zlib import error as ZlibError  # noqa: N812  the library names it in lower case

import ijson

from auritas.kernel.errors import NotFoundError, unreadable
from auritas.memory.adapters.imports_guard import CutOffError, GuardedFile
from auritas.memory.conversations.documents import FORMAT
from auritas.memory.imports.chatgpt import from_chatgpt, is_chatgpt
from auritas.memory.imports.claude import from_claude, is_claude
from auritas.memory.imports.model import Damaged, DamagedEntryError, Imported, UnknownExportError
from auritas.memory.imports.own import from_own, require_version

PROJECTS_FILE = "projects.json"
REMEDY = "Give conversations.json, or the .zip that holds it, as ChatGPT or Claude sent it, or what auritas exported."
_CONVERSATIONS = ("conversations.json", "conversations-[0-9]*.json", "conversations_[0-9]*.json")
_UNPACKING = (zipfile.BadZipFile, ZlibError, LZMAError, OSError)
"""What unpacking a damaged zip raises: bzip2 knows only OSError."""
_BROKEN = (ijson.JSONError, EOFError, UnicodeDecodeError, *_UNPACKING)
_HEAD_EVENTS = 200
_BLANK = b" \t\r\n"
_MARK = b"\xef\xbb\xbf"


class Source(Protocol):
    """Something that can be read in, wherever it lies. As text it is what a person calls it."""

    @property
    def size(self) -> int:
        """Its bytes."""

    def opened(self) -> AbstractContextManager[IO[bytes]]:
        """Give it from its beginning. Raises OSError where it cannot be read."""


@dataclass(frozen=True, slots=True)
class FileSource:
    """A file of the person's own."""

    path: Path

    def __str__(self) -> str:
        return str(self.path)

    @property
    def size(self) -> int:
        return self.path.stat().st_size

    def opened(self) -> AbstractContextManager[IO[bytes]]:
        return self.path.open("rb")


@dataclass(frozen=True, slots=True)
class Step:
    """One entry of the file. done, total: bytes of it, as far as they were read."""

    found: Imported | Damaged
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class ExportFile:
    """A file that was looked into. parts: the conversations in it, in order; ignored: what else a zip holds.

    projects: names of projects by their uuid, where the export has them.
    """

    source: Source
    parts: tuple[str, ...]
    ignored: tuple[str, ...]
    projects: Mapping[str, str]

    def entries(self, now: datetime) -> Iterator[Step]:
        """Yield every conversation of the file, or that it is damaged. now: the time of one that bears none.

        Raises UnknownExportError where the file is no export at all, and CutOffError where it ends too early.
        """
        index = 0
        for part in self.parts:
            with _opened(self.source, part) as (file, total):
                for entry in _entries(file):
                    yield Step(_read(entry, index, now, self.projects), file.tell(), total)
                    index += 1


def look_into(source: Source) -> ExportFile:
    """Return what an export file holds. Raises NotFoundError, and UnknownExportError where it holds nothing of ours."""
    try:
        with source.opened() as file:
            if not zipfile.is_zipfile(file):
                return ExportFile(source, ("",), (), {})
            with zipfile.ZipFile(file) as archive:
                names = [name for name in archive.namelist() if not name.endswith("/")]
                parts = tuple(sorted(name for name in names if _is_conversations(name)))
                projects = _projects(archive, names)
    except (OSError, zipfile.BadZipFile) as error:
        why = unreadable(error) if isinstance(error, OSError) else "is a damaged zip"
        raise NotFoundError(f"{source} {why}.", remedy=REMEDY) from None
    if not parts:
        raise UnknownExportError(f"{source} holds no conversations.json.", remedy=REMEDY)
    return ExportFile(source, parts, tuple(sorted(set(names) - set(parts))), projects)


def _is_conversations(name: str) -> bool:
    return any(fnmatch(PurePosixPath(name).name, pattern) for pattern in _CONVERSATIONS)


def _projects(archive: zipfile.ZipFile, names: list[str]) -> dict[str, str]:
    """Return the names of projects by uuid; a damaged list costs no conversation."""
    found = {}
    for name in names:
        if PurePosixPath(name).name == PROJECTS_FILE:
            try:
                with archive.open(name) as file:
                    for each in ijson.items(GuardedFile(file), "item"):
                        if isinstance(each.get("uuid"), str) and isinstance(each.get("name"), str):
                            found[each["uuid"]] = each["name"]
            except (*_BROKEN, CutOffError, AttributeError, RuntimeError):
                continue
    return found


@contextmanager
def _opened(source: Source, part: str) -> Iterator[tuple[IO[bytes], int]]:
    if not part:
        total = source.size
        with source.opened() as file:
            yield file, total
        return
    with source.opened() as whole, zipfile.ZipFile(whole) as archive:
        try:
            member = archive.open(part)
        except NotImplementedError:
            raise UnknownExportError(f"{source} is packed in an unusual way.", remedy="Unpack it first.") from None
        except RuntimeError:  # what the library raises for an encrypted member
            raise UnknownExportError(f"{source} is guarded by a password.", remedy="Unpack it first.") from None
        with member:
            yield member, archive.getinfo(part).file_size


def _entries(file: IO[bytes]) -> Iterator[Any]:
    """Yield the entries of a list, or of our own document."""
    try:
        first = _first_byte(file)
        if first == b"{":
            _require_own(file)
        elif first != b"[":
            raise UnknownExportError("The file is not an export: it holds no JSON list.", remedy=REMEDY)
        guarded = GuardedFile(file)
        for entry in ijson.items(guarded, "conversations.item" if first == b"{" else "item", use_float=True):
            guarded.entry_ended()
            yield entry
    except _BROKEN as error:
        raise CutOffError(_why(error)) from None


def _first_byte(file: IO[bytes]) -> bytes:
    """Return the first byte that counts and go back to where the JSON begins."""
    mark = file.read(len(_MARK))
    start = len(_MARK) if mark == _MARK else 0
    file.seek(start)
    while (byte := file.read(1)) and byte in _BLANK:
        pass
    file.seek(start)
    return byte


def _require_own(file: IO[bytes]) -> None:
    """Raise UnknownExportError unless the document says that it is ours, before its conversations begin."""
    start, head = file.tell(), dict[str, Any]()
    for number, (prefix, event, value) in enumerate(ijson.parse(GuardedFile(file))):
        if prefix == "conversations" or number > _HEAD_EVENTS:
            break
        if event in {"string", "number"}:
            head[prefix] = value
    if head.get("format") != FORMAT:
        raise UnknownExportError("The file is no export that can be read here.", remedy=REMEDY)
    require_version(head.get("version"))
    file.seek(start)


def _read(entry: Any, index: int, now: datetime, projects: Mapping[str, str]) -> Imported | Damaged:
    try:
        if is_chatgpt(entry):
            return from_chatgpt(entry, now)
        if is_claude(entry):
            return from_claude(entry, now, projects)
        if isinstance(entry, Mapping) and "messages" in entry:
            return from_own(entry)
        return Damaged(index, "it has the form of no conversation that is known")
    except DamagedEntryError as damage:
        return Damaged(index, damage.message)
    except (TypeError, ValueError, AttributeError, RecursionError, json.JSONDecodeError) as error:
        return Damaged(index, f"it is damaged ({type(error).__name__})")


def _why(error: Exception) -> str:
    return "the file is damaged" if isinstance(error, _UNPACKING) else "the JSON breaks off"
