"""Values that the OpenAPI document shows as examples, built from the types themselves so that they cannot go stale."""

from datetime import UTC, datetime
from typing import Any

from pydantic_core import to_jsonable_python

from auritas.server.examples import shows

AT = datetime(2026, 11, 20, 19, 30, tzinfo=UTC)


def numbered(number: int) -> str:
    """Return an id for an example."""
    return f"019b77c3-5a10-7c3e-9d52-3f6f0a9e{number:04x}"


def showing(value: object, status: int = 200) -> dict[int | str, dict[str, Any]]:
    """Return the `responses` of an operation that answers with something like `value`."""
    return shows(to_jsonable_python(value), status)
