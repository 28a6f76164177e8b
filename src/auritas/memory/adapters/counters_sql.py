"""What seats have seen of conversations since their last notes, counted in the unit that writes the messages."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import and_, case, delete, exists, func, select, update
from sqlalchemy.dialects.sqlite import Insert, insert

from auritas.kernel.clock import Clock, from_timestamp, timestamp
from auritas.kernel.ids import Ids
from auritas.memory.notes.model import Counter, Pending, Portion, Trigger
from auritas.memory.notes.triggers import COVERAGE_AT_MOST, COVERAGE_OLDEST, GAP_MESSAGES, Rules, fired, gap, idle_for
from auritas.store import Unit
from auritas.store import schema as t


@dataclass(frozen=True, slots=True)
class SqlCounters:
    """Counts, fires, and knows what is pending. Every method works inside the unit of work it is given."""

    clock: Clock
    ids: Ids
    rules: Rules

    def count(self, unit: Unit, conversation_id: str, seen: Mapping[str, Portion]) -> Mapping[str, Trigger]:
        """Add to the counters of seats and return what fired just now, by seat; it is then pending.

        A unit writes alone, so of two counts that arrive together one sees the other.
        """
        before = self._counters(unit, conversation_id, seen)
        after = {seat: before[seat].plus(part.tokens, part.messages, self.clock.now()) for seat, part in seen.items()}
        found = {seat: fired(before[seat], after[seat], part.window, self.rules) for seat, part in seen.items()}
        self._put(
            unit,
            conversation_id,
            {seat: replace(counter, pending=found[seat] or before[seat].pending) for seat, counter in after.items()},
        )
        return {seat: trigger for seat, trigger in found.items() if trigger is not None}

    def resting(self, unit: Unit, conversation_id: str) -> tuple[str, ...]:
        """Return the seats for which a gap would fire now; only reads."""
        c, now = t.token_counters.c, self.clock.now()
        rows = unit.connection.execute(select(t.token_counters).where(c.conversation_id == conversation_id))
        if not self.rules.mode.by_itself:
            return ()
        return tuple(
            row.specialist
            for row in rows
            if row.pending is None and row.message_count >= GAP_MESSAGES and gap(from_timestamp(row.updated_at), now)
        )

    def resumed(self, unit: Unit, conversation_id: str) -> tuple[str, ...]:
        """Let the gap fire before a conversation is resumed; return the seats for which it fired."""
        seats = self.resting(unit, conversation_id)
        for seat in seats:
            self.order(unit, conversation_id, seat, Trigger.GAP)
        return seats

    def order(self, unit: Unit, conversation_id: str, seat: str, trigger: Trigger) -> None:
        """Make a note pending, whatever was counted; one that is pending already stays what it is."""
        counter = self.counter(unit, conversation_id, seat)
        if counter.pending is None:
            counted = counter.counted_at or self.clock.now()
            self.put(unit, conversation_id, seat, replace(counter, pending=trigger, counted_at=counted))

    def cover(self, unit: Unit, seats: Collection[str]) -> int:
        """Order notes of conversations that have no valid one and rest; return how many. seats: that may write."""
        now = self.clock.now()
        c, m = t.conversations.c, t.messages.c
        newest = select(func.max(m.seq)).where(m.conversation_id == c.conversation_id).scalar_subquery()
        n, k = t.context_backups.c, t.token_counters.c
        valid = exists().where(
            n.conversation_id == k.conversation_id, n.specialist == k.specialist, n.covers_seq == newest
        )
        found = unit.connection.execute(
            select(k.conversation_id, k.specialist)
            .join(t.conversations, c.conversation_id == k.conversation_id)
            .where(
                k.pending.is_(None),
                k.message_count >= GAP_MESSAGES,
                k.specialist.in_(seats),
                c.archived.is_(False),
                c.updated_at <= _before(now, idle_for(self.rules.mode)),
                c.updated_at >= _before(now, COVERAGE_OLDEST),
                ~valid,
            )
            .order_by(c.updated_at.desc(), k.specialist)
            .limit(COVERAGE_AT_MOST)
        ).all()
        for conversation_id, seat in found:
            self.order(unit, conversation_id, seat, Trigger.COVERAGE)
        return len(found)

    def due(self, unit: Unit, conversation_id: str | None = None) -> Sequence[Pending]:
        """Return the pending notes whose time has come, oldest first; of one conversation or of all."""
        now = self.clock.now()
        return tuple(
            each for each in self.pending(unit) if each.since <= now and conversation_id in {None, each.conversation_id}
        )

    def pending(self, unit: Unit) -> Sequence[Pending]:
        """Return every pending note, also those that wait after a failure, oldest first."""
        c = t.token_counters.c
        rows = unit.connection.execute(
            select(t.token_counters).where(c.pending.is_not(None)).order_by(c.pending_at, c.counter_id)
        )
        return tuple(
            Pending(row.conversation_id, row.specialist, Trigger(row.pending), from_timestamp(row.pending_at))
            for row in rows
        )

    def postpone(self, unit: Unit, order: Pending, until: datetime) -> None:
        """Let a pending note wait after a failure: the trigger is not lost, and the model is not asked at once."""
        mine = and_(_of(order.conversation_id, order.seat), t.token_counters.c.pending.is_not(None))
        unit.connection.execute(update(t.token_counters).where(mine).values(pending_at=timestamp(until)))

    def withdraw(self, unit: Unit, conversation_id: str, seat: str, trigger: Trigger) -> None:
        """Take back a trigger of this kind, if it is pending."""
        mine = and_(_of(conversation_id, seat), t.token_counters.c.pending == trigger)
        unit.connection.execute(update(t.token_counters).where(mine).values(pending=None, pending_at=None))

    def drop(self, unit: Unit, conversation_id: str, seat: str) -> None:
        """Forget a pending note that nobody can write any more, with its counter."""
        unit.connection.execute(delete(t.token_counters).where(_of(conversation_id, seat)))

    def counter(self, unit: Unit, conversation_id: str, seat: str) -> Counter:
        """Return what was counted so far; nothing yet is an empty counter."""
        return self._counters(unit, conversation_id, [seat])[seat]

    def put(self, unit: Unit, conversation_id: str, seat: str, counter: Counter) -> None:
        """Write the counter. When a trigger became pending is kept as long as one is."""
        self._put(unit, conversation_id, {seat: counter})

    def _counters(self, unit: Unit, conversation_id: str, seats: Collection[str]) -> Mapping[str, Counter]:
        c = t.token_counters.c
        rows = unit.connection.execute(
            select(t.token_counters).where(c.conversation_id == conversation_id, c.specialist.in_(seats))
        )
        return dict.fromkeys(seats, Counter()) | {row.specialist: _counter(row) for row in rows}

    def _put(self, unit: Unit, conversation_id: str, counters: Mapping[str, Counter]) -> None:
        if not counters:
            return
        now = self.clock.now()
        rows = [
            {
                "counter_id": self.ids.new(),
                "specialist": seat,
                "conversation_id": conversation_id,
                "token_estimate": counter.tokens,
                "message_count": counter.messages,
                "thread_number": counter.thread_number,
                "updated_at": timestamp(counter.counted_at or now),
                "pending": counter.pending,
                "pending_at": timestamp(now) if counter.pending else None,
            }
            for seat, counter in counters.items()
        ]
        unit.connection.execute(_PUT, rows)


def _upsert() -> Insert:
    statement, c = insert(t.token_counters), t.token_counters.c
    new = statement.excluded
    changed = ("token_estimate", "message_count", "thread_number", "updated_at", "pending")
    since = case((new.pending.is_(None), None), else_=func.coalesce(c.pending_at, new.pending_at))
    return statement.on_conflict_do_update(
        index_elements=["specialist", "conversation_id"],
        set_={name: new[name] for name in changed} | {"pending_at": since},
    )


_PUT: Final = _upsert()


def _of(conversation_id: str, seat: str) -> Any:
    c = t.token_counters.c
    return and_(c.conversation_id == conversation_id, c.specialist == seat)


def _counter(row: Any) -> Counter:
    return Counter(
        tokens=row.token_estimate,
        messages=row.message_count,
        thread_number=row.thread_number,
        counted_at=from_timestamp(row.updated_at),
        pending=Trigger(row.pending) if row.pending else None,
    )


def _before(now: datetime, span: timedelta) -> str:
    return timestamp(now - span)
