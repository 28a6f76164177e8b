"""Telling the maintainer that something went wrong, without telling what a person wrote."""

import traceback
from typing import Protocol


class Diagnostics(Protocol):
    """Where unexpected errors are reported that must not stop the work."""

    def trouble(self, where: str, error: BaseException) -> None:
        """Note the error's type and place; its message may hold a person's words and is left out."""


class KeptDiagnostics:
    """Keeps what it is told: a deterministic double."""

    def __init__(self) -> None:
        self.troubles: list[tuple[str, str]] = []

    def trouble(self, where: str, error: BaseException) -> None:
        self.troubles.append((where, type(error).__name__))


def frames(error: BaseException) -> list[str]:
    """Return the error's call stack as `file:line function`, innermost last, without any values."""
    stack = traceback.extract_tb(error.__traceback__)
    return [f"{frame.filename.rpartition('/')[2]}:{frame.lineno} {frame.name}" for frame in stack]
