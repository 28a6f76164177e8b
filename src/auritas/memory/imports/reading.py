"""Reading values of foreign documents: each is what it should be, or the entry is damaged."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from auritas.kernel.clock import from_timestamp
from auritas.kernel.text import one_line, storable
from auritas.memory.conversations.model import Said
from auritas.memory.conversations.policy import PROJECT_CHARACTERS, TITLE_CHARACTERS, TITLE_WIDTH
from auritas.memory.imports.model import DamagedEntryError

ID_CHARACTERS = 200
UNDATED = datetime.min.replace(tzinfo=UTC)
"""Stands until messages are put in order, which dates every one."""
_EARLIEST, _LATEST = datetime(1970, 1, 1, tzinfo=UTC), datetime(9999, 1, 1, tzinfo=UTC)


def mapping(value: Any, what: str) -> Mapping[str, Any]:
    """Return an object. Raises DamagedEntryError."""
    if not isinstance(value, Mapping):
        raise DamagedEntryError(f"{what} is no object")
    return value


def sequence(value: Any, what: str) -> Sequence[Any]:
    """Return a list. Raises DamagedEntryError."""
    if not isinstance(value, list):
        raise DamagedEntryError(f"{what} is no list")
    return value


def identifier(value: Any, what: str) -> str:
    """Return an id. Raises DamagedEntryError."""
    if not isinstance(value, str) or not value.strip() or len(value) > ID_CHARACTERS:
        raise DamagedEntryError(f"{what} is missing")
    return storable(value)


def words(value: Any) -> str:
    """Return a text as it can be stored; what is no text is none."""
    return storable(value).strip() if isinstance(value, str) else ""


def moment(value: Any) -> datetime | None:
    """Return a time given as RFC 3339 or as seconds since 1970; None where it is neither."""
    try:
        if isinstance(value, str):
            found = from_timestamp(value)
        elif isinstance(value, int | float) and not isinstance(value, bool) and value > 0:
            found = datetime.fromtimestamp(value, UTC)
        else:
            return None
    except (ValueError, OverflowError, OSError):
        return None
    return found if _EARLIEST <= found < _LATEST else None


def title(given: Any, messages: Sequence[Said]) -> str:
    """Return the title of a conversation: as it was given, else the beginning of its first question."""
    first = next((said.text for said in messages if said.role == "user"), "")
    return one_line(words(given), TITLE_CHARACTERS) or one_line(first, TITLE_WIDTH)


def project_name(given: Any) -> str | None:
    """Return the name of a project as one can be kept here, or None."""
    return one_line(words(given), PROJECT_CHARACTERS) or None


def in_order(messages: Sequence[tuple[Said, datetime | None]], start: datetime) -> tuple[Said, ...]:
    """Return messages numbered and dated: one without a time, or with one before its forerunner's, gets the latter's.

    So the order in which they were said stays the order of their times.
    """
    dated, last = [], start
    for number, (said, at) in enumerate(messages, start=1):
        if number == 1 and at is not None:
            last = at
        last = max(last, at or last)
        dated.append(replace(said, number=number, at=last))
    return tuple(dated)
