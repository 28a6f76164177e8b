"""One byte form for everything that is hashed: JSON canonicalised as in RFC 8785."""

import json
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from auritas.kernel.errors import InvalidError

Json: TypeAlias = "Mapping[str, Json] | Sequence[Json] | str | int | float | bool | None"
Scalar: TypeAlias = str | int | bool | None

_MAX_INTEGER = 2**53 - 1


def canonical(value: Json) -> bytes:
    """Return the RFC 8785 form of `value`, limited to what the standard library writes identically.

    Allowed: objects with ASCII keys, arrays, strings, booleans, null and integers within ±(2^53 - 1). Raises
    InvalidError on anything else, floats included (give those as text or in integer micro-units).
    """
    _check(value)
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    try:
        return text.encode()
    except UnicodeEncodeError:
        raise InvalidError("Canonical JSON cannot hold lone surrogates.") from None


def _check(value: Json) -> None:
    match value:
        case str() | bool() | None:
            return
        case int():
            if not -_MAX_INTEGER <= value <= _MAX_INTEGER:
                raise InvalidError(f"Canonical JSON holds integers up to 2^53 - 1, not {value}.")
        case Mapping():
            for key, inner in value.items():
                if not str(key).isascii():
                    raise InvalidError(f"Canonical JSON wants ASCII keys, not {key!r}.")
                _check(inner)
        case list() | tuple():
            for inner in value:
                _check(inner)
        case _:
            raise InvalidError(f"Canonical JSON cannot hold a {type(value).__name__}.")
