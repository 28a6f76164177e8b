"""Rewriting the pages of an FTS5 index, so that none keeps a word that was deleted, and making a damaged one anew."""

from collections.abc import Iterator

from sqlalchemy import Connection

from auritas.store import Unit

_SIGNPOST_ROW = -1
"""The row that gives `optimize` something to merge; no document has this number."""
_STRUCTURE = 10
"""The row of `…_data` that lists the segments (SQLite's fts5_index.c, FTS5_STRUCTURE_ROWID)."""
_COOKIE = 4
_NUMBERS_OF_A_SEGMENT = 3
_ROUNDS = 8


def rewrite(unit: Unit, index: str, *columns: str, keeps_text: bool = False) -> bool:
    """Merge all of an index into one segment; return False when FTS5 would not, and it has to be tried again.

    keeps_text: the index has a text of its own beside it, so that a row is deleted like that of any table.

    A deleted word stays on the pages, and beside it a mark that it is deleted, until both meet in a merge whose result
    is the oldest segment. `optimize` alone does nothing to a single segment, and may stop early when a merge is under
    way or a deeper level is empty: so a row is added before it and taken away after it, until the list of segments
    shows that it was done.
    """
    run = unit.connection.exec_driver_sql
    names, values = ", ".join(columns), ", ".join(["''"] * (len(columns) - 1) + ["'signpost'"])
    for _ in range(_ROUNDS):
        run(f"INSERT INTO {index} (rowid, {names}) VALUES ({_SIGNPOST_ROW}, {values})")  # noqa: S608  our own names
        run(f"INSERT INTO {index} ({index}) VALUES ('optimize')")  # noqa: S608  our own names
        asked = f"SELECT block FROM {index}_data WHERE id = {_STRUCTURE}"  # noqa: S608  our own names
        merged = _is_one_segment(run(asked).scalar_one())
        if keeps_text:
            run(f"DELETE FROM {index} WHERE rowid = {_SIGNPOST_ROW}")  # noqa: S608  our own names
        else:
            run(f"INSERT INTO {index} ({index}, rowid, {names}) VALUES ('delete', {_SIGNPOST_ROW}, {values})")  # noqa: S608  our own names
        if merged:
            return True
    return False


def recreate(connection: Connection, name: str) -> None:
    """Drop one FTS5 table and create it empty, exactly as the schema has it."""
    (made,) = connection.exec_driver_sql("SELECT sql FROM sqlite_master WHERE name = ?", (name,)).one()
    connection.exec_driver_sql(f"DROP TABLE {name}")
    connection.exec_driver_sql(made)


def empty_without_triggers(connection: Connection, table: str) -> None:
    """Delete all rows of a table whose triggers would read an index that may be damaged."""
    asked = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = ?"
    triggers = connection.exec_driver_sql(asked, (table,)).all()
    for name, _ in triggers:
        connection.exec_driver_sql(f"DROP TRIGGER {name}")
    connection.exec_driver_sql(f"DELETE FROM {table}")  # noqa: S608  our own names
    for _, made in triggers:
        connection.exec_driver_sql(made)


def _is_one_segment(structure: bytes) -> bool:
    """Tell whether there is one segment, on the deepest level, below which no mark of a deletion is needed."""
    numbers = _varints(structure[_COOKIE:])
    levels, segments, _writes = next(numbers), next(numbers), next(numbers)
    count = 0
    for _ in range(levels):
        _merging, count = next(numbers), next(numbers)
        for _ in range(_NUMBERS_OF_A_SEGMENT * count):
            next(numbers)
    return segments == count == 1


def _varints(data: bytes) -> Iterator[int]:
    """Yield numbers of seven bits a byte, the high bit set on all but the last byte of each."""
    number = 0
    for byte in data:
        number = number << 7 | byte & 0x7F
        if byte < 0x80:  # noqa: PLR2004  the high bit
            yield number
            number = 0
