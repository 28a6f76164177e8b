"""Hand-off notes: counted with each message, written when nobody waits, used when a conversation is resumed."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import TYPE_CHECKING, Final

from auritas.app.note_desk import AT_MOST, NoteDesk
from auritas.kernel.clock import Clock
from auritas.kernel.errors import AuritasError, NotFoundError, RefusedError, nearest
from auritas.kernel.memory import HandoffNote
from auritas.kernel.model import ModelCard
from auritas.kernel.ports import Store
from auritas.memory.adapters.counters_sql import SqlCounters
from auritas.memory.adapters.note_jobs_sql import SqlJobs
from auritas.memory.adapters.notes_sql import SqlNotes
from auritas.memory.notes.model import Mode, Pending, Portion, Trigger
from auritas.memory.notes.service import NoteWriter
from auritas.memory.notes.triggers import Rules
from auritas.store import Unit

if TYPE_CHECKING:
    from auritas.app.model_parts import ModelParts

HISTORY_CHARACTERS: Final = 4_000
"""What of a conversation goes to each member: small models have small windows, and prefill is their slow part."""


class NoSeatError(NotFoundError):
    """Nobody of this name can write a note."""

    code = "no_such_seat"


class NothingNewError(RefusedError):
    """The newest note covers the newest message already."""

    code = "nothing_new"


def notes_over(parts: "ModelParts") -> "Notes":
    """Return the use cases of notes over the parts of a composition."""
    settings = parts.settings
    rules = Rules(Mode(settings.notes), settings.note_messages, settings.note_window_share)
    counters = SqlCounters(parts.clock, parts.ids, rules)
    records = SqlNotes(parts.log, parts.clock, parts.ids, counters)
    desk = NoteDesk(
        store=parts.store,
        records=records,
        counters=counters,
        jobs=SqlJobs(parts.clock, parts.ids.new()),
        writer=NoteWriter(parts.gateway, parts.hooks.prepare_prompt),
        members=parts.roster.members,
        diagnostics=parts.diagnostics,
        clock=parts.clock,
        elsewhere=settings.notes_elsewhere,
    )
    return Notes(parts.store, records, counters, desk, parts.clock)


@dataclass(frozen=True, slots=True)
class NoteView:
    """A note as a person sees it. valid: it covers the newest message of its conversation."""

    note: HandoffNote
    title: str
    valid: bool


@dataclass(frozen=True, slots=True)
class PendingView:
    """A note that waits to be written, and whether it may be written by itself."""

    order: Pending
    title: str
    may_write: bool


@dataclass(frozen=True, slots=True)
class Notes:
    """The use cases behind `auritas notes`, and what asking needs of notes."""

    store: Store[Unit]
    records: SqlNotes
    counters: SqlCounters
    desk: NoteDesk
    clock: Clock

    # --- for asking ------------------------------------------------------------------------------------------------

    def count(self, unit: Unit, conversation_id: str, seen: Mapping[str, Portion]) -> Mapping[str, Trigger]:
        """Count what seats have just seen, in the unit that writes it; return what fired. See `SqlCounters.count`."""
        return self.counters.count(unit, conversation_id, seen)

    def note_for(
        self,
        unit: Unit,
        conversation_id: str,
        seat: str,
        now: datetime,
        *,
        characters: int = HISTORY_CHARACTERS,
    ) -> HandoffNote | None:
        """Return the note by which a seat goes on, where it needs one. It stands for the messages up to `covers_seq`.

        characters: of history that go into the prompt beside it. A seat never gets another one's note.
        """
        if self.counters.rules.mode is Mode.OFF:
            return None
        return self.records.useful(unit, conversation_id, seat, now, characters=characters)

    def resume(self, conversation_id: str) -> bool:
        """Order the notes that a gap of a day calls for; return whether it was one. They are written by `after`."""
        with self.store.read() as unit:
            if not self.counters.resting(unit, conversation_id):
                return False
        with self.store.unit() as unit:
            self.counters.resumed(unit, conversation_id)
        return True

    async def after(self, conversation_id: str) -> tuple[HandoffNote, ...]:
        """Write what is pending of one conversation, when the answer is on the screen; never raises for a note."""
        return await self.desk.write_all(self.desk.due(conversation_id))

    # --- by themselves ---------------------------------------------------------------------------------------------

    def due(self) -> bool:
        """Return whether `run_due` has anything to do; only reads."""
        return bool(self.desk.due()) or self.desk.sweep_due() is not False

    def ordered(self) -> bool:
        """Return whether a note that was ordered waits to be written; only reads."""
        return bool(self.desk.due())

    async def write_ordered(self) -> tuple[HandoffNote, ...]:
        """Write the notes that were ordered, at most AT_MOST; look for no others. Never raises for a note."""
        return await self.desk.write_all(self.desk.due()[:AT_MOST])

    async def run_due(self) -> tuple[HandoffNote, ...]:
        """Look for conversations without a valid note where that is due, then write what is pending.

        At most AT_MOST notes a run. Never raises for a note: a model that fails leaves its note pending.
        """
        self.desk.sweep()
        return await self.desk.write_all(self.desk.due()[:AT_MOST])

    # --- by hand ---------------------------------------------------------------------------------------------------

    async def make(self, conversation_id: str | None = None, seat: str | None = None) -> HandoffNote:
        """Have a note written now: by `seat`, or by the local model that answered most; of the newest conversation.

        Raises NotFoundError for an unknown conversation, NoSeatError, NothingNewError, UnusableNoteError and what the
        gateway raises.
        """
        conversation_id = conversation_id or self._newest_conversation()
        card = self._writer_of(conversation_id, seat)
        order = Pending(conversation_id, card.name, Trigger.MANUAL, self.clock.now())
        with self.store.read() as unit:
            newest = self.records.newest(unit, conversation_id, card.name)
            if newest is not None and self.records.valid(unit, newest):
                raise NothingNewError(
                    f"The newest note of {card.name} covers everything already.",
                    remedy=f"See it: auritas notes show {newest.id}",
                )
        with self.store.unit() as unit:
            self.counters.order(unit, conversation_id, card.name, Trigger.MANUAL)
        try:
            note = await self.desk.write(order, card, by="user")
        except AuritasError:
            with self.store.unit() as unit:
                self.counters.withdraw(unit, conversation_id, card.name, Trigger.MANUAL)
            raise
        if note is None:
            raise NothingNewError(
                "Another process has just written it, or what it is about was deleted meanwhile.",
                remedy="See all: auritas notes list",
            )
        return note

    def list(self, conversation_id: str | None = None) -> tuple[NoteView, ...]:
        """Return notes, newest first; of one conversation or of all."""
        with self.store.read() as unit:
            return tuple(self._view(unit, note) for note in self.records.list(unit, conversation_id))

    def page(self, conversation_id: str | None, count: int, before: str | None = None) -> tuple[NoteView, ...]:
        """Return up to `count` notes, newest first, of those after note `before`. Raises NoteMissingError for it."""
        with self.store.read() as unit:
            last = self.records.note(unit, before) if before is not None else None
            found = self.records.list(unit, conversation_id, count, last)
            return tuple(self._view(unit, note) for note in found)

    def show(self, note_id: str | None = None) -> NoteView:
        """Return one note, or the newest of all. Raises NoteMissingError."""
        with self.store.read() as unit:
            note = self.records.note(unit, note_id) if note_id else self.records.newest_of_all(unit)
            return self._view(unit, note)

    def pending(self) -> tuple[PendingView, ...]:
        """Return the notes that wait to be written."""
        cards = self.desk.cards()
        with self.store.read() as unit:
            return tuple(
                PendingView(each, self.records.title(unit, each.conversation_id), self.desk.may(each, cards))
                for each in self.counters.pending(unit)
            )

    def _newest_conversation(self) -> str:
        with self.store.read() as unit:
            return self.records.newest_conversation(unit)

    def _writer_of(self, conversation_id: str, seat: str | None) -> ModelCard:
        cards = self.desk.cards()
        with self.store.read() as unit:
            self.records.title(unit, conversation_id)
            answered = self.records.seats(unit, conversation_id)
        if seat is None:
            seat = next((name for name in answered if name in cards and cards[name].local), None)
        if seat is None:
            raise NoSeatError(
                "No local model has answered in this conversation.", remedy="Name one that shall write it (--seat)."
            )
        if seat not in cards:
            hint = f"{nearest(seat, list(cards))} In the council: {', '.join(sorted(cards)) or 'nobody'}."
            raise NoSeatError(f"No model named {seat!r} can write notes.", remedy=hint.strip())
        return cards[seat]

    def _view(self, unit: Unit, note: HandoffNote) -> NoteView:
        return NoteView(note, self.records.title(unit, note.conversation_id), self.records.valid(unit, note))


def resumed_line(note: HandoffNote, now: datetime, zone: tzinfo) -> str:
    """Return what a person is told when a note is used."""
    written, today = note.created_at.astimezone(zone), now.astimezone(zone)
    year = "" if written.year == today.year else f" {written.year}"
    return f"resumed from a note of {written.day} {written:%B}{year}"
