"""Conversations of our own export, as `conversations.documents` writes them."""

import json
from datetime import datetime
from typing import Any
from uuid import UUID

from auritas.kernel.text import one_line, storable
from auritas.memory.conversations.documents import VERSION
from auritas.memory.conversations.model import Said, Source
from auritas.memory.conversations.policy import TITLE_CHARACTERS
from auritas.memory.imports.model import DamagedEntryError, Imported, UnknownExportError
from auritas.memory.imports.reading import identifier, mapping, moment, project_name, sequence, words

_ROLES = frozenset({"system", "user", "assistant"})
_LEVELS = frozenset({"fast", "balanced", "high", "maximum"})
_LABELS = frozenset({"High", "Medium", "Uncertain"})
_CALLOUTS = frozenset({"disagreement", "correction"})


def require_version(version: Any) -> None:
    """Raise UnknownExportError unless documents of this version can be read."""
    if version != VERSION:
        raise UnknownExportError(
            f"This export has version {version!r}, and version {VERSION} can be read here.",
            remedy="Import it with the version of Auritas that wrote it, or a newer one.",
        )


def from_own(entry: Any) -> Imported:
    """Return the conversation of an entry. Raises DamagedEntryError."""
    document = mapping(entry, "the entry")
    messages = sequence(document.get("messages"), "messages")
    created = _moment(document.get("created_at"), "created_at")
    return Imported(
        source=Source(_one_of(document.get("source"), frozenset(Source), "source")),
        id=_uuid(document.get("id"), "id"),
        external_id=_optional(document.get("external_id")),
        title=one_line(words(document.get("title")), TITLE_CHARACTERS),
        created_at=created,
        updated_at=_moment(document.get("updated_at"), "updated_at"),
        messages=tuple(_said(each, number) for number, each in enumerate(messages, start=1)),
        project=project_name(document.get("project")),
        archived=document.get("archived") is True,
        renamed=document.get("renamed") is True,
        branched_from=_optional(document.get("branched_from")),
    )


def _said(value: Any, number: int) -> Said:
    message = mapping(value, "a message")
    return Said(
        id=_uuid(message.get("id"), "the id of a message"),
        number=number,
        role=_one_of(message.get("role"), _ROLES, "the role of a message"),
        text=_text(message.get("text")),
        at=_moment(message.get("at"), "the time of a message"),
        models=_names(message.get("models")),
        level=_choice(message.get("level"), _LEVELS),
        confidence=_choice(message.get("confidence"), _LABELS),
        callout=_choice(message.get("callout"), _CALLOUTS),
        notices=_names(message.get("notices")),
        edited_from=_optional(message.get("edited_from")),
        external_id=_optional(message.get("external_id")),
    )


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise DamagedEntryError("the text of a message is no text")
    return storable(value)


def _uuid(value: Any, what: str) -> str:
    try:
        return str(UUID(identifier(value, what)))
    except ValueError:
        raise DamagedEntryError(f"{what} is no UUID") from None


def _moment(value: Any, what: str) -> datetime:
    found = moment(value)
    if found is None:
        raise DamagedEntryError(f"{what} is no time")
    return found


def _one_of(value: Any, allowed: frozenset[str], what: str) -> str:
    if value not in allowed:
        raise DamagedEntryError(f"{what} is none of {json.dumps(sorted(allowed))}")
    return str(value)


def _choice(value: Any, allowed: frozenset[str]) -> str | None:
    return value if isinstance(value, str) and value in allowed else None


def _names(value: Any) -> tuple[str, ...]:
    return tuple(words(each) for each in value if words(each)) if isinstance(value, list) else ()


def _optional(value: Any) -> str | None:
    return identifier(value, "an id") if value is not None else None
