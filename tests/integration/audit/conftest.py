"""A real encrypted store with a log in it."""

from collections.abc import Callable, Iterator
from datetime import UTC
from pathlib import Path

import pytest

from auritas.app.audit import AuditUseCases
from auritas.audit.adapters.sql import SqlAuditLog
from auritas.kernel.clock import ManualClock
from auritas.kernel.ids import TimeOrderedIds
from auritas.kernel.log import Kind, LogEvent
from auritas.kernel.randomness import SeededRng, SystemEntropy
from auritas.store import SqlStore, Unit
from auritas.store.secret import Secret

KEY = Secret(bytes(range(32)))


class Book:
    """A store, its log and the use cases over them, opened on a folder; for the convenience of tests."""

    def __init__(self, folder: Path, clock: ManualClock) -> None:
        self.folder = folder
        self.clock = clock
        self.store = SqlStore.open(folder, KEY)
        self.log = self.fresh_log()
        self.audit = AuditUseCases(self.store, self.log, UTC)

    def fresh_log(self) -> SqlAuditLog:
        """Return a log that remembers nothing, as another process would have it."""
        return SqlAuditLog(self.clock, SystemEntropy(), TimeOrderedIds(self.clock, SeededRng(3)))

    def append(self, count: int, start: int = 0, body: str = "word") -> None:
        """Append `count` events that differ, with refs for every column."""
        with self.store.unit() as unit:
            self.log.append(unit, [event(start + number, body) for number in range(count)])

    def change(self, sql: str, *values: object) -> int:
        """Run one statement as an attacker with the key would, and return how many rows it changed."""
        with self.store.unit() as unit:
            return unit.connection.exec_driver_sql(sql, tuple(values)).rowcount

    def value(self, sql: str) -> object:
        """Return the first value that a query gives."""
        with self.store.read() as unit:
            return unit.connection.exec_driver_sql(sql).scalar()

    def in_unit(self, work: Callable[[Unit], object]) -> None:
        """Run `work` in one unit."""
        with self.store.unit() as unit:
            work(unit)


def event(number: int, body: str = "word") -> LogEvent:
    numbers = {"u_score_micros": number, "confidence_micros": 900_000, "latency_ms": 12}
    refs = {
        "run_id": f"run-{number}",
        "session_id": f"session-{number % 3}",
        "trace_id": f"tr_{number:012}",
        "token_id": "token-1",
        "field": "medical",
        "specialist": "seat-1",
    }
    return LogEvent(Kind.RUN, "user", {**refs, **numbers}, f"{body} {number}")


@pytest.fixture
def make_event() -> Callable[..., LogEvent]:
    return event


@pytest.fixture
def open_book(clock: ManualClock) -> Iterator[Callable[[Path], Book]]:
    """Open a book on a folder; it is closed in the end."""
    books: list[Book] = []

    def opened(folder: Path) -> Book:
        books.append(Book(folder, clock))
        return books[-1]

    yield opened
    for book in books:
        book.store.close()


@pytest.fixture
def book(open_book: Callable[[Path], Book], tmp_path: Path) -> Book:
    """An empty log in a new store."""
    return open_book(tmp_path / "home")
