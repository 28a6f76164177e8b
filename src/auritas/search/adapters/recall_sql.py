"""The index by which the past is recalled: stems in an FTS5 table, vectors beside it, and the pool for a question.

`fts_recall` holds the stems of each message as its text, so that words are counted without reading the message again.
A vector is stored in eight bits a number (cosines are off by less than .01) and, for
the search among all, as signs.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from auritas.kernel.clock import from_timestamp, timestamp
from auritas.kernel.memory import Passage
from auritas.kernel.model import Role
from auritas.kernel.ports import EmbeddingPort, Store
from auritas.search.adapters.pages import empty_without_triggers, recreate
from auritas.search.adapters.recall_signs import Signs, signs_of
from auritas.search.model import IndexedMessage
from auritas.search.recall.model import Asked, Corpus, Floats, Pool, Turn, Weighed, pool_of
from auritas.search.recall.service import EVERYWHERE, Where
from auritas.search.recall.terms import terms
from auritas.store import Unit

BY_WORDS: Final = 100
"""Messages that are weighed because they share rare words with the question."""
BY_MEANING: Final = 50
"""Messages that are weighed because their vectors are near."""
WIDER: Final = 10
"""How many times more are looked at where only some conversations count."""
AT_ONCE: Final = 16
"""Messages embedded in one go; each takes about 20 ms."""
TOO_COMMON: Final = 0.1
"""A term in a larger share of all messages finds too many to be looked up by, unless the question has no other."""
READ_AT_MOST: Final = 20_000
"""Messages that the terms looked up may occur in, all together; the rarest terms come first."""

_LARGEST: Final = 127
_TABLES: Final = ("recall_turns", "recall_signs", "message_vectors")
_AS_NEW: Final = (
    "INSERT INTO fts_recall (fts_recall, rank) VALUES ('secure-delete', 1)",
    "UPDATE recall_totals SET messages = 0, words = 0",
)
"""What the schema does beside creating the tables."""

_CHOSEN: Final = "WITH chosen (seq) AS (SELECT value FROM json_each(?))"
_AROUND: Final = f"""{_CHOSEN}
    SELECT seq FROM chosen JOIN recall_turns USING (seq)
    UNION SELECT (SELECT p.seq FROM recall_turns AS p WHERE p.conversation_id = t.conversation_id AND p.seq < t.seq
        ORDER BY p.seq DESC LIMIT 1) FROM chosen JOIN recall_turns AS t USING (seq)
    UNION SELECT (SELECT p.seq FROM recall_turns AS p WHERE p.conversation_id = t.conversation_id AND p.seq < t.seq
        ORDER BY p.seq DESC LIMIT 1 OFFSET 1) FROM chosen JOIN recall_turns AS t USING (seq)
    UNION SELECT (SELECT n.seq FROM recall_turns AS n WHERE n.conversation_id = t.conversation_id AND n.seq > t.seq
        ORDER BY n.seq LIMIT 1) FROM chosen JOIN recall_turns AS t USING (seq)
    UNION SELECT (SELECT n.seq FROM recall_turns AS n WHERE n.conversation_id = t.conversation_id AND n.seq > t.seq
        ORDER BY n.seq LIMIT 1 OFFSET 1) FROM chosen JOIN recall_turns AS t USING (seq)"""  # noqa: S608  joined from constants of this file
_ROWS: Final = f"""{_CHOSEN}
    SELECT t.seq, t.conversation_id, t.role, t.at, t.length, t.asks, f.terms, v.vector
    FROM chosen JOIN recall_turns AS t USING (seq) JOIN fts_recall AS f ON f.rowid = t.seq
    LEFT JOIN message_vectors AS v ON v.seq = t.seq AND v.embedder = ?
    ORDER BY t.conversation_id, t.seq"""  # noqa: S608  joined from constants of this file
_SAID: Final = f"""{_CHOSEN}
    SELECT seq, message_id, conversation_id, content, created_at FROM chosen JOIN messages USING (seq)"""  # noqa: S608  joined from constants of this file

_LACKING: Final = """SELECT m.seq, m.message_id, m.conversation_id, m.role, m.content, m.created_at
    FROM recall_turns AS t JOIN messages AS m USING (seq)
    WHERE NOT EXISTS (SELECT 1 FROM message_vectors AS v WHERE v.seq = t.seq AND v.embedder = ?)
    ORDER BY t.seq DESC LIMIT ?"""
_STILL: Final = "SELECT seq FROM chosen JOIN recall_turns USING (seq)"

Vector: TypeAlias = NDArray[np.float64]
_ROLES: Final = {str(role): role for role in Role}
_Row: TypeAlias = Any


class RecallIndex:
    """Implements IndexPart and Past over the store. Without an embedder, words alone are indexed and compared."""

    name = "recall"

    def __init__(self, embedding: Callable[[], EmbeddingPort | None]) -> None:
        """embedding: returns the embedder, or None while none is installed."""
        self._embedding = embedding
        self._prepared: Mapping[int, Vector] = {}
        self._signs: Signs | None = None

    def prepare(self, rows: Sequence[IndexedMessage]) -> None:
        """Embed a few new messages at once; of many, as an import brings them, `fill` takes the rest bit by bit."""
        self._prepared = self._vectors(rows) if len(rows) <= AT_ONCE else {}

    def add(self, unit: Unit, rows: Sequence[IndexedMessage]) -> None:
        self.remove(unit, [row.seq for row in rows])
        said = [(row, terms(row.content)) for row in rows if row.role is not Role.SYSTEM]
        turns = [
            (row.seq, row.conversation_id, row.role, timestamp(row.created_at), len(found), _asks(row.content))
            for row, found in said
        ]
        columns = "(seq, conversation_id, role, at, length, asks) VALUES (?, ?, ?, ?, ?, ?)"
        _many(unit, f"INSERT INTO recall_turns {columns}", turns)
        words = [(row.seq, " ".join(found)) for row, found in said]
        _many(unit, "INSERT INTO fts_recall (rowid, terms) VALUES (?, ?)", words)
        ready = self._prepared
        self._put_vectors(unit, {row.seq: ready[row.seq] for row, _ in said if row.seq in ready})

    def lacking(self, unit: Unit, count: int) -> Sequence[IndexedMessage]:
        """Return up to `count` messages that have no vector of the embedder, the newest first."""
        embedder = self._embedding()
        if embedder is None:
            return ()
        rows = unit.connection.exec_driver_sql(_LACKING, (embedder.id, count)).all()
        return tuple(
            IndexedMessage(row[0], row[1], row[2], _ROLES[row[3]], row[4], from_timestamp(row[5])) for row in rows
        )

    def fill(self, store: Store[Unit], count: int = AT_ONCE) -> int:
        """Embed up to `count` messages that lack a vector, outside of any transaction; return how many lacked one."""
        with store.read() as unit:
            rows = self.lacking(unit, count)
        vectors = self._vectors(rows)
        if vectors:
            with store.unit() as unit:
                there = json.dumps(list(vectors))
                still = unit.connection.exec_driver_sql(f"{_CHOSEN} {_STILL}", (there,)).scalars()
                self._put_vectors(unit, {seq: vectors[seq] for seq in still})
        return len(rows)

    def remove(self, unit: Unit, seqs: Sequence[int]) -> None:
        for table in _TABLES:
            _many(unit, f"DELETE FROM {table} WHERE seq = ?", [(seq,) for seq in seqs])  # noqa: S608  names from above

    def clear(self, unit: Unit) -> None:
        # Row by row each trigger would read the index of words, which may be the damaged one.
        recreate(unit.connection, "fts_recall")
        for statement in _AS_NEW:
            unit.connection.exec_driver_sql(statement)
        for table in _TABLES:
            empty_without_triggers(unit.connection, table)

    def pool(self, unit: Unit, asked: Asked, where: Where = EVERYWHERE) -> Pool:
        corpus = _corpus(unit, asked.terms)
        found = {*_by_words(unit, asked.terms, corpus, where), *self._by_meaning(unit, asked, where)}
        rows = self._rows(unit, sorted(found)) if found else []
        counts = [[words.count(term) for term in asked.terms] for words in (row[6].split(" ") for row in rows)]
        turns = [Turn(row[0], row[1], _ROLES[row[2]], from_timestamp(row[3]), row[4], bool(row[5])) for row in rows]
        shape = (len(rows), len(asked.terms))
        return pool_of(turns, np.array(counts, np.float64).reshape(shape), _cosines(rows, asked.vector), corpus)

    def passages(self, unit: Unit, weighed: Sequence[Weighed]) -> tuple[Passage, ...]:
        rows = unit.connection.exec_driver_sql(_SAID, (json.dumps([each.turn.seq for each in weighed]),))
        said = {row[0]: row for row in rows}
        return tuple(
            Passage(row[1], row[2], row[3], from_timestamp(row[4]), each.score)
            for each in weighed
            if (row := said.get(each.turn.seq)) is not None
        )

    def _vectors(self, rows: Sequence[IndexedMessage]) -> Mapping[int, Vector]:
        embedder = self._embedding()
        if embedder is None or not rows:
            return {}
        vectors = embedder.embed([row.content for row in rows])
        return {row.seq: np.asarray(vector, dtype=np.float64) for row, vector in zip(rows, vectors, strict=True)}

    def _put_vectors(self, unit: Unit, vectors: Mapping[int, Vector]) -> None:
        embedder = self._embedding()
        if embedder is None:
            return
        for table, column, pack in (("message_vectors", "vector", _small), ("recall_signs", "signs", signs_of)):
            _many(unit, f"DELETE FROM {table} WHERE seq = ?", [(seq,) for seq in vectors])  # noqa: S608  from above
            rows = [(seq, embedder.id, pack(vector)) for seq, vector in vectors.items()]
            _many(unit, f"INSERT INTO {table} (seq, embedder, {column}) VALUES (?, ?, ?)", rows)  # noqa: S608  ditto

    def _by_meaning(self, unit: Unit, asked: Asked, where: Where) -> list[int]:
        embedder = self._embedding()
        if asked.vector is None or embedder is None:
            return []
        if self._signs is None or self._signs.embedder != embedder.id:
            self._signs = Signs(embedder.id)
        if where == EVERYWHERE:
            return self._signs.nearest(unit, asked.vector, BY_MEANING)
        near = self._signs.nearest(unit, asked.vector, WIDER * BY_MEANING)
        return _within(unit, near, where)

    def _rows(self, unit: Unit, seqs: Sequence[int]) -> Sequence[_Row]:
        around = unit.connection.exec_driver_sql(_AROUND, (json.dumps(seqs),)).scalars()
        wanted = json.dumps([seq for seq in around if seq is not None])
        embedder = self._embedding()
        return unit.connection.exec_driver_sql(_ROWS, (wanted, embedder.id if embedder else "")).all()


def _by_words(unit: Unit, wanted: Sequence[str], corpus: Corpus, where: Where) -> list[int]:
    """Return the messages that rank best by the question's rarest terms, best first."""
    looked_up = _looked_up(wanted, corpus)
    if not looked_up:
        return []
    match = " OR ".join(f'"{term}"' for term in looked_up)
    if where == EVERYWHERE:
        asked = "SELECT rowid FROM fts_recall WHERE fts_recall MATCH ? ORDER BY rank LIMIT ?"
        return list(unit.connection.exec_driver_sql(asked, (match, BY_WORDS)).scalars())
    asked = f"""SELECT f.rowid FROM fts_recall AS f JOIN recall_turns AS t ON t.seq = f.rowid
        WHERE fts_recall MATCH ? AND {_INSIDE} ORDER BY f.rank LIMIT ?"""  # noqa: S608  a constant
    return list(unit.connection.exec_driver_sql(asked, (match, *_inside(where), BY_WORDS)).scalars())


def _looked_up(wanted: Sequence[str], corpus: Corpus) -> Sequence[str]:
    """Return the terms of the question by which messages are looked up; in the weighing all its terms count."""
    known = sorted((count, term) for count, term in zip(corpus.known, wanted, strict=True) if count)
    rare = [each for each in known if each[0] <= TOO_COMMON * corpus.messages] or known[:2]
    read = accumulate(count for count, _ in rare)
    return [term for (_, term), total in zip(rare, read, strict=True) if total <= READ_AT_MOST or term == rare[0][1]]


_INSIDE: Final = """t.conversation_id IS NOT ? AND (? IS NULL OR EXISTS (SELECT 1 FROM conversations AS c
    WHERE c.conversation_id = t.conversation_id AND c.project_id = ?))"""


def _inside(where: Where) -> tuple[str | None, ...]:
    return (where.without, where.project_id, where.project_id)


def _within(unit: Unit, seqs: Sequence[int], where: Where) -> list[int]:
    asked = f"{_CHOSEN} SELECT t.seq FROM chosen JOIN recall_turns AS t USING (seq) WHERE {_INSIDE}"  # noqa: S608
    return list(unit.connection.exec_driver_sql(asked, (json.dumps(seqs), *_inside(where))).scalars())


def _corpus(unit: Unit, wanted: Sequence[str]) -> Corpus:
    messages, words = unit.connection.exec_driver_sql("SELECT messages, words FROM recall_totals").one()
    asked = f"{_CHOSEN} SELECT term, doc FROM chosen JOIN fts_recall_terms ON term = seq"  # noqa: S608  joined from constants of this file
    known: dict[str, int] = dict(unit.connection.exec_driver_sql(asked, (json.dumps(wanted),)).all())
    return Corpus(messages, words / messages if messages else 0.0, tuple(known.get(term, 0) for term in wanted))


def _cosines(rows: Sequence[_Row], vector: Floats | None) -> Floats:
    """Return the cosine of each row with the question, 0 where it has no vector."""
    out = np.zeros(len(rows))
    with_vector = [place for place, row in enumerate(rows) if row[7] is not None]
    if vector is not None and with_vector:
        whole = np.frombuffer(b"".join(rows[place][7] for place in with_vector), np.int8).reshape(len(with_vector), -1)
        numbers = whole.astype(np.float64)
        out[with_vector] = (numbers @ vector) / np.linalg.norm(numbers, axis=1)
    return out


def _small(vector: NDArray[np.float64]) -> bytes:
    """Return a vector in eight bits a number; its length is lost, which for vectors of unit length says nothing."""
    small: bytes = np.rint(vector / np.abs(vector).max() * _LARGEST).astype(np.int8).tobytes()
    return small


def _asks(text: str) -> bool:
    return text.rstrip().endswith("?")


def _many(unit: Unit, statement: str, rows: Sequence[tuple[object, ...]]) -> None:
    if rows:
        unit.connection.exec_driver_sql(statement, list(rows))
