"""One valid row for each table of the schema, with a given word wherever a word fits."""

import re
from typing import Any

from sqlalchemy import CheckConstraint, Column, Connection, Integer, LargeBinary, Table, Text

from auritas.store.schema import metadata

MOMENT = "2026-01-01T00:00:00.000000Z"


def row_of(table: Table, word: str) -> dict[str, Any]:
    """Return a row in which every column that may hold text or bytes holds `word`."""
    return {column.name: _value(column, word) for column in table.columns if not _is_counter(table, column)}


def fill_every_table(connection: Connection, word: str) -> None:
    """Insert one such row into each table; rows refer to one another."""
    connection.exec_driver_sql("PRAGMA defer_foreign_keys=ON")
    for table in metadata.sorted_tables:
        connection.execute(table.insert().values(row_of(table, word)))


def settings_row(name: str, value: str) -> dict[str, str]:
    """Return a row of local_settings, the simplest table there is."""
    return {"key": name, "value": value}


def _is_counter(table: Table, column: Column[Any]) -> bool:
    return bool(table.dialect_options["sqlite"]["autoincrement"]) and column.primary_key


def _value(column: Column[Any], word: str) -> Any:
    rules = " ".join(str(c.sqltext) for c in column.constraints if isinstance(c, CheckConstraint))
    if listed := re.search(r"IN \('([^']*)'", rules):
        return listed[1]
    if isinstance(column.type, LargeBinary):
        length = re.search(r"length\(\w+\) = (\d+)", rules)
        return word.encode() if length is None else (word.encode() * int(length[1]))[: int(length[1])]
    if isinstance(column.type, Text):
        return _text(column, rules, word)
    return 1 if isinstance(column.type, Integer) else 1.0 if "BETWEEN" in rules else 0.5


def _text(column: Column[Any], rules: str, word: str) -> str:
    if "____-__-__T" in rules:
        return MOMENT
    if "____-__-__" in rules:
        return "2026-01-01"
    if column.name == "trace_id":
        return f"tr_{word}"
    return word
