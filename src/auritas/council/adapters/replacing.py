"""Rows that take the place of older ones.

A statement is built once, at import: building one costs more than running it.
"""

from sqlalchemy import Table
from sqlalchemy.dialects.sqlite import Insert, insert


def replacing(table: Table, *key: str) -> Insert:
    """Return what writes a whole row of `table`, in place of the one that has the same `key`."""
    statement = insert(table)
    fresh = {column.name: statement.excluded[column.name] for column in table.columns if column.name not in key}
    return statement.on_conflict_do_update(index_elements=key, set_=fresh)
