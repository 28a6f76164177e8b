"""Connections to one SQLCipher file, and the two engines over them: one writes, the other only reads.

The order of the first statements matters: without a key before everything else SQLCipher writes a plaintext file and
says nothing, and without the log level it prints to the terminal.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, cast
from weakref import WeakSet

from sqlalchemy import Connection, Engine, ExceptionContext, create_engine, event
from sqlalchemy.pool import QueuePool
from sqlcipher3 import dbapi2

from auritas.kernel.errors import AuritasError, InvalidError
from auritas.store.errors import (
    PlaintextError,
    StoreDamagedError,
    TransactionLostError,
    WrongKeyError,
    damaged,
    translated,
)
from auritas.store.secret import Secret

KEY_BYTES = 32
BUSY_SECONDS = 60.0
"""SQLite's busy handler is unfair: with several processes a writer was seen to wait a second; a minute is a fault."""

CACHE_KIB = 32768
WAL_PAGES = 4000
"""The write-ahead log is moved into the file from here on (16 MiB): fewer syncs than SQLite's 1,000 pages cost."""

WAL_LIMIT_BYTES = 64 * 2**20
READERS, READERS_AT_MOST = 4, 32
_OPEN_ROWS = "auritas open rows"


class Access(StrEnum):
    """How a connection opens the file (the `mode` of an SQLite URI)."""

    CREATE = "rwc"
    WRITE = "rw"
    READ = "ro"


@dataclass(frozen=True, slots=True)
class Tuning:
    """What tests and small machines may change.

    busy_s: seconds to wait for another writer. max_pages: a cap on the size of the file in pages of 4 KiB, which fails
    as a full disk does.
    """

    busy_s: float = BUSY_SECONDS
    max_pages: int | None = None


DEFAULT_TUNING = Tuning()


@contextmanager
def typed_errors(path: Path) -> Iterator[None]:
    """Turn the driver's errors about the database at `path` into ours, where no engine does it."""
    try:
        yield
    except dbapi2.Error as error:
        raise translated(error, path) or error from error


def connect(path: Path, key: Secret | None, access: Access, tuning: Tuning = DEFAULT_TUNING) -> Any:
    """Return a raw connection in autocommit mode whose key has been tried.

    `key` is None only to prove that a file is plaintext. Raises WrongKeyError, PlaintextError, StoreDamagedError and
    the other errors of `auritas.store.errors`.
    """
    if key is not None and len(key.reveal()) != KEY_BYTES:
        raise InvalidError(f"The key of a database has {KEY_BYTES} bytes, not {len(key.reveal())}.")
    with typed_errors(path):
        connection = dbapi2.connect(
            f"{path.absolute().as_uri()}?mode={access}",
            uri=True,
            timeout=tuning.busy_s,
            isolation_level=None,
            check_same_thread=False,
        )
    try:
        connection.execute("PRAGMA cipher_log_level=NONE")
        if key is not None:
            connection.execute(f"PRAGMA key=\"x'{key.reveal().hex()}'\"")
            connection.execute("PRAGMA cipher_compatibility=4")
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        _configure(connection, access, tuning)
    except dbapi2.Error as error:
        connection.close()
        raise _unopened(error, path, key) from error
    except BaseException:
        connection.close()
        raise
    return connection


def _configure(connection: Any, access: Access, tuning: Tuning) -> None:
    connection.execute("PRAGMA synchronous=NORMAL")
    connection.execute(f"PRAGMA cache_size=-{CACHE_KIB}")
    connection.execute("PRAGMA temp_store=MEMORY")
    connection.execute("PRAGMA foreign_keys=ON")
    connection.execute("PRAGMA secure_delete=ON")
    connection.execute(f"PRAGMA wal_autocheckpoint={WAL_PAGES}")
    connection.execute(f"PRAGMA journal_size_limit={WAL_LIMIT_BYTES}")
    if access is Access.READ:
        connection.execute("PRAGMA query_only=ON")
    if tuning.max_pages is not None:
        connection.execute(f"PRAGMA max_page_count={tuning.max_pages}")


def _unopened(error: BaseException, path: Path, key: Secret | None) -> BaseException:
    typed = translated(error, path) or error
    if key is None or not isinstance(typed, StoreDamagedError):
        return typed
    if is_plaintext(path):
        return PlaintextError(
            f"{path} is a plain SQLite file, and this program never keeps one.",
            remedy="If its content matters, import it; then move the file away and start again.",
        )
    return WrongKeyError(
        f"The key does not open {path}, or its first page is damaged.",
        remedy="Check that key.json belongs to this database; otherwise restore a backup with `auritas restore FILE`.",
    )


def is_plaintext(path: Path) -> bool:
    """Tell whether anybody can read the database at `path` without a key.

    SQLite is asked, the file is not opened here: closing it would drop the locks that this process holds on it.
    """
    try:
        with closing(connect(path, None, Access.READ)):
            return path.stat().st_size > 0
    except (AuritasError, dbapi2.Error):
        return False


def writing_engine(path: Path, key: Secret, tuning: Tuning) -> Engine:
    """Return the engine of the one writer of this process; its transactions hold the write lock from their start."""
    engine = _engine(lambda: connect(path, key, Access.WRITE, tuning), path, ("BEGIN IMMEDIATE",), 1, 0)
    event.listen(engine, "before_cursor_execute", _inside_transaction)
    event.listen(engine, "commit", _before_commit)
    return engine


def reading_engine(path: Path, key: Secret, tuning: Tuning) -> Engine:
    """Return the engine of the readers; each of its transactions sees one snapshot and can change nothing."""
    # BEGIN alone takes no snapshot: the first read does.
    begin = ("BEGIN", "SELECT 1 FROM sqlite_master LIMIT 1")
    return _engine(lambda: connect(path, key, Access.READ, tuning), path, begin, READERS, READERS_AT_MOST - READERS)


def _engine(creator: Callable[[], Any], path: Path, begin: Sequence[str], size: int, overflow: int) -> Engine:
    engine = create_engine(
        "sqlite://",
        module=dbapi2,
        creator=creator,
        poolclass=QueuePool,
        pool_size=size,
        max_overflow=overflow,
        pool_use_lifo=True,  # the connection used last has its pages at hand
        hide_parameters=True,  # an error that is logged must not carry what a person wrote
    )

    def raise_typed(context: ExceptionContext) -> None:
        typed = translated(context.original_exception, path)
        if typed is not None:
            raise typed from context.original_exception

    def begun(connection: Connection) -> None:
        # Straight to the driver: every question begins a dozen transactions.
        with typed_errors(path):
            for statement in begin:
                driver(connection).execute(statement).fetchone()

    event.listen(engine, "begin", begun)
    event.listen(engine, "after_cursor_execute", _remember_rows)
    event.listen(engine, "handle_error", raise_typed)
    return engine


def _remember_rows(connection: Connection, cursor: Any, *_rest: Any) -> None:
    if cursor.description is not None:
        connection.info.setdefault(_OPEN_ROWS, WeakSet()).add(cursor)


def close_rows(connection: Connection) -> None:
    """Close every result that was not read to its end.

    SQLite keeps the old snapshot for a statement that is still open, also after the commit; the next transaction on
    this connection would then fail as if somebody had locked the file.
    """
    for cursor in connection.info.pop(_OPEN_ROWS, ()):
        cursor.close()


def _inside_transaction(connection: Connection, _cursor: Any, statement: str, *_rest: Any) -> None:
    # Without this check the next statement after such a loss would land alone.
    if transaction_lost(connection) and not statement.startswith("BEGIN"):
        raise _lost()


def _before_commit(connection: Connection) -> None:
    if transaction_lost(connection):
        raise _lost()


def transaction_lost(connection: Connection) -> bool:
    """Tell whether SQLite has rolled back by itself, as it may on a full disk, although nobody asked it to."""
    return not driver(connection).in_transaction


def driver(connection: Connection) -> Any:
    """Return the driver's connection behind SQLAlchemy's."""
    return cast("Any", connection.connection.driver_connection)


@contextmanager
def lenient_text(connection: Connection) -> Iterator[None]:
    """Read text that is no UTF-8 with lone surrogates for its bad bytes, for those who want to say which row it is."""
    raw = driver(connection)
    raw.text_factory = lambda text: text.decode(errors="surrogateescape")
    try:
        yield
    finally:
        raw.text_factory = str


def plain_rows(connection: Connection, statement: str, parameters: tuple[Any, ...]) -> list[Any]:
    """Return all rows of a statement in the driver's own words as plain tuples, for those who read very many.

    Text that is no UTF-8 comes as `lenient_text` gives it. Raises the typed errors of `auritas.store.errors`.
    """
    try:
        return _fetched(connection, statement, parameters)
    except StoreDamagedError:
        with lenient_text(connection):
            return _fetched(connection, statement, parameters)


def _fetched(connection: Connection, statement: str, parameters: tuple[Any, ...]) -> list[Any]:
    try:
        return cast("list[Any]", connection.exec_driver_sql(statement, parameters).cursor.fetchall())
    except dbapi2.Error as error:  # SQLAlchemy does not see what happens to its cursor
        path = Path(driver(connection).execute("PRAGMA database_list").fetchone()[2])
        raise translated(error, path) or error from error


def _lost() -> TransactionLostError:
    return TransactionLostError(
        "The transaction was rolled back after an earlier failure; nothing of it was kept.",
        remedy="Look at the failure before this one.",
    )


def require_encrypted(path: Path) -> None:
    """Prove that what was written is not plaintext. Raises StoreDamagedError; meant for a file just created."""
    if is_plaintext(path):
        raise damaged(path, "It was written without encryption")
