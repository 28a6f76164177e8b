"""The few kinds of column that every table is made of."""

from typing import Any

from sqlalchemy import (
    REAL,
    CheckConstraint,
    Column,
    Dialect,
    Double,
    Integer,
    LargeBinary,
    MetaData,
    Text,
    TypeDecorator,
)
from sqlalchemy import Table as _Table
from sqlalchemy.types import TypeEngine

HASH_BYTES = 32

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    },
)

REAL_NUMBER: TypeEngine[float] = REAL().with_variant(Double(), "postgresql")
"""Eight bytes everywhere: PostgreSQL's REAL has only four."""


class Flag(TypeDecorator[bool]):
    """True or false, kept as 1 or 0: STRICT tables of SQLite know no boolean."""

    impl = Integer
    cache_ok = True

    def process_bind_param(self, value: bool | None, dialect: Dialect) -> int | None:  # noqa: FBT001  fixed by SQLAlchemy
        del dialect
        return None if value is None else int(value)

    def process_result_value(self, value: int | None, dialect: Dialect) -> bool | None:
        del dialect
        return None if value is None else bool(value)


def table(name: str, *parts: Any, **options: Any) -> _Table:
    """Return a table of the one schema. It is STRICT: a hash in hexadecimal does not pass for its bytes."""
    return _Table(name, metadata, *parts, sqlite_strict=True, **options)


def text(name: str, *rules: Any, null: bool = False, **options: Any) -> Column[str]:
    """Return a text column; ids are text too."""
    return Column(name, Text, *rules, nullable=null, **options)


def json(name: str, default: str = "{}", *, null: bool = False) -> Column[str]:
    """Return a text column that holds JSON."""
    return Column(name, Text, nullable=null, server_default=None if null else default)


def moment(name: str, *, null: bool = False) -> Column[str]:
    """Return a time column in the one form that `kernel.clock.timestamp` writes, so that text order is time order."""
    form = CheckConstraint(f"{name} LIKE '____-__-__T__:__:__.______Z'", name=f"{name}_form")
    return Column(name, Text, form, nullable=null)


def flag(name: str, *, null: bool = False, default: bool = False) -> Column[bool]:
    """Return a column that is true or false (or null for not known)."""
    rule = CheckConstraint(f"{name} IN (0, 1)", name=f"{name}_flag")
    return Column(name, Flag, rule, nullable=null, server_default=None if null else str(int(default)))


def count(name: str, default: int = 0) -> Column[int]:
    """Return a column of a number that is never negative."""
    rule = CheckConstraint(f"{name} >= 0", name=f"{name}_count")
    return Column(name, Integer, rule, nullable=False, server_default=str(default))


def whole(name: str, *rules: Any, null: bool = False, **options: Any) -> Column[int]:
    """Return an integer column; money is micro-units and its name ends in `_micros`."""
    return Column(name, Integer, *rules, nullable=null, **options)


def real(name: str, *rules: Any, null: bool = True) -> Column[float]:
    """Return a column of measured numbers."""
    return Column(name, REAL_NUMBER, *rules, nullable=null)


def fraction(name: str, *, null: bool = True) -> Column[float]:
    """Return a column of numbers in [0, 1]."""
    return real(name, CheckConstraint(f"{name} BETWEEN 0 AND 1", name=f"{name}_range"), null=null)


def choice(name: str, *values: str, null: bool = False, default: str | None = None) -> Column[str]:
    """Return a text column with a closed list of values."""
    listed = ", ".join(f"'{value}'" for value in values)
    rule = CheckConstraint(f"{name} IN ({listed})", name=f"{name}_choice")
    return Column(name, Text, rule, nullable=null, server_default=default)


def blob(name: str, *, length: int | None = None, null: bool = False) -> Column[bytes]:
    """Return a column of bytes, of exactly `length` where it is given."""
    rules = [] if length is None else [CheckConstraint(f"length({name}) = {length}", name=f"{name}_length")]
    return Column(name, LargeBinary, *rules, nullable=null)
