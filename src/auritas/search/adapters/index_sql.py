"""The index of words in the store: FTS5 tables that follow the messages, and the lists of what is still to be done.

Triggers put every changed conversation on the list and take deleted text out of the index, all in the transaction of
the change itself. FTS5 needs the exact text that was indexed: the view `search_documents` gives it, because a message
counts as indexed exactly when it has a row in `search_messages`. The pages are rewritten afterwards, by `tidy`: FTS5's
own secure-delete would rewrite a place in thousands of lists each time a conversation grows.
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from auritas.kernel.clock import from_timestamp
from auritas.kernel.model import Role
from auritas.search.adapters.pages import empty_without_triggers, recreate, rewrite
from auritas.search.model import IndexedMessage
from auritas.search.words import extra_words
from auritas.store import Unit

ATTEMPTS = 5
"""How often something may fail before it is left for a rebuild."""
HOUR_S = 3600
END_OF_TIME_S = 2**34
"""Seconds from 1970 to the year 2514, from which documents count backwards: FTS5 walks them by number, upwards with the
fewest pages, and the newest are to come first."""
_INDEXES = {"fts_conv": ("title", "body", "extra"), "fts_msg": ("content", "extra"), "fts_title": ("title",)}
"""The tables of FTS5, with their columns."""
_RECALL = ("fts_recall", "terms")
"""The index of recall: its rows go with their messages, but its pages are to be rewritten as the others."""


class SqlWordIndex:
    """Implements `search.service.WordIndex`."""

    def waiting(self, unit: Unit) -> int:
        return _number(unit, "SELECT count(*) FROM search_queue WHERE attempts < ?", ATTEMPTS)

    def take(self, unit: Unit, count: int) -> Sequence[str]:
        # Of those, the newest first: FTS5 gathers rows in memory as long as their numbers grow.
        asked = """SELECT w.conversation_id FROM (SELECT * FROM search_queue WHERE attempts < ?
                ORDER BY attempts, place LIMIT ?) AS w
            LEFT JOIN conversations AS c ON c.conversation_id = w.conversation_id
            ORDER BY w.attempts, c.updated_at DESC, w.place"""
        rows = _run(unit, asked, ATTEMPTS, count)
        return tuple(row[0] for row in rows)

    def put(self, unit: Unit, conversation_id: str, parts: Sequence[str]) -> None:
        # What is to leave nothing behind is never indexed, and so never found or recalled.
        asked = "SELECT title, updated_at FROM conversations WHERE conversation_id = ? AND temporary = 0"
        row = _run(unit, asked, conversation_id).first()
        _run(unit, "DELETE FROM search_conversations WHERE conversation_id = ?", conversation_id)
        if row is not None:
            doc = _free_place(unit, from_timestamp(row.updated_at))
            self._put_messages(unit, conversation_id, doc, parts)
            self._put_document(unit, conversation_id, doc, row.title, row.updated_at)
        _run(unit, "DELETE FROM search_queue WHERE conversation_id = ?", conversation_id)

    def _put_messages(self, unit: Unit, conversation_id: str, doc: int, parts: Sequence[str]) -> None:
        moved = "UPDATE search_messages SET doc = ? WHERE seq IN (SELECT seq FROM messages WHERE conversation_id = ?)"
        _run(unit, moved, doc, conversation_id)
        asked = """SELECT m.seq, m.content FROM messages AS m LEFT JOIN search_messages AS s ON s.seq = m.seq
            WHERE m.conversation_id = ? AND s.seq IS NULL ORDER BY m.seq"""
        new = _run(unit, asked, conversation_id).all()
        rows = [(seq, doc, extra_words(content)) for seq, content in new]
        _many(unit, "INSERT INTO search_messages (seq, doc, extra) VALUES (?, ?, ?)", rows)
        pending = [(part, seq) for part in parts for seq, _ in new]
        _many(unit, "INSERT OR REPLACE INTO search_pending (part, seq) VALUES (?, ?)", pending)

    def _put_document(self, unit: Unit, conversation_id: str, doc: int, title: str, at: str) -> None:
        _run(
            unit,
            "INSERT INTO search_conversations (doc, conversation_id, title, extra, at) VALUES (?, ?, ?, ?, ?)",
            *(doc, conversation_id, title, extra_words(title), at),
        )
        _run(
            unit,
            "INSERT INTO fts_conv (rowid, title, body, extra) "
            "SELECT doc, title, body, extra FROM search_documents WHERE doc = ?",
            doc,
        )

    def failed(self, unit: Unit, conversation_id: str) -> None:
        _run(unit, "UPDATE search_queue SET attempts = attempts + 1 WHERE conversation_id = ?", conversation_id)

    # --- further parts -------------------------------------------------------------------------------------------

    def known(self, unit: Unit, part: str) -> bool:
        return bool(_number(unit, "SELECT count(*) FROM search_state WHERE name = ?", f"part:{part}"))

    def enlist(self, unit: Unit, part: str) -> None:
        _run(
            unit,
            "INSERT OR REPLACE INTO search_pending (part, seq) SELECT ?, seq FROM search_messages WHERE true",
            part,
        )
        _set(unit, f"part:{part}", "1")

    def pending(self, unit: Unit, part: str, count: int) -> Sequence[IndexedMessage]:
        fresh = self._pending(unit, part, "p.attempts = 0", count)
        return fresh or self._pending(unit, part, f"p.attempts BETWEEN 1 AND {ATTEMPTS - 1}", 1)

    def _pending(self, unit: Unit, part: str, which: str, count: int) -> Sequence[IndexedMessage]:
        asked = f"""SELECT m.seq, m.message_id, m.conversation_id, m.role, m.content, m.created_at,
                (SELECT b.content FROM messages AS b WHERE b.conversation_id = m.conversation_id
                 AND (b.created_at, b.seq) < (m.created_at, m.seq) ORDER BY b.created_at DESC, b.seq DESC LIMIT 1)
            FROM search_pending AS p JOIN messages AS m ON m.seq = p.seq
            WHERE p.part = ? AND {which} ORDER BY p.attempts, p.seq LIMIT ?"""  # noqa: S608  our own two conditions
        return tuple(
            IndexedMessage(seq, message_id, conversation_id, Role(role), content, from_timestamp(at), previous)
            for seq, message_id, conversation_id, role, content, at, previous in _run(unit, asked, part, count)
        )

    def settle(self, unit: Unit, part: str, rows: Sequence[IndexedMessage], *, failed: bool) -> None:
        statement = (
            "UPDATE search_pending SET attempts = attempts + 1 WHERE part = ? AND seq = ?"
            if failed
            else "DELETE FROM search_pending WHERE part = ? AND seq = ?"
        )
        _many(unit, statement, [(part, row.seq) for row in rows])

    # --- erasing and rebuilding ----------------------------------------------------------------------------------

    def tidy_due(self, unit: Unit) -> bool:
        if _state(unit, "rebuilding") and not self.waiting(unit):
            return True
        return _state(unit, "residue") is not None

    def tidy(self, unit: Unit) -> None:
        rebuilt = _state(unit, "rebuilding") and not self.waiting(unit)
        done = [rewrite(unit, name, *columns) for name, columns in _INDEXES.items()]
        done.append(rewrite(unit, *_RECALL, keeps_text=True))
        if not all(done):
            return  # the mark stays, so the next catching up tries again
        _run(unit, "DELETE FROM search_state WHERE name = 'residue'")
        if rebuilt:
            _run(unit, "DELETE FROM search_state WHERE name = 'rebuilding'")

    def begin_rebuild(self, unit: Unit) -> None:
        _set(unit, "rebuilding", "1")
        _run(unit, "UPDATE search_queue SET attempts = 0")
        _run(
            unit,
            """INSERT INTO search_queue (conversation_id)
            SELECT conversation_id FROM conversations WHERE true ORDER BY updated_at DESC, conversation_id
            ON CONFLICT (conversation_id) DO NOTHING""",
        )
        _run(unit, "DELETE FROM search_pending")
        _run(unit, "DELETE FROM search_state WHERE name LIKE 'part:%'")

    def clear(self, unit: Unit) -> None:
        # The triggers would read the damaged index: the tables are emptied as a whole, FTS5 first.
        for name in _INDEXES:
            recreate(unit.connection, name)
        for table in ("search_conversations", "search_messages"):
            empty_without_triggers(unit.connection, table)


def _free_place(unit: Unit, changed: datetime) -> int:
    """Return a document number that is free and in the order of time, newest first.

    It is the seconds from the last change to `END_OF_TIME_S`, or soon after.
    """
    place = max(END_OF_TIME_S - int(changed.astimezone(UTC).timestamp()), 0)
    while True:
        asked = "SELECT 1 FROM search_conversations WHERE doc = ?"
        if _run(unit, asked, place).first() is None:
            return place
        last = "SELECT max(doc) FROM search_conversations WHERE doc BETWEEN ? AND ?"
        place = _number(unit, last, place, place + HOUR_S) + 1


def _run(unit: Unit, statement: str, *values: Any) -> Any:
    return unit.connection.exec_driver_sql(statement, values)


def _many(unit: Unit, statement: str, rows: Sequence[tuple[Any, ...]]) -> None:
    if rows:
        unit.connection.exec_driver_sql(statement, list(rows))


def _number(unit: Unit, statement: str, *values: Any) -> int:
    return int(_run(unit, statement, *values).scalar() or 0)


def _state(unit: Unit, name: str) -> str | None:
    value = _run(unit, "SELECT value FROM search_state WHERE name = ?", name).scalar()
    return None if value is None else str(value)


def _set(unit: Unit, name: str, value: str) -> None:
    _run(unit, "INSERT OR REPLACE INTO search_state (name, value) VALUES (?, ?)", name, value)
