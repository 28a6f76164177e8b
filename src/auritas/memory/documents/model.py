"""Attached files as frozen types."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from auritas.kernel.errors import InvalidError, UsageError

LARGEST_BYTES = 20_000_000
LONGEST_TEXT = 2_000_000
"""Characters that are kept of one file: a thick book."""
MOST_AT_ONCE = 10
"""Files of one message."""
MOST_PAGES = 1_000
PICTURES = frozenset({"image/png", "image/jpeg", "image/webp", "image/gif"})
_TEXTS = frozenset({"text/plain", "text/markdown", "text/csv", "application/json"})
PDF = "application/pdf"
_BY_SUFFIX = {
    "txt": "text/plain", "text": "text/plain", "log": "text/plain", "md": "text/markdown", "markdown": "text/markdown",
    "csv": "text/csv", "tsv": "text/csv", "json": "application/json", "pdf": PDF, "png": "image/png",
    "jpg": "image/jpeg", "jpeg": "image/jpeg", "webp": "image/webp", "gif": "image/gif",
}  # fmt: skip
_MAGIC = ((b"%PDF-", PDF), (b"\x89PNG\r\n\x1a\n", "image/png"), (b"\xff\xd8\xff", "image/jpeg"),
          (b"GIF87a", "image/gif"), (b"GIF89a", "image/gif"))  # fmt: skip


class UnreadableFileError(UsageError):
    """A file that cannot be attached."""

    code = "unreadable_file"


class FileKind(StrEnum):
    """What can be done with a file."""

    TEXT = "text"
    PICTURE = "picture"


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file of a message, or one that waits for its message. size: bytes; pages: of a PDF; characters: of its text."""

    id: str
    name: str
    media_type: str
    size: int
    created_at: datetime
    pages: int = 0
    characters: int = 0
    message_id: str | None = None

    @property
    def kind(self) -> FileKind:
        """Whether it is read or looked at."""
        return FileKind.PICTURE if self.media_type in PICTURES else FileKind.TEXT


@dataclass(frozen=True, slots=True)
class Document:
    """The text of an attached file."""

    name: str
    text: str


def media_type_of(name: str, beginning: bytes) -> str:
    """Return what a file is, by its first bytes and else by its name; what a sender claims does not count.

    Raises UnreadableFileError for what cannot be attached.
    """
    for magic, found in _MAGIC:
        if beginning.startswith(magic):
            return found
    if beginning[:4] == b"RIFF" and beginning[8:12] == b"WEBP":
        return "image/webp"
    suffix = name.rsplit(".", 1)[-1].lower() if "." in name else ""
    by_name = _BY_SUFFIX.get(suffix, "text/plain")
    if by_name not in _TEXTS or b"\0" in beginning:
        raise UnreadableFileError(
            f"{name!r} is no text, Markdown, CSV, JSON, PDF, PNG, JPEG, GIF or WebP.",
            remedy="Save it as one of these, or paste the part that matters.",
        )
    return by_name


def text_of(name: str, content: bytes) -> str:
    """Return the text of a text file: UTF-8, with or without a byte order mark, or UTF-16 with one.

    Raises UnreadableFileError for another encoding.
    """
    encoding = "utf-16" if content[:2] in {b"\xff\xfe", b"\xfe\xff"} else "utf-8-sig"
    try:
        return content.decode(encoding).replace("\r\n", "\n").replace("\0", "")
    except UnicodeDecodeError:
        raise UnreadableFileError(f"{name!r} is not UTF-8 text.", remedy="Save it as UTF-8 first.") from None


def checked_name(name: str) -> str:
    """Return a file's name without folders and invisible characters. Raises InvalidError where nothing is left."""
    last = name.replace("\\", "/").rsplit("/", 1)[-1]
    kept = "".join(c for c in last if c.isprintable()).strip()[:200]
    if not kept:
        raise InvalidError("The file has no name.", remedy="Give it one, with its ending.")
    return kept
