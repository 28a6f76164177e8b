"""The order of relevance of conversations that hold the words."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection

from auritas.search import fts
from auritas.search.adapters.rows import rows
from auritas.search.marks import holds, lower_of
from auritas.search.query import RELEVANCE_FROM, Query, Term
from auritas.search.words import folded

RANKED, RANKED_WHEN_ENTERED = 16, 5_000
"""Conversations that are ordered by relevance: where more fit while typing, the words are too common to tell."""
SCORED, SCORED_WHEN_ENTERED = 16, 50_000
"""Messages in which a word may stand and still count for relevance: each costs a page or two, decrypted."""
EXTRA_WEIGHT = 2.0
"""A hit in an identifier weighs double."""
TRIGRAM, TITLES = 3, 500

_Words = tuple[tuple[str, bool], ...]


@dataclass(frozen=True, slots=True)
class Ranking:
    """Orders documents by the sum over words of the best message's BM25; a title counts as the best message of all.

    BM25 of messages, because the index of conversations keeps no counts (Robertson and Zaragoza, The probabilistic
    relevance framework, 2009). Words of very many messages tell nothing apart and are left out. Ties: newest first.
    """

    connection: Connection
    query: Query

    @property
    def most(self) -> int:
        """How many documents are ordered at most."""
        return RANKED_WHEN_ENTERED if self.query.entered else RANKED

    def ranked(self, docs: Sequence[int]) -> list[int]:
        """Return documents, which come newest first, most relevant first."""
        scores = dict.fromkeys(docs, 0.0)
        for expression, words in self._scoring():
            best = self._best(expression, scores)
            highest = max(best.values(), default=0.0)
            if not highest:
                continue
            for doc in self._titled(words, docs).intersection(scores):
                scores[doc] += highest
            for doc, score in best.items():
                scores[doc] += score
        return sorted(docs, key=lambda doc: -scores[doc])

    def _scoring(self) -> Iterable[tuple[str, _Words]]:
        alone = len(self.query.terms) == 1
        for term in self.query.terms:
            if self.query.entered or (_tells(term) and (alone or self._is_rare(term))):
                yield fts.in_message(term), ((term.whole, term.prefix),)
        for text in self.query.phrases:
            yield fts.phrase(text), tuple((word, False) for word in text.split())

    def _is_rare(self, term: Term) -> bool:
        """Tell whether few conversations hold a word.

        Their index has beginnings; that of messages would gather every message with one of its words first.
        """
        asked = f"SELECT rowid FROM fts_conv WHERE fts_conv MATCH ? LIMIT {RANKED + 1}"  # noqa: S608  a number
        return len(self._rows(asked, (fts.in_conversation(Query(terms=(term,))),))) <= RANKED

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

    def _titled(self, words: _Words, docs: Sequence[int]) -> set[int]:
        """Return documents whose titles hold all words: few titles are read, among many the trigrams are asked.

        Words of fewer than three letters are in no trigram.
        """
        if len(docs) <= RANKED:
            asked = f"SELECT doc, title FROM search_conversations WHERE doc IN ({', '.join(map(str, docs))})"  # noqa: S608  numbers
            return {doc for doc, title in self._rows(asked, ()) if _all_in(title, words)}
        expression = " AND ".join(fts.quoted(word) for word, _ in words if len(word) >= TRIGRAM)
        if not expression:
            return set()
        asked = f"SELECT rowid FROM fts_title WHERE fts_title MATCH ? ORDER BY rowid LIMIT {TITLES}"  # noqa: S608  a number
        return {row[0] for row in self._rows(asked, (expression,))}

    def _rows(self, statement: str, values: tuple[Any, ...]) -> Sequence[Any]:
        return rows(self.connection, statement, values)


def _all_in(title: str, words: _Words) -> bool:
    lowered = lower_of(title)
    return all(holds(title, lowered, folded(word), prefix=prefix) for word, prefix in words)


def _tells(term: Term) -> bool:
    """Tell whether a word can be looked up among messages at each key.

    Beginnings of few letters fit too much there, and identifiers are phrases there, which FTS5 finds slowly.
    """
    return "_" not in term.whole and (not term.prefix or len(term.whole) >= RELEVANCE_FROM)


def _listed(found: Sequence[Any]) -> str:
    return ", ".join(str(row[0]) for row in found)
