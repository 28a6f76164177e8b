"""Where in a conversation the words stand."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf

from sqlalchemy import Connection

from auritas.search.adapters.rows import one_by_one
from auritas.search.marks import holds, lower_of
from auritas.search.query import Query
from auritas.search.words import folded

CHARACTERS_WHILE_TYPING = 60_000
"""How far all shown conversations together are read for the places of the words, at each key; on Enter to their end."""


@dataclass(frozen=True, slots=True)
class _Wanted:
    """A folded word or its parts. within: what stands in every text that holds it, to pass over most texts quickly."""

    within: str
    whole: str
    parts: tuple[str, ...]
    prefix: bool

    def is_in(self, text: str, lowered: str) -> bool:
        if holds(text, lowered, self.whole, prefix=self.prefix):
            return True
        return bool(self.parts) and all(holds(text, lowered, part, prefix=self.prefix) for part in self.parts)


class Places:
    """Finds the places of a query's words in `count` conversations, which share what may be read while typing."""

    def __init__(self, connection: Connection, query: Query, count: int) -> None:
        self._connection = connection
        self._wanted = _wanted(query)
        self._left: float = inf if query.entered else CHARACTERS_WHILE_TYPING
        self._count = count

    def place(self, conversation_id: str) -> tuple[str | None, str]:
        """Return the earliest message that holds all words, else the earliest with the rarest, and its text.

        Without any (only the title holds the words, or they stand further on than may be read while typing) the id is
        None and the text that of the first message.
        """
        asked = "SELECT message_id, content FROM messages WHERE conversation_id = ? ORDER BY created_at, seq"
        with one_by_one(self._connection, asked, (conversation_id,)) as messages:
            return self._place(messages)

    def _place(self, messages: Iterator[tuple[str, str]]) -> tuple[str | None, str]:
        first_with: dict[int, tuple[str, str]] = {}
        counts = [0] * len(self._wanted)
        opening = ""
        share = self._left / max(self._count, 1)
        self._count -= 1
        for message_id, content in messages:
            opening = opening or content
            lowered = lower_of(content)
            found = [
                at for at, each in enumerate(self._wanted) if each.within in lowered and each.is_in(content, lowered)
            ]
            if self._wanted and len(found) == len(self._wanted):
                return message_id, content
            for at in found:
                counts[at] += 1
                first_with.setdefault(at, (message_id, content))
            self._left -= len(content)
            share -= len(content)
            if share < 0 or not self._wanted:
                break
        if not first_with:
            return None, opening
        return first_with[min(first_with, key=lambda at: (counts[at], -len(self._wanted[at].whole)))]


def _wanted(query: Query) -> tuple[_Wanted, ...]:
    terms = tuple(_of(folded(term.whole), tuple(map(folded, term.parts)), prefix=term.prefix) for term in query.terms)
    return terms + tuple(_of(folded(word), (), prefix=False) for text in query.phrases for word in text.split())


def _of(whole: str, parts: tuple[str, ...], *, prefix: bool) -> _Wanted:
    return _Wanted(max(parts, key=len) if parts else whole, whole, parts, prefix)
