"""Bytes that must not be seen: they stay out of reprs, logs, pickles and comparisons that leak time."""

import hmac
from typing import NoReturn


class Secret:
    """Key material. `reveal` is the only way to the bytes, so that every use can be found by its name."""

    __slots__ = ("_value",)

    def __init__(self, value: bytes) -> None:
        self._value = value

    def reveal(self) -> bytes:
        """Return the bytes."""
        return self._value

    def __repr__(self) -> str:
        return f"Secret({len(self._value)} bytes)"

    __str__ = __repr__

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and hmac.compare_digest(self._value, other._value)

    def __hash__(self) -> int:
        return hash(self._value)

    def __reduce__(self) -> NoReturn:
        msg = "A secret is not pickled."
        raise TypeError(msg)
