"""Files that a person attaches to a message: read, kept, shown, and taken back."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from auritas.kernel.clock import Clock
from auritas.kernel.errors import NotFoundError, UsageError
from auritas.kernel.ids import Ids
from auritas.kernel.model import Image
from auritas.memory.adapters import pdf
from auritas.memory.adapters.attachments_sql import AttachmentRecords, Picture
from auritas.memory.documents.model import (
    LARGEST_BYTES,
    LONGEST_TEXT,
    MOST_AT_ONCE,
    PDF,
    PICTURES,
    Attachment,
    UnreadableFileError,
    checked_name,
    media_type_of,
    text_of,
)
from auritas.store import SqlStore, Unit

if TYPE_CHECKING:
    from auritas.app.spine import Spine

WAITS = timedelta(days=1)
"""How long a file waits for its message."""


class NoAttachmentError(NotFoundError):
    """There is no such file."""

    code = "no_attachment"

    def __init__(self, attachment_id: str) -> None:
        super().__init__(f"There is no attached file {attachment_id!r}.", remedy="Attach it once more.")


@dataclass(frozen=True, slots=True)
class Attachments:
    """What can be done with attached files."""

    store: SqlStore
    records: AttachmentRecords
    clock: Clock
    ids: Ids

    def add(self, name: str, content: bytes) -> Attachment:
        """Keep a file until its message comes. Raises UnreadableFileError and InvalidError."""
        name = checked_name(name)
        if not content:
            raise UnreadableFileError(f"{name!r} is empty.", remedy="Attach a file with something in it.")
        if len(content) > LARGEST_BYTES:
            raise UnreadableFileError(
                f"{name!r} has {len(content) / 1e6:.0f} MB; at most {LARGEST_BYTES / 1e6:.0f} fit.",
                remedy="Attach a part of it.",
            )
        media_type = media_type_of(name, content[:4096])
        read = _read(name, media_type, content)
        now = self.clock.now()
        made = Attachment(self.ids.new(), name, media_type, len(content), now, read.pages, len(read.text))
        with self.store.unit() as unit:
            self.records.drop_left(unit, now - WAITS)
            self.records.add(unit, made, read.text, content if media_type in PICTURES else None)
        return made

    def add_pictures(self, images: Sequence[Image]) -> tuple[str, ...]:
        """Keep pictures that come within a message, and return their ids. Raises UnreadableFileError."""
        names = (
            f"picture {number}.{image.media_type.removeprefix('image/')}" for number, image in enumerate(images, 1)
        )
        return tuple(self.add(name, image.content).id for name, image in zip(names, images, strict=True))

    def get(self, attachment_id: str) -> Attachment:
        """Return one file. Raises NoAttachmentError."""
        with self.store.read() as unit:
            found = self.records.get(unit, attachment_id)
        if found is None:
            raise NoAttachmentError(attachment_id)
        return found

    def text(self, attachment_id: str) -> str:
        """Return what was read of a file. Raises NoAttachmentError."""
        self.get(attachment_id)
        with self.store.read() as unit:
            return self.records.text(unit, attachment_id)

    def picture(self, attachment_id: str) -> Picture:
        """Return a picture. Raises NoAttachmentError where the file is none."""
        with self.store.read() as unit:
            found = self.records.picture(unit, attachment_id)
        if found is None:
            raise NoAttachmentError(attachment_id)
        return found

    def of_conversation(self, conversation_id: str) -> tuple[Attachment, ...]:
        """Return the files of a conversation."""
        with self.store.read() as unit:
            return self.records.of_conversation(unit, conversation_id)

    def drop(self, attachment_id: str) -> None:
        """Take back a file that was not sent yet. Raises NoAttachmentError."""
        with self.store.unit() as unit:
            if not self.records.drop(unit, attachment_id):
                raise NoAttachmentError(attachment_id)

    def drop_waiting(self, ids: Sequence[str]) -> None:
        """Take back those of some files that came to no message."""
        with self.store.unit() as unit:
            for each in ids:
                self.records.drop(unit, each)


def picture_of(content: bytes) -> Image:
    """Return a picture, whose kind its first bytes tell. Raises UnreadableFileError for anything else."""
    media_type = media_type_of("picture.png", content[:4096]) if content else ""
    if media_type not in PICTURES:
        raise UnreadableFileError("A picture is no PNG, JPEG, GIF or WebP.", remedy="Save it as one of these.")
    return Image(media_type, content)


def waiting(unit: Unit, records: AttachmentRecords, ids: tuple[str, ...]) -> tuple[Attachment, ...]:
    """Return files that wait for their message. Raises UsageError for too many, NoAttachmentError for a missing one."""
    if len(ids) > MOST_AT_ONCE:
        raise UsageError(f"One message takes {MOST_AT_ONCE} files.", remedy="Send the others with the next one.")
    found = records.waiting(unit, ids)
    missing = [each for each in ids if each not in {one.id for one in found}]
    if missing:
        raise NoAttachmentError(missing[0])
    return found


def _read(name: str, media_type: str, content: bytes) -> pdf.PdfText:
    if media_type in PICTURES:
        return pdf.PdfText("", 0)
    if media_type == PDF:
        return pdf.read(name, content)
    return pdf.PdfText(text_of(name, content)[:LONGEST_TEXT], 0)


def attachments_over(parts: "Spine") -> Attachments:
    """Put the use cases together over an open store."""
    return Attachments(parts.store, AttachmentRecords(), parts.clock, parts.ids)
