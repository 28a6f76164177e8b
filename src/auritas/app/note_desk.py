"""Writing the hand-off notes that are pending: one process at a time, and never in anybody's way."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final

from auritas.council.model import Member
from auritas.kernel.clock import Clock
from auritas.kernel.diagnostics import Diagnostics
from auritas.kernel.memory import HandoffNote
from auritas.kernel.model import BUILTIN, ModelCard
from auritas.kernel.ports import Store
from auritas.memory.adapters.counters_sql import SqlCounters
from auritas.memory.adapters.note_jobs_sql import SqlJobs
from auritas.memory.adapters.notes_sql import SqlNotes
from auritas.memory.notes.model import Mode, Pending, Trigger
from auritas.memory.notes.sections import sections_of
from auritas.memory.notes.service import NoteWriter, UnusableNoteError
from auritas.memory.notes.triggers import COVERAGE_FIRST, sweep_every
from auritas.store import Unit

WRITING, COVERAGE = "notes.write", "notes.coverage"
HOLD: Final = timedelta(minutes=5)
"""A little longer than the deadline of one window, at whose beginning the claim is renewed."""
AT_MOST: Final = 4
"""Notes that one run writes."""
AFTER_UNUSABLE: Final = timedelta(hours=6)
AFTER_FAILURE: Final = timedelta(minutes=15)
DUTY: Final = "hand-off note"
"""What a failure is noted under."""


@dataclass(frozen=True, slots=True)
class NoteDesk:
    """Takes up pending notes and has them written.

    elsewhere: models that are not on this machine may write by themselves, too.
    """

    store: Store[Unit]
    records: SqlNotes
    counters: SqlCounters
    jobs: SqlJobs
    writer: NoteWriter
    members: Callable[[], Sequence[Member]]
    diagnostics: Diagnostics
    clock: Clock
    elsewhere: bool = False
    _at: set[tuple[str, str]] = field(default_factory=set)

    def cards(self) -> dict[str, ModelCard]:
        """Return who can write notes, by seat; the calculator cannot."""
        return {m.seat.name: m.card for m in self.members() if m.card.provider != BUILTIN}

    def due(self, conversation_id: str | None = None) -> Sequence[Pending]:
        """Return the notes that can be written now; of one conversation or of all."""
        with self.store.read() as unit:
            orders = self.counters.due(unit, conversation_id)
        cards = self.cards() if orders else {}
        return [each for each in orders if self.may(each, cards)]

    def may(self, order: Pending, cards: dict[str, ModelCard]) -> bool:
        """Return whether a pending note may be written by itself; what a person asked for always may, unless off."""
        card = cards.get(order.seat)
        if card is None or self._mode is Mode.OFF:
            return False
        return order.trigger is Trigger.MANUAL or (self._mode.by_itself and (card.local or self.elsewhere))

    def sweep_due(self) -> bool | None:
        """Return whether conversations without a valid note are to be looked for; None: no time was set yet."""
        if sweep_every(self._mode) is None:
            return False
        with self.store.read() as unit:
            return self.jobs.is_due(unit, COVERAGE)

    def sweep(self) -> None:
        """Order notes of conversations at rest that have no valid one, where that is due."""
        every, due = sweep_every(self._mode), self.sweep_due()
        if every is None or due is False:
            return
        seats = [name for name, card in self.cards().items() if card.local or self.elsewhere]
        with self.store.unit() as unit:
            if due:
                self.counters.cover(unit, seats)
            self.jobs.set_next(unit, COVERAGE, every if due else COVERAGE_FIRST)

    async def write_all(self, orders: Sequence[Pending]) -> tuple[HandoffNote, ...]:
        """Write these notes, unless another process is at it. Never raises for a note: it stays pending."""
        if not orders or not self._claim():
            return ()
        cards = self.cards()
        try:
            written = [await self._attempt(each, cards[each.seat]) for each in orders if each.seat in cards]
        finally:
            if not self._at:
                with self.store.unit() as unit:
                    self.jobs.release(unit, WRITING)
        return tuple(note for note in written if note is not None)

    async def write(self, order: Pending, card: ModelCard, *, by: str) -> HandoffNote | None:
        """Write and store one note; None where another has been stored meanwhile or nothing is new.

        None, too, where something that the model has read was erased meanwhile: the note stays pending.
        """
        mine = (order.conversation_id, order.seat)
        if mine in self._at:
            return None
        self._at.add(mine)
        try:
            with self.store.read() as unit:
                before = self.records.newest(unit, *mine)
                turns = self.records.turns(unit, order.conversation_id, before.covers_seq if before else 0)
            if not turns:
                self._settle(order, before)
                return None
            known = sections_of(before.text if before else "")
            draft = await self.writer.write(card, order, known, turns, self._beat)
            with self.store.unit() as unit:
                if not self.records.still_said(unit, order.conversation_id, before, turns):
                    return None
                return self.records.store(unit, draft, by=by)
        finally:
            self._at.discard(mine)

    async def _attempt(self, order: Pending, card: ModelCard) -> HandoffNote | None:
        try:
            return await self.write(order, card, by="system")
        except Exception as error:  # noqa: BLE001  a note that fails costs a person nothing; its trigger stays
            self.diagnostics.trouble(DUTY, error)
            wait = AFTER_UNUSABLE if isinstance(error, UnusableNoteError) else AFTER_FAILURE
            with self.store.unit() as unit:
                self.counters.postpone(unit, order, self.clock.now() + wait)
            return None

    def _settle(self, order: Pending, before: HandoffNote | None) -> None:
        """Clear a trigger about which there is nothing to write."""
        with self.store.unit() as unit:
            if before is not None:
                self.records.restart(unit, before)
            else:
                self.counters.drop(unit, order.conversation_id, order.seat)

    def _claim(self) -> bool:
        with self.store.unit() as unit:
            return self.jobs.claim(unit, WRITING, HOLD)

    def _beat(self) -> None:
        self._claim()

    @property
    def _mode(self) -> Mode:
        return self.counters.rules.mode
