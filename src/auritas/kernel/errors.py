"""Errors that tell a person what happened and what to do, and a program what it is."""

from collections.abc import Sequence
from difflib import get_close_matches
from typing import ClassVar

EXIT_BUG = 1
EXIT_INTERRUPTED = 130


class AuritasError(Exception):
    """Base of every error that Auritas raises on purpose.

    `code` is stable and meant for programs, the message is a sentence for a person, and `remedy` says what to do next.
    """

    code: ClassVar[str] = "error"
    exit_code: ClassVar[int] = EXIT_BUG

    def __init__(self, message: str, *, remedy: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy

    def __str__(self) -> str:
        return f"{self.message} {self.remedy}".rstrip()


class UsageError(AuritasError):
    """The request itself was wrong."""

    code = "usage"
    exit_code = 2


class NotFoundError(AuritasError):
    """A named thing does not exist."""

    code = "not_found"
    exit_code = 3


class RefusedError(AuritasError):
    """A policy, a permission or a limit forbids it."""

    code = "refused"
    exit_code = 4


class UnavailableError(AuritasError):
    """Something needed is missing, full, locked or out of reach just now."""

    code = "unavailable"
    exit_code = 5


class VerificationError(AuritasError):
    """A hash, a signature, a proof or a file did not check out."""

    code = "verification_failed"
    exit_code = 6


class InvalidError(UsageError):
    """A value was outside its domain when a frozen type was built."""

    code = "invalid"


def unreadable(error: OSError | EOFError | UnicodeDecodeError) -> str:
    """Return why a file cannot be read, as the end of a sentence that begins with its name."""
    match error:
        case IsADirectoryError():
            return "is a directory"
        case PermissionError():
            return "may not be read by you"
        case EOFError():
            return "is truncated"
        case UnicodeDecodeError():
            return "is not UTF-8 text"
        case OSError(strerror=str(reason)):
            return f"cannot be read: {reason}"
        case _:
            return "is damaged"


def nearest(name: str, known: Sequence[str]) -> str:
    """Return "Did you mean …?" for the known names closest to `name`, or an empty string."""
    close = get_close_matches(name, known, n=3, cutoff=0.6)
    return f"Did you mean {' or '.join(repr(word) for word in close)}?" if close else ""
