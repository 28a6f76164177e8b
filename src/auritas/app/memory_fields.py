"""The fields of one entry of a file, each checked when it is read: a file comes from anywhere."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, TypeVar

from auritas.kernel.clock import from_timestamp
from auritas.kernel.errors import InvalidError
from auritas.memory.model import CLAIM_CHARACTERS

E = TypeVar("E", bound=StrEnum)


@dataclass(frozen=True, slots=True)
class Fields:
    """Reads an entry. Every method raises InvalidError with a clause that says what is wrong."""

    entry: Mapping[str, Any]

    def __post_init__(self) -> None:
        if not isinstance(self.entry, dict):
            raise InvalidError("it is no object")

    def text(self, name: str, *, needed: bool = False) -> str:
        """Return a text, empty where there is none."""
        value = self.entry.get(name)
        if value is None or value == "":
            if needed:
                raise InvalidError(f"it has no {name}")
            return ""
        if not isinstance(value, str):
            raise InvalidError(f"its {name} is no text")
        if len(value) > CLAIM_CHARACTERS:
            raise InvalidError(f"its {name} has more than {CLAIM_CHARACTERS:,} characters")
        return value

    def texts(self, name: str) -> tuple[str, ...]:
        """Return a list of texts, empty where there is none."""
        value = self.entry.get(name)
        if value is None:
            return ()
        if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
            raise InvalidError(f"its {name} is no list of texts")
        return tuple(value)

    def one_of(self, choices: type[E], name: str, default: E | None = None) -> E:
        """Return one of several words."""
        value = self.entry.get(name)
        if value is None and default is not None:
            return default
        try:
            return choices(str(value))
        except ValueError:
            raise InvalidError(f"its {name} is none of {', '.join(choices)}") from None

    def share(self, name: str, default: float) -> float:
        """Return a number between 0 and 1."""
        value = self.entry.get(name, default)
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= 1:
            raise InvalidError(f"its {name} is no number between 0 and 1")
        return float(value)

    def flag(self, name: str) -> bool:
        """Return a yes or no; no where there is none."""
        value = self.entry.get(name, False)
        if not isinstance(value, bool):
            raise InvalidError(f"its {name} is neither true nor false")
        return value

    def moment(self, name: str) -> datetime | None:
        """Return a moment, None where there is none."""
        value = self.text(name)
        try:
            return from_timestamp(value) if value else None
        except (ValueError, OverflowError):
            raise InvalidError(f"its {name} is no moment") from None
