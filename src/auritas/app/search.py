"""The use case behind `auritas search`: words as they are typed, or meaning on request."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import tzinfo
from typing import TYPE_CHECKING

from auritas.app.indexing import Indexing
from auritas.kernel.memory import Passage
from auritas.kernel.ports import Store
from auritas.kernel.text import storable
from auritas.memory.adapters.conversations_sql import titles_of
from auritas.search.adapters.search_sql import SqlSearch
from auritas.search.model import ConversationHit, Found, MessageHit, Near, Order, Piece, Snippet
from auritas.search.query import FILTERS, read
from auritas.store import Unit

if TYPE_CHECKING:
    from auritas.app.memory_parts import MemoryParts

__all__ = ["FILTERS", "ConversationHit", "Found", "Meant", "MessageHit", "Near", "Order", "Piece", "Search", "Snippet"]

Recall = Callable[[Unit, str, int], Sequence[Passage]]
"""Finds up to so many passages by meaning."""
CONVERSATIONS = 10
CATCH_UP_S = 1.0
"""Seconds spent on what is not indexed yet before the first search; the rest is announced as waiting."""


@dataclass(frozen=True, slots=True)
class Meant:
    """A passage that was found by its meaning, and the title of its conversation."""

    passage: Passage
    title: str


@dataclass(frozen=True, slots=True)
class Search:
    """Finds what was said. recall: the search by meaning."""

    store: Store[Unit]
    indexing: Indexing
    recall: Recall
    zone: tzinfo

    def begin(self) -> int:
        """Index what waits, briefly, and return how many conversations still wait."""
        done = self.indexing.catch_up_words(CATCH_UP_S)
        return done.total - done.done

    def words(self, text: str, *, entered: bool = True, limit: int = CONVERSATIONS) -> Found:
        """Return what holds the words of `text`; see `search.query.read` for what it may hold beside words.

        entered: the person has finished typing. Titles that are only alike are no answer where words are left out:
        they may hold them. Raises QueryError and UnknownFilterError.
        """
        query = read(text, entered=entered)
        with self.store.read() as unit:
            found = SqlSearch(self.zone).find(unit, query, limit)
        if found.near is Near.TITLES and (query.without or query.without_phrases):
            return replace(found, conversations=(), messages=(), more=False)
        return found

    def place(self, text: str, conversation_id: str) -> str | None:
        """Return the message of a conversation where the words of `text` stand; None where only its title has them."""
        with self.store.read() as unit:
            return SqlSearch(self.zone).place(unit, read(text, entered=True), conversation_id)

    def meaning(self, text: str, limit: int = CONVERSATIONS) -> tuple[Passage, ...]:
        """Return the passages that mean most nearly what `text` means. Raises UnavailableError without an embedder."""
        self.indexing.catch_up(CATCH_UP_S)
        with self.store.read() as unit:
            return tuple(self.recall(unit, text, limit))

    def meant(self, text: str, limit: int = CONVERSATIONS) -> tuple[Meant, ...]:
        """Return what `meaning` finds in what is indexed already, each with its title; only reads."""
        with self.store.read() as unit:
            found = self.recall(unit, storable(text), limit)
            named = titles_of(unit, [each.conversation_id for each in found])
        return tuple(Meant(each, named.get(each.conversation_id, "")) for each in found)


def search_over(parts: "MemoryParts") -> Search:
    """Put the search together over an open store."""
    return Search(parts.store, parts.indexing, parts.recall.on_request, parts.zone)
