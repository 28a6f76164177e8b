"""The written forms of conversations: JSON that can be imported again, and Markdown for people. Both are streamed.

The JSON document is {"format": "auritas-conversations", "version": 1, "exported_at", "conversations": [...]}. Keys are
never renamed or removed within a version; new ones may be added, and a reader skips what it does not know.
"""

import json
from collections.abc import Iterable, Iterator
from datetime import datetime, tzinfo
from typing import Any

from auritas.kernel.clock import timestamp
from auritas.kernel.text import displayable, one_line
from auritas.memory.conversations.model import Conversation, Said

FORMAT = "auritas-conversations"
VERSION = 1

Told = tuple[Conversation, Iterable[Said]]
"""A conversation and its messages, in order."""


def as_json(told: Iterable[Told], exported_at: datetime) -> Iterator[str]:
    """Yield the pieces of one JSON document."""
    yield f'{{"format": {_json(FORMAT)}, "version": {VERSION}, "exported_at": {_json(timestamp(exported_at))},\n'
    yield '"conversations": ['
    for place, (conversation, messages) in enumerate(told):
        yield ",\n" if place else "\n"
        yield f'{_json(head_of(conversation))[:-1]}, "messages": ['
        for number, said in enumerate(messages):
            yield f"{',' if number else ''}\n  {_json(message_document(said))}"
        yield "]}"
    yield "\n]}\n"


def as_markdown(told: Iterable[Told], zone: tzinfo) -> Iterator[str]:
    """Yield the pieces of one Markdown text: a heading for each conversation, a smaller one for each message."""
    for place, (conversation, messages) in enumerate(told):
        yield "\n---\n\n" if place else ""
        yield f"# {one_line(conversation.name, 200)}\n\n"
        yield "".join(f"- {line}\n" for line in _about(conversation, zone))
        for said in messages:
            yield f"\n## {said.number}. {_speaker(said)}\n\n"
            yield f"*{' · '.join(_circumstances(said, zone))}*\n\n{displayable(said.text).rstrip()}\n"


def head_of(conversation: Conversation) -> dict[str, Any]:
    """Return a conversation without its messages, under the keys of the JSON document."""
    return {
        "id": conversation.id,
        "title": conversation.title,
        "renamed": conversation.renamed,
        "project": conversation.project,
        "source": conversation.source.value,
        "external_id": conversation.external_id,
        "created_at": timestamp(conversation.created_at),
        "updated_at": timestamp(conversation.updated_at),
        "archived": conversation.archived,
        "branched_from": conversation.branched_from,
    }


def message_document(said: Said) -> dict[str, Any]:
    """Return a message under the keys of the JSON document."""
    return {
        "id": said.id,
        "number": said.number,
        "role": said.role,
        "at": timestamp(said.at),
        "text": said.text,
        "models": list(said.models),
        "level": said.level,
        "confidence": said.confidence,
        "callout": said.callout,
        "notices": list(said.notices),
        "edited_from": said.edited_from,
        "external_id": said.external_id,
    }


def _about(conversation: Conversation, zone: tzinfo) -> Iterator[str]:
    yield f"Begun {conversation.created_at.astimezone(zone):%Y-%m-%d %H:%M}"
    yield f"Last used {conversation.updated_at.astimezone(zone):%Y-%m-%d %H:%M}"
    if conversation.project:
        yield f"Project: {one_line(conversation.project, 200)}"
    if conversation.source != "auritas":
        yield f"Imported from {conversation.source}"
    yield f"Id: {conversation.id}"


def _speaker(said: Said) -> str:
    match said.role:
        case "user":
            return "You"
        case "assistant":
            return "Answer"
        case _:
            return "System"


def _circumstances(said: Said, zone: tzinfo) -> Iterator[str]:
    yield f"{said.at.astimezone(zone):%Y-%m-%d %H:%M}"
    if said.models:
        yield f"models: {one_line(', '.join(said.models), 200)}"
    if said.confidence:
        yield f"confidence: {said.confidence}"
    if said.level:
        yield f"level: {said.level}"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
