"""What can be written to the audit log, and the port that writes it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol, TypeVar

from auritas.kernel.canonical import Scalar

U_contra = TypeVar("U_contra", contravariant=True)


class Kind(StrEnum):
    """Every kind of entry. The list only grows: a kind that was written once must stay readable."""

    QUERY = "query"
    RUN = "run"
    GRADE = "grade"
    CORRECTION_CREATED = "correction_created"
    CORRECTION_EDITED = "correction_edited"
    CORRECTION_APPLIED = "correction_applied"
    CORRECTION_SUPERSEDED = "correction_superseded"
    CORRECTION_ERASED = "correction_erased"
    PROMOTION = "promotion"
    ROLLBACK = "rollback"
    AUTH_FAILURE = "auth_failure"
    SETTINGS_CHANGE = "settings_change"
    EGRESS = "egress"
    EXPORT = "export"
    READ_PRIVATE = "read_private"
    ERASED = "erased"
    TRACE = "trace"
    VERDICT = "verdict"
    CHECKPOINT = "checkpoint"
    BACKUP = "backup"
    RESTORE = "restore"
    SELF_TEST = "self_test"
    MODEL = "model"
    REVIEW = "review"
    DOMAIN = "domain"
    WEIGHTS = "weights"
    HANDOFF_NOTE = "handoff_note"
    RECOVERY = "recovery_prompt"
    CONVERSATION = "conversation"
    PROJECT = "project"
    IMPORT = "import"
    TOKEN = "token"  # noqa: S105  the name of a kind, no secret


@dataclass(frozen=True, slots=True)
class LogEvent:
    """Something that happened.

    actor: who did it (`user`, `system`, a seat, a token id). refs: ids and numbers only, kept for ever in the clear of
    the encrypted file; never words of a person. body: erasable text, to which the entry only commits.
    """

    kind: Kind
    actor: str
    refs: Mapping[str, Scalar] = field(default_factory=dict)
    body: str = ""


class Level(StrEnum):
    """How much stands behind an entry, from least to most."""

    UNSIGNED = "unsigned"
    SIGNED = "signed"
    WITNESSED = "witnessed"
    POSTED = "posted"


@dataclass(frozen=True, slots=True)
class Receipt:
    """Where an event landed in the log."""

    seq: int
    level: Level = Level.UNSIGNED


class Log(Protocol[U_contra]):
    """Appends events in the unit of work that also writes what they describe."""

    def append(self, unit: U_contra, events: Sequence[LogEvent]) -> tuple[Receipt, ...]:
        """Append in order, inside the unit's transaction; nothing is visible before the unit commits."""
