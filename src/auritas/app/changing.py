"""Changing a setting while the program runs: what acts by it is built anew, and what runs ends as it began."""

import unicodedata
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING, Any

from auritas.app.settings import CONFIG_FILE, origin, write_file, write_key
from auritas.kernel.errors import InvalidError, RefusedError
from auritas.kernel.log import Kind, LogEvent

if TYPE_CHECKING:
    from auritas.app.compose import Auritas

AT_NEXT_START = frozenset(
    {"home", "model_dir", "models", "threads_per_model", "model_memory_mb", "passphrase_file", "debug"}
)
"""Settings that are read when the program starts: loaded models and folders do not move while questions run."""
_LASTING = frozenset(
    {"access", "egress_ledger", "embedded", "hooks", "host", "http", "keys", "log", "remote", "roster", "uploads"}
)
"""Parts that hold connections, loaded models or what is known of them. Those below are the ones that settings touch."""
_ALSO = {"proxy": frozenset({"http", "remote", "roster"}), "zone": frozenset({"roster"})}
_LARGEST = 2**53
"""Beyond it a number is not the same in every program that reads it."""
_CHANGING = Lock()
"""One change at a time: each reads the file, and the settings in force, and replaces them."""
Scalar = str | int | float | bool | None


class SetElsewhereError(RefusedError):
    """The environment sets it, which no file overrules."""

    code = "set_by_environment"

    def __init__(self, key: str) -> None:
        super().__init__(
            f"The environment sets {key!r}, so a change here would not count.",
            remedy=f"Unset AURITAS_{key.upper()} where the program is started.",
        )


def change(auritas: "Auritas", key: str, value: Scalar) -> None:
    """Set one key, log that, and act by it at once; keys of AT_NEXT_START act later. None removes the key.

    A change that cannot be logged is taken back. Raises as `settings.write_key` does, SetElsewhereError, InvalidError
    for what is no plain text or number, and NotReviewerError for a reviewer who does not sit in the council.
    """
    with _CHANGING:
        _change(auritas, key, _text(key, value))


def _change(auritas: "Auritas", key: str, text: str) -> None:
    home = auritas.settings.home
    if origin(key, home) == "environment":
        raise SetElsewhereError(key)
    path = home / CONFIG_FILE
    before = path.read_text(encoding="utf-8") if path.exists() else None
    if key == "reviewer" and text:
        auritas.reviewers.require(text)
    try:
        changed = write_key(home, key, text)
        with auritas.store.unit() as unit:
            auritas.log.append(unit, [LogEvent(Kind.SETTINGS_CHANGE, "user", {"field": key}, text)])
    except (OSError, ValueError) as error:  # a name that no file can have, as of a time zone
        write_file(home, before)
        raise InvalidError(f"The setting {key!r} cannot be {text[:80]!r}.", remedy="Choose another value.") from error
    except BaseException:
        write_file(home, before)
        raise
    if key not in AT_NEXT_START:
        adopt(auritas, key, getattr(changed, key))


def adopt(auritas: "Auritas", key: str, value: Any) -> None:
    """Let a value be in force. Parts are built at their next use; runs keep the parts that they began with."""
    auritas.settings = auritas.settings.model_copy(update={key: value})
    lasting = _LASTING - _ALSO.get(key, frozenset())
    if key == "proxy" and "http" in vars(auritas):
        auritas.retire(auritas.http)
    for name in [*vars(auritas)]:
        part = getattr(type(auritas), name, None)
        if isinstance(part, cached_property) and name not in lasting:
            vars(auritas).pop(name, None)


def _text(key: str, value: Scalar) -> str:
    """Return a value as config.toml is told it. Raises InvalidError."""
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case int() | float():
            text = str(value)
        case _:
            text = value
    if any(unicodedata.category(character) in {"Cc", "Cs"} for character in text):
        raise InvalidError(f"The setting {key!r} holds signs that are no text.", remedy="Type it again.")
    digits = text.strip().lstrip("+-").replace("_", "")
    if digits.isdecimal() and (len(digits) > len(str(_LARGEST)) or int(digits) > _LARGEST):
        raise InvalidError(f"The setting {key!r} is too large a number.", remedy=f"At most {_LARGEST} can be set.")
    return text
