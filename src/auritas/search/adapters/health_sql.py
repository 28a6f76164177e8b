"""How the index stands, by counting."""

from datetime import datetime, timedelta

from sqlalchemy.exc import DBAPIError

from auritas.kernel.clock import Clock, from_timestamp, timestamp
from auritas.kernel.errors import AuritasError
from auritas.search.adapters.index_sql import ATTEMPTS
from auritas.search.model import Health, Liveness
from auritas.store import Unit

WORKER_JOB = "search index"
BEAT_FOR = timedelta(seconds=8)
"""How long a beat of the worker counts; a worker that dies is noticed when it has run out."""


def health(unit: Unit, clock: Clock) -> Health:
    """Return how the index stands; only reads."""

    def number(statement: str, *values: object) -> int:
        return int(unit.connection.exec_driver_sql(statement, values).scalar() or 0)

    listed = "SELECT 1 FROM search_queue AS q WHERE q.conversation_id = m.conversation_id"
    worker, beat = _worker(unit, clock)
    pending = unit.connection.exec_driver_sql("SELECT part, count(*) FROM search_pending GROUP BY part").all()
    return Health(
        messages=number("SELECT count(*) FROM messages"),
        indexed=number("SELECT count(*) FROM search_messages"),
        conversations=number("SELECT count(*) FROM search_conversations"),
        waiting=number("SELECT count(*) FROM search_queue"),
        stuck=number("SELECT count(*) FROM search_queue WHERE attempts >= ?", ATTEMPTS),
        missing=number(
            "SELECT count(*) FROM messages AS m LEFT JOIN search_messages AS s ON s.seq = m.seq "  # noqa: S608  our own words
            f"WHERE s.seq IS NULL AND NOT EXISTS ({listed})"
        ),
        extra=number(
            "SELECT (SELECT count(*) FROM search_messages AS s LEFT JOIN messages AS m ON m.seq = s.seq "
            "WHERE m.seq IS NULL) + (SELECT count(*) FROM fts_msg_docsize AS d LEFT JOIN search_messages AS s "
            "ON s.seq = d.id WHERE s.seq IS NULL) + (SELECT count(*) FROM fts_conv_docsize AS d "
            "LEFT JOIN search_conversations AS c ON c.doc = d.id WHERE c.doc IS NULL)"
        )
        + number(
            "SELECT abs((SELECT count(*) FROM search_messages) - (SELECT count(*) FROM fts_msg_docsize)) "
            "+ abs((SELECT count(*) FROM search_conversations) - (SELECT count(*) FROM fts_conv_docsize))"
        ),
        rebuilding=bool(number("SELECT count(*) FROM search_state WHERE name = 'rebuilding'")),
        worker=worker,
        beat=beat,
        pending={row[0]: row[1] for row in pending},
    )


def is_sound(unit: Unit) -> bool:
    """Compare the pages of the indexes with one another, and those of messages with their text; a writing unit."""
    try:
        for name in ("fts_conv", "fts_msg", "fts_title", "fts_recall"):
            unit.connection.exec_driver_sql(f"INSERT INTO {name} ({name}, rank) VALUES ('integrity-check', 1)")  # noqa: S608  our own names
    except (DBAPIError, AuritasError):
        return False
    return True


def _worker(unit: Unit, clock: Clock) -> tuple[Liveness, datetime | None]:
    asked = "SELECT holder, held_until, last_run_at FROM schedule WHERE job = ?"
    row = unit.connection.exec_driver_sql(asked, (WORKER_JOB,)).first()
    if row is None or row.holder is None or row.held_until is None:
        return Liveness.IDLE, None
    alive = row.held_until > timestamp(clock.now())
    return Liveness.RUNNING if alive else Liveness.DEAD, from_timestamp(row.last_run_at)
