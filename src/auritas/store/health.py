"""Is the file what was written, and is there room for more?"""

import shutil
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlcipher3 import dbapi2

from auritas.store.engine import Access, connect, typed_errors
from auritas.store.errors import StoreDamagedError, damaged
from auritas.store.home import Home
from auritas.store.migration import version_of
from auritas.store.secret import Secret

_FINDINGS_AT_MOST = 20
_LOOKS = 3
_STEPS = 100_000
"""Of SQLite's machine between two looks whether a check is still wanted: a few milliseconds."""


@dataclass(frozen=True, slots=True)
class Health:
    """What a check found. findings: sentences about damage, none when all is well. Sizes are in bytes."""

    findings: tuple[str, ...]
    schema: str | None
    size: int
    wal_size: int
    free: int

    @property
    def ok(self) -> bool:
        """Whether nothing is damaged."""
        return not self.findings


def examine(home: Home, key: Secret) -> Health:
    """Check every page of the database against its own code, the structure, and that no reference leads nowhere.

    It moves the write-ahead log into the file on the way, and works while others read and write.

    Raises WrongKeyError or another typed error when the file cannot be opened at all.
    """
    with closing(connect(home.database, key, Access.WRITE)) as raw:
        findings, schema = _guarded(raw, home.database)
    return Health(
        findings,
        schema,
        size=home.database.stat().st_size,
        wal_size=_size(home.database.with_name(home.database.name + "-wal")),
        free=shutil.disk_usage(home.folder).free,
    )


def require_sound(path: Path, key: Secret, still: Callable[[], None] = lambda: None) -> str | None:
    """Return the schema's version of a database that is sound. Raises StoreDamagedError otherwise.

    still: called now and then; what it raises ends the check.
    """
    with closing(connect(path, key, Access.WRITE)) as raw, _interruptible(raw, still):
        findings, schema = _guarded(raw, path)
    if findings:
        raise damaged(path, findings[0])
    return schema


@contextmanager
def _interruptible(raw: Any, still: Callable[[], None]) -> Iterator[None]:
    """Let what `still` raises end a statement: the driver swallows it and says only that something was interrupted."""
    raised: list[BaseException] = []

    def look() -> int:
        try:
            still()
        except BaseException as error:  # noqa: BLE001  raised below, in the thread that waits for the statement
            raised.append(error)
        return len(raised)

    raw.set_progress_handler(look, _STEPS)
    try:
        yield
    except Exception:
        if raised:
            raise raised[0] from None
        raise
    finally:
        raw.set_progress_handler(None, 0)
    if raised:
        raise raised[0]


def _guarded(raw: Any, path: Path) -> tuple[tuple[str, ...], str | None]:
    try:
        with typed_errors(path):
            return _findings(raw), version_of(raw)
    except StoreDamagedError as error:
        return (error.message,), None


def _findings(raw: Any) -> tuple[str, ...]:
    pages = _page_errors(raw)
    if pages:
        return pages  # the other checks would stumble over the same pages
    structure = [row[0] for row in raw.execute(f"PRAGMA quick_check({_FINDINGS_AT_MOST})") if row[0] != "ok"]
    missing = [
        f"A row of {child} refers to a row of {parent} that is not there"
        for child, _, parent, _ in raw.execute("PRAGMA foreign_key_check").fetchmany(_FINDINGS_AT_MOST)
    ]
    return (*structure, *missing)


def _page_errors(raw: Any) -> tuple[str, ...]:
    """Check the code of every page in the file, and return what stays wrong.

    The check looks past the write-ahead log and past SQLite's locks. A page whose newest content is in the log may be
    old or missing in the file, and one that is just being written looks wrong once; neither is damage. So the log is
    emptied first, what is wrong only sometimes does not count, and where a reader keeps the log from being emptied,
    the check of the structure decides, which reads through the log.
    """
    lasting: set[str] | None = None
    for _ in range(_LOOKS):
        settled = _log_is_in_the_file(raw)
        found = {str(row[0]) for row in raw.execute("PRAGMA cipher_integrity_check")}
        if not found:
            return ()
        if settled:
            lasting = found if lasting is None else lasting & found
    return tuple(sorted(lasting or ()))[:_FINDINGS_AT_MOST]


def _log_is_in_the_file(raw: Any) -> bool:
    try:
        (_busy, frames, moved) = raw.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
    except dbapi2.Error:  # a full disk is no damage, and a check must work on one
        return False
    return bool(frames == moved)


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0
