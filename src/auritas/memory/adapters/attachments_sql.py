"""Attached files in the store."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import delete, func, insert, or_, select, update

from auritas.kernel.clock import from_timestamp, timestamp
from auritas.memory.documents.model import Attachment, Document
from auritas.store import Unit
from auritas.store import schema as t


@dataclass(frozen=True, slots=True)
class Picture:
    """An attached picture, as it is sent to models that see."""

    media_type: str
    content: bytes


@dataclass(frozen=True, slots=True)
class AttachmentRecords:
    """Reads and writes inside the unit of work it is given."""

    def add(self, unit: Unit, attachment: Attachment, text: str, picture: bytes | None) -> None:
        """Keep a file that waits for its message."""
        row = {
            "attachment_id": attachment.id,
            "name": attachment.name,
            "media_type": attachment.media_type,
            "size": attachment.size,
            "pages": attachment.pages,
            "text": text,
            "picture": picture,
            "created_at": timestamp(attachment.created_at),
        }
        unit.connection.execute(insert(t.attachments).values(row))

    def waiting(self, unit: Unit, ids: Sequence[str]) -> tuple[Attachment, ...]:
        """Return those of `ids` that belong to no message yet, in the order of `ids`."""
        a = t.attachments.c
        rows = unit.connection.execute(_SHOWN.where(a.attachment_id.in_(ids), a.message_id.is_(None)))
        found = {row.attachment_id: _attachment(row) for row in rows}
        return tuple(found[each] for each in ids if each in found)

    def get(self, unit: Unit, attachment_id: str) -> Attachment | None:
        """Return one file, or None."""
        row = unit.connection.execute(_SHOWN.where(t.attachments.c.attachment_id == attachment_id)).first()
        return _attachment(row) if row else None

    def text(self, unit: Unit, attachment_id: str) -> str:
        """Return the text of a file, empty for a picture."""
        found = select(t.attachments.c.text).where(t.attachments.c.attachment_id == attachment_id)
        return unit.connection.execute(found).scalar() or ""

    def picture(self, unit: Unit, attachment_id: str) -> Picture | None:
        """Return a picture, or None where the file is none."""
        a = t.attachments.c
        row = unit.connection.execute(select(a.media_type, a.picture).where(a.attachment_id == attachment_id)).first()
        return Picture(row.media_type, row.picture) if row and row.picture is not None else None

    def belong(self, unit: Unit, ids: Sequence[str], conversation_id: str, message_id: str) -> None:
        """Give waiting files to a message."""
        a = t.attachments.c
        mine = update(t.attachments).where(a.attachment_id.in_(ids), a.message_id.is_(None))
        unit.connection.execute(mine.values(conversation_id=conversation_id, message_id=message_id))

    def of_conversation(self, unit: Unit, conversation_id: str) -> tuple[Attachment, ...]:
        """Return the files of a conversation, in the order in which they came."""
        a = t.attachments.c
        query = _SHOWN.where(a.conversation_id == conversation_id).order_by(a.created_at, a.attachment_id)
        return tuple(map(_attachment, unit.connection.execute(query)))

    def of_messages(self, unit: Unit, ids: Sequence[str]) -> tuple[Attachment, ...]:
        """Return the files of these messages, in the order in which they came."""
        a = t.attachments.c
        query = _SHOWN.where(a.message_id.in_(ids)).order_by(a.created_at, a.attachment_id)
        return tuple(map(_attachment, unit.connection.execute(query)))

    def documents(self, unit: Unit, conversation_id: str, ids: Sequence[str]) -> tuple[Document, ...]:
        """Return the texts of a conversation's files and of those that are about to join it, oldest first."""
        a = t.attachments.c
        mine = or_(a.conversation_id == conversation_id, a.attachment_id.in_(ids))
        query = select(a.name, a.text).where(mine, a.text != "").order_by(a.created_at, a.attachment_id)
        return tuple(Document(row.name, row.text) for row in unit.connection.execute(query))

    def pictures(self, unit: Unit, conversation_id: str, ids: Sequence[str], most: int) -> tuple[Picture, ...]:
        """Return the newest pictures of a conversation, with those that are about to join it, oldest first."""
        a = t.attachments.c
        mine = or_(a.conversation_id == conversation_id, a.attachment_id.in_(ids))
        newest = select(a.media_type, a.picture).where(mine, a.picture.is_not(None))
        rows = unit.connection.execute(newest.order_by(a.created_at.desc(), a.attachment_id.desc()).limit(most))
        return tuple(Picture(row.media_type, row.picture) for row in reversed(rows.all()))

    def pictured(self, unit: Unit, ids: Sequence[str], message_id: str | None) -> bool:
        """Whether one of these files, or of those of a message, is a picture. message_id: None where there is none."""
        if not ids and message_id is None:
            return False
        a = t.attachments.c
        named = a.attachment_id.in_(ids)
        # Compared with nothing, the message would be that of every picture that waits for one.
        brought = named if message_id is None else or_(named, a.message_id == message_id)
        found = select(a.attachment_id).where(brought, a.picture.is_not(None)).limit(1)
        return unit.connection.execute(found).first() is not None

    def drop(self, unit: Unit, attachment_id: str) -> bool:
        """Remove a file that still waits; return whether there was one."""
        a = t.attachments.c
        gone = delete(t.attachments).where(a.attachment_id == attachment_id, a.message_id.is_(None))
        return unit.connection.execute(gone).rowcount > 0

    def drop_left(self, unit: Unit, before: datetime) -> int:
        """Remove files whose message never came; return how many."""
        a = t.attachments.c
        gone = delete(t.attachments).where(a.message_id.is_(None), a.created_at < timestamp(before))
        return unit.connection.execute(gone).rowcount


def _shown() -> Any:
    a = t.attachments.c
    characters = func.length(a.text).label("characters")
    return select(a.attachment_id, a.name, a.media_type, a.size, a.pages, a.message_id, a.created_at, characters)


_SHOWN = _shown()


def _attachment(row: Any) -> Attachment:
    return Attachment(
        id=row.attachment_id,
        name=row.name,
        media_type=row.media_type,
        size=row.size,
        created_at=from_timestamp(row.created_at),
        pages=row.pages,
        characters=row.characters,
        message_id=row.message_id,
    )
