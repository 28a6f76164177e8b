"""Where in a conversation the words stand."""

from collections.abc import Iterator

from sqlalchemy import Connection

from auritas.search.adapters.rows import one_by_one
from auritas.search.marks import holds, lower_of
from auritas.search.query import Query
from auritas.search.words import folded

CHARACTERS_WHILE_TYPING = 60_000
"""How far a conversation is read for the place of the words, at each key; on Enter it is read to its end."""
OPENING = 200

_Wanted = tuple[tuple[tuple[str, ...], bool], ...]


def place(connection: Connection, conversation_id: str, query: Query) -> tuple[str | None, str]:
    """Return the earliest message that holds all words, else the earliest with the rarest, and its text.

    Without any (only the title holds the words) the id is None and the text that of the first message.
    """
    wanted = _wanted(query)
    asked = "SELECT message_id, content FROM messages WHERE conversation_id = ? ORDER BY created_at, seq"
    with one_by_one(connection, asked, (conversation_id,)) as messages:
        return _place(messages, wanted, query)


def _place(messages: Iterator[tuple[str, str]], wanted: _Wanted, query: Query) -> tuple[str | None, str]:
    first_with: dict[int, tuple[str, str]] = {}
    counts = [0] * len(wanted)
    opening, budget = "", CHARACTERS_WHILE_TYPING
    for message_id, content in messages:
        opening = opening or content
        lowered = lower_of(content)
        found = [at for at, each in enumerate(wanted) if _holds(content, lowered, each)]
        if wanted and len(found) == len(wanted):
            return message_id, content
        if not wanted:
            break
        for at in found:
            counts[at] += 1
            first_with.setdefault(at, (message_id, content))
        budget -= len(content)
        if budget < 0 and not query.entered:
            break
    if not first_with:
        return None, opening
    return first_with[min(first_with, key=lambda at: (counts[at], -len(wanted[at][0][0])))]


def _wanted(query: Query) -> _Wanted:
    terms = tuple((_either(term.whole, term.parts), term.prefix) for term in query.terms)
    return terms + tuple(((folded(word),), False) for text in query.phrases for word in text.split())


def _either(whole: str, parts: tuple[str, ...]) -> tuple[str, ...]:
    return (folded(whole), *map(folded, parts))


def _holds(text: str, lowered: str, wanted: tuple[tuple[str, ...], bool]) -> bool:
    (whole, *parts), prefix = wanted
    if holds(text, lowered, whole, prefix=prefix):
        return True
    return bool(parts) and all(holds(text, lowered, part, prefix=prefix) for part in parts)
