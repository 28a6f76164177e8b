"""Reading in the driver's own words: at ten statements a key, SQLAlchemy's share of the time would be half."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection
from sqlcipher3 import dbapi2

from auritas.store.engine import driver
from auritas.store.errors import translated


def rows(connection: Connection, statement: str, values: Sequence[Any] = ()) -> list[Any]:
    """Return all rows as plain tuples. Raises the typed errors of `auritas.store.errors`."""
    with _typed(connection):
        return list(driver(connection).execute(statement, values).fetchall())


@contextmanager
def one_by_one(connection: Connection, statement: str, values: Sequence[Any] = ()) -> Iterator[Iterator[Any]]:
    """Yield rows as they are read; what is not read is never fetched. Raises as `rows` does."""
    with _typed(connection):
        cursor = driver(connection).execute(statement, values)
        try:
            yield cursor
        finally:
            cursor.close()


@contextmanager
def _typed(connection: Connection) -> Iterator[None]:
    try:
        yield
    except dbapi2.Error as error:
        path = Path(driver(connection).execute("PRAGMA database_list").fetchone()[2])
        raise translated(error, path) or error from error
