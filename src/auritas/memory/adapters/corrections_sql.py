"""Corrections, their history and their vectors in the store."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

import numpy as np
from sqlalchemy import ColumnElement, Select, and_, delete, desc, func, insert, or_, select, update
from sqlalchemy.dialects.sqlite import insert as upsert

from auritas.kernel.clock import Clock, from_timestamp, timestamp
from auritas.kernel.log import Kind, Log, LogEvent, Receipt
from auritas.kernel.memory import (
    Correction,
    CorrectionState,
    CorrectionType,
    MemoryUse,
    Scope,
)
from auritas.memory.adapters.correction_rows import (
    KINDS,
    correction_of,
    entry_of,
    happened_of,
    if_there,
    place_in,
    row_of,
    to_document,
    use_row,
    vectors_of,
)
from auritas.memory.adapters.steering_sql import (
    drop_left_out,
    drop_pair,
    drop_pairs_of,
    forget_steering,
    put_left_out,
    put_pair,
)
from auritas.memory.history import CHANGING, STEERING, UNDOABLE, Change, Happened
from auritas.memory.model import pair_of
from auritas.memory.shelf import Vectors
from auritas.store import Unit
from auritas.store import schema as t

_CORRECTION_KINDS = tuple({kind.value for kind in KINDS.values()})
_ERASABLE = "correction"
_GRADING_ACT = "grading_act"
_ID_CHUNK = 500
_NEWEST = select(func.max(t.correction_events.c.seq))
_WORDS = ("domain", "rejected", "slot", "canonical_query", "instruction", "reason", "query_id", "message_id")


class ErasableLog(Log[Unit], Protocol):
    """A log whose entries can lose their bodies."""

    def erase(self, unit: Unit, seqs: Sequence[int], reason: str, *, actor: str = "user") -> tuple[Receipt, ...]:
        """Remove the bodies of entries for good and append the entry that says so."""


@dataclass(frozen=True, slots=True)
class SqlCorrections:
    """Implements `memory.history.CorrectionStore`, and keeps what is needed to weigh corrections fast."""

    log: ErasableLog
    clock: Clock

    # --- the port of the service -------------------------------------------------------------------------------------

    def get(self, unit: Unit, correction_id: str) -> Correction | None:
        row = unit.connection.execute(select(t.corrections).where(t.corrections.c.id == correction_id)).first()
        return correction_of(row) if row else None

    def in_slot(self, unit: Unit, like: Correction) -> Correction | None:
        c = t.corrections.c
        query = select(t.corrections).where(
            c.slot == like.slot,
            c.scope == like.scope,
            c.place == place_in(like),
            c.condition == like.condition,
            c.state == CorrectionState.ACTIVE,
            c.id != like.id,
        )
        row = unit.connection.execute(query).first()
        return correction_of(row) if row else None

    def same_words(self, unit: Unit, like: Correction) -> Correction | None:
        c = t.corrections.c
        query = select(t.corrections).where(
            c.claim == like.claim,
            c.scope == like.scope,
            c.place == place_in(like),
            c.condition == like.condition,
            func.coalesce(c.canonical_query, "") == like.canonical_query,
            c.state.in_([CorrectionState.ACTIVE, CorrectionState.PROPOSED]),
            c.id != like.id,
        )
        row = unit.connection.execute(query.order_by(c.state).limit(1)).first()
        return correction_of(row) if row else None

    def retired_by(self, unit: Unit, correction_id: str) -> Sequence[Correction]:
        c = t.corrections.c
        mine = and_(c.superseded_by == correction_id, c.state == CorrectionState.SUPERSEDED)
        found = unit.connection.execute(select(t.corrections).where(mine).order_by(desc(c.created_at), c.id))
        return [correction_of(row) for row in found]

    def is_there(self, unit: Unit, scope: Scope, place: str) -> bool:
        ids = {Scope.PROJECT: t.projects.c.project_id, Scope.CONVERSATION: t.conversations.c.conversation_id}.get(scope)
        return ids is None or unit.connection.execute(select(ids).where(ids == place)).first() is not None

    def write(self, unit: Unit, correction: Correction, place: str, message_id: str | None = None) -> None:
        values = row_of(correction, place, self.clock.now())
        # What an undo brings back may name what was deleted since.
        projects, conversations = t.projects.c.project_id, t.conversations.c.conversation_id
        values["project_id"] = if_there(projects, correction.project_id)
        values["conversation_id"] = if_there(conversations, correction.conversation_id)
        if message_id is not None:
            values["message_id"] = message_id
        changed = {name: value for name, value in values.items() if name != "id"}
        changed["metadata"] = func.json_patch(t.corrections.c.metadata, values["metadata"])
        written = upsert(t.corrections).values(values)
        unit.connection.execute(written.on_conflict_do_update(index_elements=["id"], set_=changed))
        # The vector is that of the words as they were; whoever embeds makes a new one.
        unit.connection.execute(
            delete(t.correction_vectors).where(t.correction_vectors.c.correction_id == correction.id)
        )

    def wipe(self, unit: Unit, correction_id: str) -> None:
        mine = t.corrections.c.id == correction_id
        blank: dict[str, Any] = dict.fromkeys(_WORDS)
        blank |= {"subject": "", "claim": "", "condition": "", "place": "", "metadata": "{}"}
        blank |= {"state": CorrectionState.ERASED, "pinned": False, "project_id": None, "conversation_id": None}
        unit.connection.execute(update(t.corrections).where(mine).values(**blank))
        unit.connection.execute(
            delete(t.correction_vectors).where(t.correction_vectors.c.correction_id == correction_id)
        )
        forget_steering(unit, correction_id)
        history = update(t.correction_events).where(t.correction_events.c.correction_id == correction_id)
        unit.connection.execute(history.values(before=None))
        self.log.erase(unit, self.entries(unit, correction_id), _ERASABLE)

    def note(self, unit: Unit, happened: Happened, correction: Correction) -> None:
        row = {
            "correction_id": happened.correction_id,
            "event": happened.change,
            "at": timestamp(happened.at),
            "act_id": happened.act_id,
            "before": json.dumps(to_document(happened.before), ensure_ascii=False) if happened.before else None,
            "other": happened.other or None,
        }
        unit.connection.execute(insert(t.correction_events).values(row))
        self.log.append(unit, [entry_of(happened, correction)])

    def last_act(self, unit: Unit) -> Sequence[Happened]:
        events = t.correction_events.c
        there = and_(_undoable(), events.correction_id.not_in(_gone()))
        newest = select(events.act_id).where(there).order_by(desc(events.seq)).limit(1)
        act_id = unit.connection.execute(newest).scalar()
        return self.act(unit, act_id) if act_id is not None else ()

    def act(self, unit: Unit, act_id: str) -> Sequence[Happened]:
        events = t.correction_events.c
        there = and_(_undoable(), events.correction_id.not_in(_gone()))
        # An undo brings back, too; only what a move let out says what it was before.
        let_out = and_(
            events.event == Change.RESTORED, events.before.is_not(None), events.correction_id.not_in(_gone())
        )
        lines = select(t.correction_events).where(events.act_id == act_id, or_(there, let_out))
        in_turn = lines.order_by(events.event == Change.SUPERSEDED, events.seq)
        found = [happened_of(row) for row in unit.connection.execute(in_turn)]
        # Of an act that was taken back, or whose own correction was erased, what it let out stays as it is.
        return found if any(line.change in UNDOABLE for line in found) else ()

    def changed_after(self, unit: Unit, act_id: str) -> bool:
        events = t.correction_events.c
        mine = and_(events.act_id == act_id, events.event.not_in(STEERING))
        last = select(func.max(events.seq)).where(mine).scalar_subquery()
        again = and_(events.seq > last, events.act_id != act_id, events.event.in_(CHANGING), _undoable())
        changed = events.correction_id.in_(select(events.correction_id).where(mine))
        return unit.connection.execute(select(events.seq).where(again, changed).limit(1)).scalar() is not None

    def leave_out(self, unit: Unit, correction_id: str, conversation_id: str, *, out: bool) -> bool:
        if not out:
            return drop_left_out(unit, conversation_id, correction_id)
        there = self.is_there(unit, Scope.CONVERSATION, conversation_id)
        return there and put_left_out(unit, conversation_id, correction_id, timestamp(self.clock.now()))

    def keep_both(self, unit: Unit, correction_id: str, other_id: str, *, kept: bool) -> bool:
        pair = pair_of(correction_id, other_id)
        return put_pair(unit, pair, timestamp(self.clock.now())) if kept else drop_pair(unit, pair)

    def offer_again(self, unit: Unit, correction_id: str) -> None:
        drop_pairs_of(unit, correction_id)

    def mark_undone(self, unit: Unit, act_id: str) -> None:
        mine = update(t.correction_events).where(t.correction_events.c.act_id == act_id)
        unit.connection.execute(mine.values(undone=True))

    def said_in(self, unit: Unit, correction_id: str, query_id: str) -> None:
        """Keep that a correction was said in the message that asks a question."""
        message = select(t.queries.c.question_message_id).where(t.queries.c.query_id == query_id).scalar_subquery()
        mine = update(t.corrections).where(t.corrections.c.id == correction_id)
        unit.connection.execute(mine.values(message_id=message))

    def link_grade(self, unit: Unit, correction_id: str, act_id: str) -> None:
        """Keep by which act of grading a correction marked the answer that it corrects."""
        mine = update(t.corrections).where(t.corrections.c.id == correction_id)
        patched = func.json_patch(t.corrections.c.metadata, json.dumps({_GRADING_ACT: act_id}))
        unit.connection.execute(mine.values(metadata=patched))

    def linked_grade(self, unit: Unit, correction_id: str) -> str | None:
        """Return that act, if there was one."""
        c = t.corrections.c
        metadata = unit.connection.execute(select(c.metadata).where(c.id == correction_id)).scalar()
        return json.loads(metadata).get(_GRADING_ACT) if metadata else None

    # --- reading ----------------------------------------------------------------------------------------------------

    def newest(self, unit: Unit) -> int:
        """Return the number of the newest line of history; numbers only grow."""
        return unit.connection.execute(_NEWEST).scalar() or 0

    def changed(self, unit: Unit, since: int) -> bool:
        """Return whether a correction changed after a line of history, by whomever; being applied changes nothing."""
        events = t.correction_events.c
        later = select(events.seq).where(events.seq > since, events.event != Change.APPLIED).limit(1)
        return unit.connection.execute(later).scalar() is not None

    def used_since(self, unit: Unit, since: int) -> Mapping[str, datetime]:
        """Return when each correction that was applied after a line of history last was."""
        events = t.correction_events.c
        applied = and_(events.seq > since, events.event == Change.APPLIED)
        times = select(events.correction_id, func.max(events.at)).where(applied).group_by(events.correction_id)
        return {row[0]: from_timestamp(row[1]) for row in unit.connection.execute(times)}

    def active(self, unit: Unit) -> tuple[Correction, ...]:
        """Return every active correction that can enter a prompt, by id."""
        c = t.corrections.c
        rules = and_(c.state == CorrectionState.ACTIVE, c.type != CorrectionType.MODEL_PREFERENCE)
        return tuple(
            correction_of(row) for row in unit.connection.execute(select(t.corrections).where(rules).order_by(c.id))
        )

    def listed(
        self,
        unit: Unit,
        states: Iterable[CorrectionState],
        *,
        begins: str = "",
        limit: int = 1_000,
    ) -> tuple[Correction, ...]:
        """Return corrections in some states, newest first; those on models are the council's own and left out."""
        c = t.corrections.c
        query = select(t.corrections).where(c.state.in_(list(states)), c.type != CorrectionType.MODEL_PREFERENCE)
        if begins:
            query = query.where(c.id.startswith(begins, autoescape=True))
        query = query.order_by(desc(c.created_at), desc(c.id)).limit(limit)
        return tuple(correction_of(row) for row in unit.connection.execute(query))

    def history(self, unit: Unit, correction_id: str) -> tuple[Happened, ...]:
        """Return what happened to a correction, oldest first; being applied is counted elsewhere."""
        events = t.correction_events.c
        query = select(t.correction_events).where(events.correction_id == correction_id, events.event != Change.APPLIED)
        return tuple(happened_of(row) for row in unit.connection.execute(query.order_by(events.seq)))

    def times_applied(self, unit: Unit) -> Mapping[str, int]:
        """Return into how many questions each correction has entered."""
        used, runs = t.run_memory.c, t.model_runs.c
        query = (
            select(used.correction_id, func.count(func.distinct(runs.query_id)))
            .join(t.model_runs, runs.run_id == used.run_id)
            .where(used.injected == True)  # noqa: E712  SQL
            .group_by(used.correction_id)
        )
        return {row[0]: row[1] for row in unit.connection.execute(query)}

    def source(self, unit: Unit, correction_id: str) -> str | None:
        """Return the message in which a correction was said."""
        c = t.corrections.c
        return unit.connection.execute(select(c.message_id).where(c.id == correction_id)).scalar()

    def of_messages(
        self, unit: Unit, message_ids: Sequence[str], query_ids: Sequence[str]
    ) -> tuple[tuple[Correction, str | None], ...]:
        """Return the corrections that were said in some messages, or correct the answers of some questions.

        Each with the message in which it was said, oldest first; those that were erased are left out.
        """
        c = t.corrections.c
        meant = or_(c.message_id.in_(list(message_ids)), c.query_id.in_(list(query_ids)))
        query = select(t.corrections).where(meant, c.state != CorrectionState.ERASED).order_by(c.created_at, c.id)
        return tuple((correction_of(row), row.message_id) for row in unit.connection.execute(query))

    def entries(self, unit: Unit, correction_id: str) -> list[int]:
        """Return the audit entries that speak of a correction."""
        log = t.audit_log.c
        named = log.refs.contains(correction_id, autoescape=True)
        query = select(log.seq).where(log.event_type.in_(_CORRECTION_KINDS), named)
        return list(unit.connection.execute(query).scalars())

    # --- vectors ----------------------------------------------------------------------------------------------------

    def vectors(self, unit: Unit, embedder: str, width: int) -> Mapping[str, Vectors]:
        """Return the vectors of active corrections by one embedder, as rows of `width`."""
        v, c = t.correction_vectors.c, t.corrections.c
        query = (
            select(v.correction_id, v.vector)
            .join(t.corrections, c.id == v.correction_id)
            .where(v.embedder == embedder, c.state == CorrectionState.ACTIVE)
        )
        return {row[0]: vectors_of(row[1], width) for row in unit.connection.execute(query)}

    def keep_vectors(self, unit: Unit, embedder: str, vectors: Mapping[str, Vectors], since: int) -> None:
        """Store the vectors of corrections that are still active and did not change after a line of history."""
        ids = set(self._still_active(unit, tuple(vectors))) - self._changed_since(unit, since)
        rows = [
            {"correction_id": each, "embedder": embedder, "vector": found.astype(np.float32).tobytes()}
            for each, found in vectors.items()
            if each in ids
        ]
        if rows:
            written = upsert(t.correction_vectors)
            new = {"embedder": written.excluded.embedder, "vector": written.excluded.vector}
            unit.connection.execute(written.on_conflict_do_update(index_elements=["correction_id"], set_=new), rows)

    @staticmethod
    def _changed_since(unit: Unit, since: int) -> set[str]:
        events = t.correction_events.c
        later = select(events.correction_id).where(events.seq > since, events.event != Change.APPLIED)
        return set(unit.connection.execute(later).scalars())

    def _still_active(self, unit: Unit, ids: Sequence[str]) -> Iterable[str]:
        c = t.corrections.c
        for start in range(0, len(ids), _ID_CHUNK):
            chunk = ids[start : start + _ID_CHUNK]
            query = select(c.id).where(c.id.in_(chunk), c.state == CorrectionState.ACTIVE)
            yield from unit.connection.execute(query).scalars()

    # --- being applied ----------------------------------------------------------------------------------------------

    def applied(self, unit: Unit, query_id: str, run_ids: Sequence[str], uses: Sequence[MemoryUse]) -> None:
        """Write with each run how every correction was weighed, and which of them its prompt held."""
        if not uses or not run_ids:
            return
        entered = [use.correction for use in uses if use.injected]
        rows = [use_row(run_id, use) for run_id in run_ids for use in uses]
        unit.connection.execute(insert(t.run_memory), rows)
        if not entered:
            return
        now = timestamp(self.clock.now())
        ids = [correction.id for correction in entered]
        runs = update(t.model_runs).where(t.model_runs.c.run_id.in_(run_ids))
        unit.connection.execute(runs.values(corrections_applied=json.dumps(ids)))
        events = [
            {"correction_id": each, "event": Change.APPLIED, "run_id": run_id, "at": now}
            for run_id in run_ids
            for each in ids
        ]
        unit.connection.execute(insert(t.correction_events), events)
        unit.connection.execute(update(t.corrections).where(t.corrections.c.id.in_(ids)).values(last_used_at=now))
        self.log.append(
            unit,
            [
                LogEvent(Kind.CORRECTION_APPLIED, "system", {"correction_id": each, "query_id": query_id})
                for each in ids
            ],
        )


def _undoable() -> ColumnElement[bool]:
    """Which lines of history can be taken back, and were not."""
    events = t.correction_events.c
    return and_(events.event.in_(UNDOABLE), events.act_id.is_not(None), events.undone == False)  # noqa: E712  SQL


def _gone() -> Select[tuple[str]]:
    return select(t.corrections.c.id).where(t.corrections.c.state == CorrectionState.ERASED)
