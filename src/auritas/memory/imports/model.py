"""A conversation as an export file tells it, and what came of reading a file."""

from dataclasses import dataclass, field
from datetime import datetime

from auritas.kernel.errors import AuritasError, VerificationError
from auritas.memory.conversations.model import Said, Source

UNTITLED = ""


class DamagedEntryError(AuritasError):
    """One conversation of an export cannot be read. Its message says why, and quotes nothing of it."""

    code = "damaged_entry"


class UnknownExportError(VerificationError):
    """A file is none of the exports that can be read."""

    code = "unknown_export"


@dataclass(frozen=True, slots=True)
class LeftOut:
    """What of a conversation is not imported.

    other_branches: messages of versions that were edited away. inner: messages of the system and of tools, thoughts and
    other things that the person was not shown as an answer. empty: messages without words.
    """

    other_branches: int = 0
    inner: int = 0
    empty: int = 0

    def __add__(self, other: "LeftOut") -> "LeftOut":
        return LeftOut(self.other_branches + other.other_branches, self.inner + other.inner, self.empty + other.empty)


@dataclass(frozen=True, slots=True)
class Imported:
    """One conversation that was held elsewhere, its messages in order and never dated before those they follow.

    id: its own id, where it was ours. external_id: what its program calls it. project: the name of its project.
    """

    source: Source
    title: str
    created_at: datetime
    updated_at: datetime
    messages: tuple[Said, ...]
    external_id: str | None = None
    id: str | None = None
    project: str | None = None
    archived: bool = False
    renamed: bool = False
    branched_from: str | None = None
    left_out: LeftOut = field(default_factory=LeftOut)


@dataclass(frozen=True, slots=True)
class Damaged:
    """An entry of the file that could not be read. index: its place in the file, from 0."""

    index: int
    reason: str


@dataclass(frozen=True, slots=True)
class Tally:
    """What came of an import so far.

    conversations, messages: that are new. continued: conversations that were there and got new messages. known: that
    were there and had nothing new. empty: that held nothing to keep. damaged: the first DAMAGED_SHOWN of `failed`.
    cut_off: why the rest of the file could not be read, empty when all of it was.
    """

    conversations: int = 0
    messages: int = 0
    continued: int = 0
    known: int = 0
    empty: int = 0
    failed: int = 0
    damaged: tuple[Damaged, ...] = ()
    left_out: LeftOut = field(default_factory=LeftOut)
    cut_off: str = ""
    ignored_files: tuple[str, ...] = ()


DAMAGED_SHOWN = 20
