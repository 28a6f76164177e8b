"""What is nearly what was typed: words of the index with few slips, and titles with many of its letters."""

from dataclasses import replace

from sqlalchemy import Connection

from auritas.search.fts import any_of, quoted
from auritas.search.query import Term
from auritas.search.spelling import nearest, shared, slips_allowed, trigrams
from auritas.search.words import folded

SHARED_AT_LEAST = 0.4
"""Share of the trigrams of what was typed that a title must have; chosen on our own tests."""
_TITLES = 50


def corrected(connection: Connection, terms: tuple[Term, ...]) -> tuple[Term, ...]:
    """Return the terms, each that no conversation holds replaced by the nearest word of the index, if one is near."""
    return tuple(_corrected(connection, term) for term in terms)


def _corrected(connection: Connection, term: Term) -> Term:
    word = folded(term.whole)
    if term.pairs or not slips_allowed(word) or _is_known(connection, word, prefix=term.prefix):
        return term
    found = nearest(word, _alike(connection, word))
    return term if found is None else replace(term, whole=found, parts=())


def _is_known(connection: Connection, word: str, *, prefix: bool) -> bool:
    asked = "SELECT 1 FROM fts_conv WHERE fts_conv MATCH ? LIMIT 1"
    return connection.exec_driver_sql(asked, (quoted(word, prefix=prefix),)).first() is not None


def _alike(connection: Connection, word: str) -> list[tuple[str, int]]:
    """Return the words of the index of nearly this length that begin with its first letter, or with its second."""
    most = slips_allowed(word)
    found: list[tuple[str, int]] = []
    for letter in dict.fromkeys(word[:2]):
        asked = "SELECT term, doc FROM search_words WHERE term >= ? AND term < ? AND length(term) BETWEEN ? AND ?"
        values = (letter, chr(ord(letter) + 1), len(word) - most, len(word) + most)
        found += [(row[0], row[1]) for row in connection.exec_driver_sql(asked, values)]
    return found


def alike_titles(connection: Connection, wanted: str, count: int) -> list[int]:
    """Return the documents whose titles share most letters with what was typed, best first."""
    grams = trigrams(wanted.lower())
    if not grams:
        return []
    asked = "SELECT rowid, title FROM fts_title WHERE fts_title MATCH ? ORDER BY rank LIMIT ?"
    expression = any_of(quoted(gram) for gram in sorted(grams))
    rows = connection.exec_driver_sql(asked, (expression, _TITLES)).all()
    scored = sorted(((shared(wanted.lower(), title.lower()), doc) for doc, title in rows), reverse=True)
    return [doc for share, doc in scored if share >= SHARED_AT_LEAST][:count]
