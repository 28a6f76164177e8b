"""Conversations of a Claude export: a list of messages each.

Each entry of `conversations.json` has `uuid`, `name` and `chat_messages`. Where messages name the one they follow, the
version that was shown last is imported; what was edited away is counted.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from auritas.memory.conversations.model import Said, Source
from auritas.memory.imports.model import DamagedEntryError, Imported, LeftOut
from auritas.memory.imports.reading import (
    UNDATED,
    identifier,
    in_order,
    mapping,
    moment,
    project_name,
    sequence,
    title,
    words,
)

_ROLES = {"human": "user", "user": "user", "assistant": "assistant"}


def is_claude(entry: Any) -> bool:
    """Whether an entry of a list has the form of a Claude conversation."""
    return isinstance(entry, Mapping) and "chat_messages" in entry


def from_claude(entry: Mapping[str, Any], now: datetime, projects: Mapping[str, str]) -> Imported:
    """Return the conversation of an entry. projects: names by uuid; now: the time of one that bears none.

    Raises DamagedEntryError.
    """
    everything = [mapping(each, "a message") for each in sequence(entry.get("chat_messages"), "chat_messages")]
    path = _path(everything, entry.get("current_leaf_message_uuid"))
    kept, inner, empty = [], 0, 0
    for message in path:
        said = _said(message)
        if said is None:
            inner += 1
        elif not said.text:
            empty += 1
        else:
            kept.append((said, moment(message.get("created_at"))))
    created = moment(entry.get("created_at")) or next((at for _, at in kept if at), now)
    messages = in_order(kept, created)
    ended = max((said.at for said in messages), default=created)
    return Imported(
        source=Source.CLAUDE,
        external_id=identifier(entry.get("uuid"), "the uuid"),
        title=title(entry.get("name"), messages),
        created_at=created,
        updated_at=max(moment(entry.get("updated_at")) or ended, ended),
        messages=messages,
        project=_project(entry, projects),
        left_out=LeftOut(len(everything) - len(path), inner, empty),
    )


def _path(messages: Sequence[Mapping[str, Any]], leaf: Any) -> Sequence[Mapping[str, Any]]:
    """Return the messages of the version that was shown: those that lead to its last one."""
    by_id = {_id(message, "uuid"): message for message in messages}
    parents = [_id(message, "parent_message_uuid") for message in messages]
    if not any(parent in by_id for parent in parents if parent):
        return messages  # a plain list: each message follows the one before
    current = leaf if isinstance(leaf, str) and leaf in by_id else _id(messages[-1], "uuid")
    backwards: dict[str, Mapping[str, Any]] = {}
    while current in by_id:
        if current in backwards:
            raise DamagedEntryError("the messages follow one another in a circle")
        backwards[current] = by_id[current]
        current = _id(by_id[current], "parent_message_uuid")
    return list(reversed(backwards.values()))


def _id(message: Mapping[str, Any], key: str) -> str:
    value = message.get(key)
    return value if isinstance(value, str) else ""


def _said(message: Mapping[str, Any]) -> Said | None:
    role = message.get("sender")
    if not isinstance(role, str) or role not in _ROLES:
        return None
    attached = [_attachment(each) for part in ("attachments", "files") for each in _list(message.get(part))]
    text = "\n\n".join(part for part in (_text(message), *dict.fromkeys(attached)) if part)
    own_id = identifier(message.get("uuid"), "the uuid of a message")
    return Said(id="", number=0, role=_ROLES[role], text=text, at=UNDATED, external_id=own_id)


def _text(message: Mapping[str, Any]) -> str:
    """Return what was said: the blocks of text, without thoughts and tools; older exports have one text only."""
    blocks = _list(message.get("content"))
    said = [words(each.get("text")) for each in blocks if isinstance(each, Mapping) and each.get("type") == "text"]
    return "\n\n".join(text for text in said if text) if blocks else words(message.get("text"))


def _attachment(value: Any) -> str:
    """Return a file that came with a message: its name, and its text where the export holds it."""
    if not isinstance(value, Mapping):
        return ""
    name, text = words(value.get("file_name")), words(value.get("extracted_content"))
    return "\n".join(part for part in (f"[{name}]" if name else "", text) if part)


def _project(entry: Mapping[str, Any], projects: Mapping[str, str]) -> str | None:
    linked = entry.get("project")
    if isinstance(linked, Mapping) and (name := project_name(linked.get("name"))):
        return name
    uuid = linked.get("uuid") if isinstance(linked, Mapping) else entry.get("project_uuid")
    return project_name(projects.get(uuid)) if isinstance(uuid, str) else None


def _list(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list) else ()
