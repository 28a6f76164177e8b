"""Hand-off notes in the store, each written with its audit entry and with the counters that start anew after it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import func, insert, select, tuple_

from auritas.kernel.clock import Clock, from_timestamp, timestamp
from auritas.kernel.errors import NotFoundError
from auritas.kernel.ids import Ids
from auritas.kernel.log import Kind, Log, LogEvent
from auritas.kernel.memory import HandoffNote
from auritas.kernel.model import Role
from auritas.memory.adapters.counters_sql import SqlCounters
from auritas.memory.notes.model import Draft, Turn
from auritas.memory.notes.tokens import estimated
from auritas.memory.notes.triggers import gap
from auritas.store import Unit
from auritas.store import schema as t


class NoteMissingError(NotFoundError):
    """No note has this id."""

    code = "no_such_note"


@dataclass(frozen=True, slots=True)
class SqlNotes:
    """Writes and reads notes. Every method works inside the unit of work it is given."""

    log: Log[Unit]
    clock: Clock
    ids: Ids
    counters: SqlCounters

    def store(self, unit: Unit, draft: Draft, *, by: str = "system") -> HandoffNote | None:
        """Write a note and let its counter start anew with what came after it; None where as new a note is there.

        The pending trigger is cleared either way, in this same unit: what it asked for exists. by: who asked for it.
        """
        c = t.conversations.c
        if unit.connection.execute(select(c.title).where(c.conversation_id == draft.conversation_id)).first() is None:
            return None  # deleted while its note was being written
        before = self.newest(unit, draft.conversation_id, draft.seat)
        if before is not None and before.covers_seq >= draft.covers_seq:
            self.restart(unit, before)
            return None
        note = HandoffNote(
            id=self.ids.new(),
            conversation_id=draft.conversation_id,
            seat=draft.seat,
            text=draft.text,
            covers_seq=draft.covers_seq,
            thread_number=(before.thread_number if before else 0) + 1,
            created_at=self.clock.now(),
            trigger=draft.trigger,
            tokens=draft.tokens,
        )
        unit.connection.execute(insert(t.context_backups).values(_row(note)))
        self.restart(unit, note)
        self.log.append(unit, [_event(note, draft, by)])
        return note

    def newest(self, unit: Unit, conversation_id: str, seat: str) -> HandoffNote | None:
        """Return the newest note that this seat wrote of this conversation; another seat's is never returned."""
        c = t.context_backups.c
        row = unit.connection.execute(
            select(t.context_backups)
            .where(c.conversation_id == conversation_id, c.specialist == seat)
            .order_by(c.thread_number.desc())
            .limit(1)
        ).first()
        return None if row is None else _note(row)

    def valid(self, unit: Unit, note: HandoffNote) -> bool:
        """Return whether the note covers the newest message of its conversation."""
        return note.covers_seq == self._newest_seq(unit, note.conversation_id)

    def useful(
        self, unit: Unit, conversation_id: str, seat: str, now: datetime, *, characters: int
    ) -> HandoffNote | None:
        """Return the seat's newest note where it helps to go on, else None.

        It helps where the messages do not all fit into the `characters` of history that go into a prompt, or where
        the conversation has rested for a day. A note that does not cover the newest messages still stands for those
        up to its `covers_seq`: what came later goes into the prompt as it was said.
        """
        note = self.newest(unit, conversation_id, seat)
        if note is None:
            return None
        m = t.messages.c
        length, last = unit.connection.execute(
            select(func.sum(func.length(m.content)), func.max(m.created_at)).where(m.conversation_id == conversation_id)
        ).one()
        cut_short = (length or 0) > characters
        rested = last is not None and gap(from_timestamp(last), now)
        return note if cut_short or rested else None

    def turns(self, unit: Unit, conversation_id: str, after: int = 0) -> tuple[Turn, ...]:
        """Return the messages of a conversation from the one after seq `after` on, oldest first."""
        m = t.messages.c
        rows = unit.connection.execute(
            select(m.seq, m.role, m.content, m.created_at)
            .where(m.conversation_id == conversation_id, m.seq > after, m.role != Role.SYSTEM)
            .order_by(m.seq)
        )
        return tuple(Turn(seq, Role(role), content, from_timestamp(at)) for seq, role, content, at in rows)

    def still_said(self, unit: Unit, conversation_id: str, before: HandoffNote | None, turns: Sequence[Turn]) -> bool:
        """Return whether all that a model has read for a note is still there: words erased meanwhile may be in it."""
        if before is not None and _found(unit, before.id) is None:
            return False
        now = self.turns(unit, conversation_id, before.covers_seq if before else 0)
        return now[: len(turns)] == tuple(turns)

    def list(
        self, unit: Unit, conversation_id: str | None = None, limit: int = 50, after: HandoffNote | None = None
    ) -> Sequence[HandoffNote]:
        """Return notes, newest first; of those that follow `after` in this order, where it is given."""
        c = t.context_backups.c
        wanted = select(t.context_backups).order_by(c.created_at.desc(), c.backup_id.desc()).limit(limit)
        if conversation_id is not None:
            wanted = wanted.where(c.conversation_id == conversation_id)
        if after is not None:
            wanted = wanted.where(tuple_(c.created_at, c.backup_id) < tuple_(timestamp(after.created_at), after.id))
        return tuple(map(_note, unit.connection.execute(wanted)))

    def note(self, unit: Unit, note_id: str) -> HandoffNote:
        """Return one note. Raises NoteMissingError."""
        row = _found(unit, note_id)
        if row is None:
            raise NoteMissingError(f"There is no note {note_id!r}.", remedy="See all: auritas notes list")
        return _note(row)

    def newest_of_all(self, unit: Unit) -> HandoffNote:
        """Return the newest note. Raises NoteMissingError when there is none."""
        found = self.list(unit, limit=1)
        if not found:
            raise NoteMissingError("There is no note yet.", remedy="Make one with: auritas notes make")
        return found[0]

    def newest_conversation(self, unit: Unit) -> str:
        """Return the conversation in which something was said last. Raises NotFoundError when there is none."""
        c = t.conversations.c
        newest = select(c.conversation_id).order_by(c.updated_at.desc(), c.conversation_id.desc()).limit(1)
        found = unit.connection.execute(newest).scalar()
        if found is None:
            raise NotFoundError("There is no conversation yet.", remedy="Begin one with: auritas chat")
        return str(found)

    def seats(self, unit: Unit, conversation_id: str) -> tuple[str, ...]:
        """Return who has answered in a conversation, most often first."""
        r = t.model_runs.c
        rows = unit.connection.execute(
            select(r.specialist)
            .where(r.conversation_id == conversation_id, r.text != "")
            .group_by(r.specialist)
            .order_by(func.count().desc(), r.specialist)
        )
        return tuple(rows.scalars())

    def title(self, unit: Unit, conversation_id: str) -> str:
        """Return a conversation's title. Raises NotFoundError."""
        c = t.conversations.c
        title = unit.connection.execute(select(c.title).where(c.conversation_id == conversation_id)).scalar()
        if title is None:
            raise NotFoundError(
                f"There is no conversation {conversation_id!r}.", remedy="See the newest: auritas questions"
            )
        return str(title)

    def restart(self, unit: Unit, note: HandoffNote) -> None:
        """Let the counter hold what came after the note, so that a message written meanwhile is not lost."""
        m = t.messages.c
        later = unit.connection.execute(
            select(m.content).where(m.conversation_id == note.conversation_id, m.seq > note.covers_seq)
        ).scalars()
        texts = list(later)
        counter = self.counters.counter(unit, note.conversation_id, note.seat)
        counter = replace(
            counter,
            tokens=sum(map(estimated, texts)),
            messages=len(texts),
            thread_number=note.thread_number,
            counted_at=counter.counted_at or self.clock.now(),
            pending=None,
        )
        self.counters.put(unit, note.conversation_id, note.seat, counter)

    def _newest_seq(self, unit: Unit, conversation_id: str) -> int | None:
        m = t.messages.c
        return unit.connection.execute(select(func.max(m.seq)).where(m.conversation_id == conversation_id)).scalar()


def _found(unit: Unit, note_id: str) -> Any:
    return unit.connection.execute(select(t.context_backups).where(t.context_backups.c.backup_id == note_id)).first()


def _row(note: HandoffNote) -> dict[str, object]:
    return {
        "backup_id": note.id,
        "conversation_id": note.conversation_id,
        "specialist": note.seat,
        "trigger": note.trigger,
        "thread_number": note.thread_number,
        "backup_text": note.text,
        "token_estimate": note.tokens,
        "covers_seq": note.covers_seq,
        "created_at": timestamp(note.created_at),
    }


def _note(row: Any) -> HandoffNote:
    return HandoffNote(
        id=row.backup_id,
        conversation_id=row.conversation_id,
        seat=row.specialist,
        text=row.backup_text,
        covers_seq=row.covers_seq,
        thread_number=row.thread_number,
        created_at=from_timestamp(row.created_at),
        trigger=row.trigger,
        tokens=row.token_estimate,
    )


def _event(note: HandoffNote, draft: Draft, by: str) -> LogEvent:
    """Return the entry of a note: ids and sizes, no word of it, so that nothing of it outlives its conversation."""
    return LogEvent(
        Kind.HANDOFF_NOTE,
        by,
        {
            "note_id": note.id,
            "conversation_id": note.conversation_id,
            "specialist": note.seat,
            "trigger": str(note.trigger),
            "thread_number": note.thread_number,
            "covers_seq": note.covers_seq,
            "tokens": note.tokens,
            "tokens_in": draft.usage.tokens_in,
            "tokens_out": draft.usage.tokens_out,
            "cost_micros": draft.usage.cost_micros,
        },
    )
