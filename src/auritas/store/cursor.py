"""Pages by cursor: each row exactly once, also when many share a timestamp and rows arrive between two pages."""

import binascii
import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from sqlalchemy import Column, Connection, Select, tuple_

from auritas.kernel.canonical import canonical
from auritas.kernel.errors import InvalidError

R = TypeVar("R")

PAGE_AT_MOST = 1000


@dataclass(frozen=True, slots=True)
class Cursor:
    """The place after one row. at: its time. tie: what tells rows of one time apart (a sequence number or an id)."""

    at: str
    tie: int | str

    def encode(self) -> str:
        """Return an opaque text for an address or a command line."""
        return urlsafe_b64encode(canonical([self.at, self.tie])).decode().rstrip("=")

    @classmethod
    def decode(cls, text: str) -> "Cursor":
        """Return the cursor that `encode` wrote. Raises InvalidError on anything else."""
        try:
            match json.loads(urlsafe_b64decode(text + "=" * (-len(text) % 4))):
                case [str(at), int() | str() as tie] if not isinstance(tie, bool):
                    return cls(at, tie)
        except (ValueError, binascii.Error, RecursionError):
            pass
        raise InvalidError("This is not a cursor of ours.", remedy="Start again from the first page.")


@dataclass(frozen=True, slots=True)
class Page(Generic[R]):
    """Some rows, and the cursor of the next page or None at the end."""

    rows: tuple[R, ...]
    next: Cursor | None


def page(
    connection: Connection,
    statement: Select[Any],
    at: Column[str],
    tie: Column[Any],
    *,
    size: int,
    after: Cursor | None = None,
    newest_first: bool = False,
) -> Page[Any]:
    """Return up to `size` rows of `statement` in the order of (at, tie), beginning after the cursor.

    The statement selects both columns and has no order of its own. Raises InvalidError on a size outside
    1 … PAGE_AT_MOST.
    """
    if not 1 <= size <= PAGE_AT_MOST:
        raise InvalidError(f"A page has 1 to {PAGE_AT_MOST} rows, not {size}.")
    place = tuple_(at, tie)
    if after is not None:
        there = tuple_(after.at, after.tie)
        statement = statement.where(place < there if newest_first else place > there)
    order = (at.desc(), tie.desc()) if newest_first else (at, tie)
    rows = connection.execute(statement.order_by(*order).limit(size + 1)).all()
    kept = tuple(rows[:size])
    more = len(rows) > size
    return Page(kept, Cursor(kept[-1]._mapping[at], kept[-1]._mapping[tie]) if more else None)  # noqa: SLF001  public in SQLAlchemy
