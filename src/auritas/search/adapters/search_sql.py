"""Searching the index: candidates by words, order by time or relevance, and the places worth showing."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, tzinfo
from typing import Any

from sqlalchemy import Connection

from auritas.kernel.clock import from_timestamp
from auritas.kernel.model import Role
from auritas.search import fts
from auritas.search.adapters.filters_sql import Conditions, conditions
from auritas.search.adapters.near_sql import alike_titles, corrected
from auritas.search.adapters.places_sql import Places
from auritas.search.adapters.ranking_sql import EXTRA_WEIGHT, Ranking
from auritas.search.adapters.rows import rows
from auritas.search.marks import Marked, pieces, snippet
from auritas.search.model import ConversationHit, Found, MessageHit, Near, Order
from auritas.search.query import Query, Term
from auritas.search.recall.stemming import stem
from auritas.search.words import folded
from auritas.store import Unit

CACHE_KIB = 12_288
"""Pages that a connection keeps after searching: more makes later keys no faster, and the process larger."""
_STEM_AT_LEAST = 4


@dataclass(frozen=True, slots=True)
class SqlSearch:
    """Finds conversations and messages; only reads. zone: whose days `before:` and `after:` mean."""

    zone: tzinfo = UTC

    def find(self, unit: Unit, query: Query, limit: int = 10) -> Found:
        """Return what fits best, `limit` conversations and messages at most.

        Where no conversation holds the words, nearer and nearer misses are tried: see `Near`. Raises
        UnknownFilterError.
        """
        rows(unit.connection, f"PRAGMA cache_size=-{CACHE_KIB}")
        search = _Search(unit.connection, query, conditions(unit.connection, query, self.zone), limit)
        found = search.exact(Near.WORDS)
        if found.conversations or query.is_empty:
            return found
        return next((better for better in search.nearby() if better.conversations), found)

    def place(self, unit: Unit, query: Query, conversation_id: str) -> str | None:
        """Return the message of a conversation at which to begin to read; None where only its title fits."""
        return Places(unit.connection, query, 1).place(conversation_id)[0]


@dataclass(frozen=True, slots=True)
class _Search:
    connection: Connection
    query: Query
    only: Conditions
    limit: int

    def exact(self, near: Near, instead: tuple[str, ...] = ()) -> Found:
        ranking = Ranking(self.connection, self.query)
        cap = max(ranking.most if self.query.by_relevance else 0, self.limit)
        candidates = self._candidates(cap + 1, by_parts=near is Near.PARTS)
        order = Order.RECENCY
        more = len(candidates) > self.limit
        if self.query.by_relevance and (self.query.entered or len(candidates) <= cap):
            order = Order.RELEVANCE
            candidates = ranking.ranked(candidates[:cap]) if len(candidates) > 1 else candidates
        return Found(self._shown(candidates[: self.limit]), self._messages(), order, near, instead, more)

    def nearby(self) -> Iterable[Found]:
        """Yield what is found by less and less of what was typed."""
        query = self.query
        if any(term.parts for term in query.terms):
            yield self.exact(Near.PARTS)
        stems = tuple(_stemmed(term) for term in query.terms)
        if stems != query.terms:
            yield self._with(stems).exact(Near.STEMS)
        if not query.entered:
            return
        instead = corrected(self.connection, query.terms)
        if instead != query.terms:
            yield self._with(instead).exact(Near.SPELLING, tuple(term.whole for term in instead))
        yield self._alike()

    def _with(self, terms: tuple[Term, ...]) -> "_Search":
        return replace(self, query=replace(self.query, terms=terms))

    # --- candidates ----------------------------------------------------------------------------------------------

    def _candidates(self, count: int, *, by_parts: bool) -> list[int]:
        """Return documents, newest first. Rows of conversations are read only where a filter asks for them."""
        expression = fts.in_conversation(self.query, by_parts=by_parts)
        beside, values = self._beside_words()
        if expression and not beside:
            asked = f"SELECT rowid FROM fts_conv WHERE fts_conv MATCH ? ORDER BY rowid LIMIT {count}"  # noqa: S608  a number
            return [row[0] for row in self._rows(asked, (expression,))]
        if expression:
            source = "fts_conv AS f CROSS JOIN search_conversations AS s ON s.doc = f.rowid"
            where, order, values = "fts_conv MATCH ?", "f.rowid", (expression, *values)
        else:
            source, where, order = "search_conversations AS s", "true", "s.doc"
        asked = f"""SELECT s.doc FROM {source} CROSS JOIN conversations AS c ON c.conversation_id = s.conversation_id
            WHERE {where}{beside} ORDER BY {order} LIMIT {count}"""  # noqa: S608  our own words; values are bound
        return [row[0] for row in self._rows(asked, values)]

    def _beside_words(self) -> tuple[str, tuple[Any, ...]]:
        """Return the conditions that the index of conversations cannot answer: filters and phrases."""
        sql = self.only.and_conversation()
        values = list(self.only.conversation_values)
        holds = """ AND s.conversation_id {} (SELECT m.conversation_id FROM fts_msg AS x JOIN messages AS m
            ON m.seq = x.rowid WHERE fts_msg MATCH ?)"""
        for text in self.query.phrases:
            sql += holds.format("IN")
            values.append(fts.phrase(text))
        for text in self.query.without_phrases:
            sql += holds.format("NOT IN")
            values.append(fts.phrase(text))
        if self.query.is_empty and self.query.without:
            sql += " AND s.doc NOT IN (SELECT rowid FROM fts_conv WHERE fts_conv MATCH ?)"
            values.append(fts.excluded(self.query))
        return sql, tuple(values)

    # --- what is shown -------------------------------------------------------------------------------------------

    def _shown(self, docs: Sequence[int]) -> tuple[ConversationHit, ...]:
        """Return what is to be seen of documents, in their order, as the index has it: further tables cost pages."""
        asked = f"SELECT doc, conversation_id, title, at FROM search_conversations WHERE doc IN ({_listed(docs)})"  # noqa: S608  numbers
        found = {row[0]: row[1:] for row in self._rows(asked, ())}
        marked, places = self.query.marked, Places(self.connection, self.query, len(found))
        return tuple(_hit(found[doc], marked, places) for doc in docs if doc in found)

    def _messages(self) -> tuple[MessageHit, ...]:
        """Return single messages that hold everything; none while typing, when each conversation shows its first."""
        if not self.query.entered or not (expression := fts.all_in_message(self.query)):
            return ()
        order = f"bm25(fts_msg, 1, {EXTRA_WEIGHT}), f.rowid DESC"
        asked = f"""SELECT m.message_id, m.conversation_id, m.role, m.created_at, m.content
            FROM fts_msg AS f CROSS JOIN messages AS m ON m.seq = f.rowid
            CROSS JOIN conversations AS c ON c.conversation_id = m.conversation_id
            WHERE fts_msg MATCH ?{self.only.and_message()} ORDER BY {order} LIMIT {self.limit}"""  # noqa: S608  our own words
        values = (expression, *self.only.conversation_values, *self.only.message_values)
        marked = self.query.marked
        return tuple(
            MessageHit(message_id, conversation_id, Role(role), from_timestamp(at), snippet(content, marked))
            for message_id, conversation_id, role, at, content in self._rows(asked, values)
        )

    def _alike(self) -> Found:
        wanted = " ".join(term.whole for term in self.query.terms)
        docs = alike_titles(self.connection, wanted, self.limit)
        return Found(self._shown(self._fitting(docs)), near=Near.TITLES)

    def _fitting(self, docs: Sequence[int]) -> Sequence[int]:
        asked = f"""SELECT s.doc FROM search_conversations AS s
            CROSS JOIN conversations AS c ON c.conversation_id = s.conversation_id
            WHERE s.doc IN ({_listed(docs)}){self.only.and_conversation()}"""  # noqa: S608  numbers; values are bound
        fitting = {row[0] for row in self._rows(asked, self.only.conversation_values)}
        return [doc for doc in docs if doc in fitting]

    def _rows(self, statement: str, values: tuple[Any, ...]) -> Sequence[Any]:
        return rows(self.connection, statement, values)


def _hit(row: tuple[str, str, str], marked: Marked, places: Places) -> ConversationHit:
    conversation_id, title, at = row
    message_id, text = places.place(conversation_id)
    shown = pieces(" ".join(title.split()), marked)
    return ConversationHit(conversation_id, shown, from_timestamp(at), message_id, snippet(text, marked))


def _listed(docs: Sequence[int]) -> str:
    return ", ".join(map(str, docs))


def _stemmed(term: Term) -> Term:
    """Return the term by the beginning that its other forms share, or as it is where there is none."""
    root = stem(folded(term.whole))
    root = root.removesuffix("i")
    if term.pairs or term.parts or len(root) < _STEM_AT_LEAST or root == folded(term.whole):
        return term
    return Term(root, prefix=True)
