"""The words of hand-off notes: what triggers one, what it is made of, and what has been counted since the last."""

from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from auritas.kernel.model import Role, Usage


class Trigger(StrEnum):
    """Why a note is written; the values are those of the column context_backups.trigger."""

    TOKENS = "token_threshold"
    MESSAGES = "message_count"
    GAP = "time_gap"
    MANUAL = "manual"
    COVERAGE = "coverage_job_no_backup"


class Mode(StrEnum):
    """When notes are written by themselves."""

    AUTO = "auto"
    QUARTER_HOURLY = "15min"
    HOURLY = "hourly"
    MANUAL = "manual"
    OFF = "off"

    @property
    def by_itself(self) -> bool:
        """Whether anything but a person's wish triggers a note."""
        return self not in {Mode.MANUAL, Mode.OFF}


@dataclass(frozen=True, slots=True)
class Counter:
    """What one seat has seen of one conversation since its last note.

    thread_number: how many notes there are. pending: a trigger that fired and whose note is not stored yet.
    counted_at: when something was last counted, None before that.
    """

    tokens: int = 0
    messages: int = 0
    thread_number: int = 0
    counted_at: datetime | None = None
    pending: Trigger | None = None

    def plus(self, tokens: int, messages: int, now: datetime) -> "Counter":
        """Return the counter with more in it."""
        return replace(self, tokens=self.tokens + tokens, messages=self.messages + messages, counted_at=now)


@dataclass(frozen=True, slots=True)
class Portion:
    """What a seat has just seen. tokens: estimated. window: of the seat's model, in tokens."""

    tokens: int
    messages: int
    window: int


@dataclass(frozen=True, slots=True)
class Pending:
    """A note that waits to be written. since: when its trigger fired, or until when it waits after a failure."""

    conversation_id: str
    seat: str
    trigger: Trigger
    since: datetime


@dataclass(frozen=True, slots=True)
class Turn:
    """One message of a conversation. seq: its place in the store."""

    seq: int
    role: Role
    text: str
    said_at: datetime


@dataclass(frozen=True, slots=True)
class Sections:
    """The six sections of a note. Every text is one line."""

    goal: str = ""
    decisions: tuple[str, ...] = ()
    status: str = ""
    active_file: str = ""
    preferences: tuple[str, ...] = ()
    resume: str = ""

    @property
    def says_something(self) -> bool:
        """Whether it is worth keeping: an active file alone resumes nothing."""
        return bool(self.goal or self.decisions or self.status or self.preferences or self.resume)


@dataclass(frozen=True, slots=True)
class Draft:
    """A note that a model has written and nobody has stored. covers_seq: the last message it covers."""

    conversation_id: str
    seat: str
    trigger: Trigger
    text: str
    tokens: int
    covers_seq: int
    usage: Usage
