"""What can happen to a correction, and what keeps it: the port of the service."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol, TypeVar

from auritas.kernel.memory import Correction, Scope

U_contra = TypeVar("U_contra", contravariant=True)


class Change(StrEnum):
    """What can happen to a correction."""

    CREATED = "created"
    CONFIRMED = "confirmed"
    DISMISSED = "dismissed"
    APPLIED = "applied"
    EDITED = "edited"
    PINNED = "pinned"
    UNPINNED = "unpinned"
    SUPERSEDED = "superseded"
    RESTORED = "restored"
    ERASED = "erased"
    LEFT_OUT = "left_out"
    BROUGHT_BACK = "brought_back"
    KEPT_BOTH = "kept_both"


CHANGING = frozenset(
    {Change.CREATED, Change.CONFIRMED, Change.EDITED, Change.PINNED, Change.UNPINNED, Change.SUPERSEDED}
)
"""What changes a correction itself and can be taken back."""
STEERING = frozenset({Change.LEFT_OUT, Change.BROUGHT_BACK, Change.KEPT_BOTH})
"""What leaves a correction as it is, and can be taken back as well."""
UNDOABLE = CHANGING | STEERING


@dataclass(frozen=True, slots=True)
class Happened:
    """One line of a correction's history. before: the correction as it was, for what an edit changed.

    other: the conversation in which it is left out, or the correction beside which it holds.
    """

    correction_id: str
    change: Change
    act_id: str
    at: datetime
    before: Correction | None = None
    other: str = ""


class CorrectionStore(Protocol[U_contra]):
    """Where corrections are kept. Every method works inside the unit of work that it is given."""

    def get(self, unit: U_contra, correction_id: str) -> Correction | None:
        """Return a correction by its id."""

    def in_slot(self, unit: U_contra, like: Correction) -> Correction | None:
        """Return the active correction with the slot, scope, place and condition of `like`, other than itself."""

    def same_words(self, unit: U_contra, like: Correction) -> Correction | None:
        """Return who has the words, scope, place and condition of `like`; rather an active than a proposed one."""

    def retired_by(self, unit: U_contra, correction_id: str) -> Sequence[Correction]:
        """Return the superseded whose place a correction took."""

    def is_there(self, unit: U_contra, scope: Scope, place: str) -> bool:
        """Return whether the project or the conversation in which something is to hold exists."""

    def write(self, unit: U_contra, correction: Correction, place: str, message_id: str | None = None) -> None:
        """Insert a correction, or replace the one with its id."""

    def wipe(self, unit: U_contra, correction_id: str) -> None:
        """Leave of a correction nothing but its id, its time and that it is erased; its history loses its words."""

    def note(self, unit: U_contra, happened: Happened, correction: Correction) -> None:
        """Write a line of history with its audit entry."""

    def last_act(self, unit: U_contra) -> Sequence[Happened]:
        """Return the lines of the newest act that can be taken back: what it made, brought back, and retired.

        Lines of what was erased since are left out, and an act that has no others is over. Empty: there is none.
        """

    def act(self, unit: U_contra, act_id: str) -> Sequence[Happened]:
        """Return the lines of one act as `last_act` does. Empty: there is none, or it was taken back."""

    def changed_after(self, unit: U_contra, act_id: str) -> bool:
        """Return whether something that an act changed was changed again by a later one that still stands."""

    def leave_out(self, unit: U_contra, correction_id: str, conversation_id: str, *, out: bool) -> bool:
        """Leave a correction out of a conversation, or let it in; return whether that changed anything.

        Nothing changes where the conversation is gone.
        """

    def keep_both(self, unit: U_contra, correction_id: str, other_id: str, *, kept: bool) -> bool:
        """Keep that a correction and another both hold, or forget it; return whether that changed anything."""

    def offer_again(self, unit: U_contra, correction_id: str) -> None:
        """Forget beside what a correction holds: its words are others now."""

    def mark_undone(self, unit: U_contra, act_id: str) -> None:
        """Mark the lines of an act as taken back."""
