"""Searching the index: candidates by words, order by time or relevance, and the places worth showing."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, tzinfo
from typing import Any

from sqlalchemy import Connection

from auritas.kernel.clock import from_timestamp
from auritas.kernel.model import Role
from auritas.search import fts
from auritas.search.adapters.filters_sql import Conditions, conditions
from auritas.search.adapters.near_sql import alike_titles, corrected
from auritas.search.adapters.places_sql import place
from auritas.search.adapters.rows import rows
from auritas.search.marks import pieces, snippet
from auritas.search.model import ConversationHit, Found, MessageHit, Near, Order
from auritas.search.query import RELEVANCE_FROM, Query, Term
from auritas.search.recall.stemming import stem
from auritas.search.words import folded
from auritas.store import Unit

RANKED, RANKED_WHEN_ENTERED = 100, 5_000
"""Conversations that are ordered by relevance: where more fit while typing, the words are too common to tell."""
SCORED, SCORED_WHEN_ENTERED = 100, 50_000
"""Messages in which a word may stand and still count for relevance."""
EXTRA_WEIGHT = 2.0
"""A hit in an identifier weighs double."""
CACHE_KIB = 12_288
"""Pages that a connection keeps after searching: more makes later keys no faster, and the process larger."""
TRIGRAM, TITLES = 3, 500
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


@dataclass(frozen=True, slots=True)
class _Search:
    connection: Connection
    query: Query
    only: Conditions
    limit: int

    def exact(self, near: Near, instead: tuple[str, ...] = ()) -> Found:
        cap = max(self._cap if self.query.by_relevance else 0, self.limit)
        candidates = self._candidates(cap + 1, by_parts=near is Near.PARTS)
        order = Order.RECENCY
        more = len(candidates) > self.limit
        if self.query.by_relevance and (self.query.entered or len(candidates) <= cap):
            order = Order.RELEVANCE
            candidates = self._ranked(candidates[:cap]) if len(candidates) > 1 else candidates
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

    @property
    def _cap(self) -> int:
        return RANKED_WHEN_ENTERED if self.query.entered else RANKED

    # --- candidates ----------------------------------------------------------------------------------------------

    def _candidates(self, count: int, *, by_parts: bool) -> list[int]:
        """Return documents, newest first. Rows of conversations are read only where a filter asks for them."""
        expression = fts.in_conversation(self.query, by_parts=by_parts)
        beside, values = self._beside_words()
        if expression and not beside:
            asked = f"SELECT rowid FROM fts_conv WHERE fts_conv MATCH ? ORDER BY rowid DESC LIMIT {count}"  # noqa: S608  a number
            return [row[0] for row in self._rows(asked, (expression,))]
        if expression:
            source = "fts_conv AS f CROSS JOIN search_conversations AS s ON s.doc = f.rowid"
            where, order, values = "fts_conv MATCH ?", "f.rowid", (expression, *values)
        else:
            source, where, order = "search_conversations AS s", "true", "s.doc"
        asked = f"""SELECT s.doc FROM {source} CROSS JOIN conversations AS c ON c.conversation_id = s.conversation_id
            WHERE {where}{beside} ORDER BY {order} DESC LIMIT {count}"""  # noqa: S608  our own words; values are bound
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

    # --- relevance -----------------------------------------------------------------------------------------------

    def _ranked(self, docs: list[int]) -> list[int]:
        """Order by the sum over words of the best message's BM25; a title counts as the best message of all.

        BM25 of messages, because the index of conversations keeps no counts (Robertson and Zaragoza, The probabilistic
        relevance framework, 2009). Words of very many messages tell nothing apart and are left out. Ties: newest first.
        """
        scores = dict.fromkeys(docs, 0.0)
        for expression, words in self._scoring():
            best = self._best(expression, scores)
            highest = max(best.values(), default=0.0)
            if not highest:
                continue
            for doc in self._titled(words).intersection(scores):
                scores[doc] += highest
            for doc, score in best.items():
                scores[doc] += score
        return sorted(docs, key=lambda doc: -scores[doc])

    def _scoring(self) -> Iterable[tuple[str, tuple[str, ...]]]:
        for term in self.query.terms:
            if self.query.entered or _tells(term):
                yield fts.in_message(term), (term.whole,)
        for text in self.query.phrases:
            yield fts.phrase(text), tuple(text.split())

    def _best(self, expression: str, wanted: Mapping[int, float]) -> dict[int, float]:
        """Return the best message's score in each wanted document; nothing for a word of too many messages.

        bm25() counts all messages with the word before it gives the first score, so they are counted here up to the
        limit.
        """
        most = SCORED_WHEN_ENTERED if self.query.entered else SCORED
        asked = f"SELECT rowid FROM fts_msg WHERE fts_msg MATCH ? LIMIT {most + 1}"  # noqa: S608  a number
        places = self._rows(asked, (expression,))
        if len(places) > most:
            return {}
        of = dict(self._rows(f"SELECT seq, doc FROM search_messages WHERE seq IN ({_listed(places)})", ()))  # noqa: S608  numbers
        best: dict[int, float] = {}
        asked = f"SELECT rowid, bm25(fts_msg, 1, {EXTRA_WEIGHT}) FROM fts_msg WHERE fts_msg MATCH ?"  # noqa: S608  a number
        for seq, score in self._rows(asked, (expression,)):
            doc = of.get(seq, -1)
            if doc in wanted:
                best[doc] = max(best.get(doc, 0.0), -score)
        return best

    def _titled(self, words: tuple[str, ...]) -> set[int]:
        """Return documents whose titles hold all words; words of fewer than three letters are in no trigram."""
        expression = " AND ".join(fts.quoted(word) for word in words if len(word) >= TRIGRAM)
        if not expression:
            return set()
        asked = f"SELECT rowid FROM fts_title WHERE fts_title MATCH ? ORDER BY rowid DESC LIMIT {TITLES}"  # noqa: S608  a number
        return {row[0] for row in self._rows(asked, (expression,))}

    # --- what is shown -------------------------------------------------------------------------------------------

    def _shown(self, docs: Sequence[int]) -> tuple[ConversationHit, ...]:
        asked = f"""SELECT s.doc, s.conversation_id, s.title, c.updated_at FROM search_conversations AS s
            CROSS JOIN conversations AS c ON c.conversation_id = s.conversation_id
            WHERE s.doc IN ({", ".join(map(str, docs))}){self.only.and_conversation()}"""  # noqa: S608  numbers; values are bound
        found = {row[0]: row[1:] for row in self._rows(asked, self.only.conversation_values)}
        return tuple(self._hit(*found[doc]) for doc in docs if doc in found)

    def _hit(self, conversation_id: str, title: str, updated_at: str) -> ConversationHit:
        marked = self.query.marked
        message_id, text = place(self.connection, conversation_id, self.query)
        shown = pieces(" ".join(title.split()), marked)
        return ConversationHit(conversation_id, shown, from_timestamp(updated_at), message_id, snippet(text, marked))

    def _messages(self) -> tuple[MessageHit, ...]:
        """Return single messages that hold everything; none while typing, when each conversation shows its first."""
        expression = fts.all_in_message(self.query)
        if not expression or not self.query.entered:
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
        return Found(self._shown(alike_titles(self.connection, wanted, self.limit)), near=Near.TITLES)

    def _rows(self, statement: str, values: tuple[Any, ...]) -> Sequence[Any]:
        return rows(self.connection, statement, values)


def _tells(term: Term) -> bool:
    """Tell whether a word can be looked up among messages at each key.

    Beginnings of few letters fit too much there, and identifiers are phrases there, which FTS5 finds slowly.
    """
    return "_" not in term.whole and (not term.prefix or len(term.whole) >= RELEVANCE_FROM)


def _listed(rows_: Sequence[Any]) -> str:
    return ", ".join(str(row[0]) for row in rows_)


def _stemmed(term: Term) -> Term:
    """Return the term by the beginning that its other forms share, or as it is where there is none."""
    root = stem(folded(term.whole))
    root = root.removesuffix("i")
    if term.pairs or term.parts or len(root) < _STEM_AT_LEAST or root == folded(term.whole):
        return term
    return Term(root, prefix=True)
