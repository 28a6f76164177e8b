"""The unit of work: what is written through one lands whole or not at all."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Engine

from auritas.store.engine import close_rows, driver
from auritas.store.errors import NestedUnitError, StoreClosedError


@dataclass(frozen=True, slots=True)
class Unit:
    """One transaction. Adapters execute SQLAlchemy statements on `connection` and never commit or roll back it."""

    connection: Connection


class WriteLock:
    """Lets one thread of this process write at a time; other processes wait at SQLite's own lock."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._owner: int | None = None

    @contextmanager
    def held(self) -> Iterator[None]:
        """Hold the lock. Raises NestedUnitError when this thread holds it already."""
        me = threading.get_ident()
        if self._owner == me:
            raise NestedUnitError(
                "A unit of work was opened inside another.",
                remedy="This is a bug in Auritas: pass the open unit along. Please report it.",
            )
        with self._lock:
            self._owner = me
            try:
                yield
            finally:
                self._owner = None


class Units:
    """Opens units over the two engines."""

    def __init__(self, writing: Engine, reading: Engine) -> None:
        self._writing = writing
        self._reading = reading
        self._lock = WriteLock()
        self._connection: Connection | None = None
        self._open = True

    @contextmanager
    def write(self) -> Iterator[Unit]:
        """Open the only writing transaction; commit on leaving, roll back on an error."""
        with self._lock.held():
            self._require_open()
            with self._writer().begin():
                yield from _lent(self._writer())

    @contextmanager
    def read(self) -> Iterator[Unit]:
        """Open one snapshot for reading; a write through it fails with StoreReadOnlyError."""
        self._require_open()
        with self._reading.connect() as connection, connection.begin():
            yield from _lent(connection)

    @contextmanager
    def raw_writer(self) -> Iterator[Any]:
        """Hold the driver's writing connection outside a transaction, for PRAGMAs."""
        with self._lock.held():
            self._require_open()
            yield driver(self._writer())

    def close(self) -> None:
        """Wait for the writer and close all connections."""
        with self._lock.held():
            self._open = False
            if self._connection is not None:
                self._connection.close()
            self._reading.dispose()
            self._writing.dispose()

    def _writer(self) -> Connection:
        if self._connection is None:
            self._connection = self._writing.connect()
        return self._connection

    def _require_open(self) -> None:
        if not self._open:
            raise StoreClosedError("The store is closed.", remedy="Open it again.")


def _lent(connection: Connection) -> Iterator[Unit]:
    try:
        yield Unit(connection)
    finally:
        close_rows(connection)
