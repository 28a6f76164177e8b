"""Deleting conversations and projects so that no word of them is left.

Most rows go with their conversation by foreign keys. This file takes what those do not reach: corrections that hold
only there, what reviewers proposed, preferences from picks, fields that only these answers were filed under, the salts
of the egress ledger, waiting work, and the bodies of audit entries, of which the log keeps salted commitments.
"""

import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any, Protocol

from sqlalchemy import BindParameter, Select, and_, bindparam, delete, func, insert, or_, select, update

from auritas.kernel.clock import Clock, timestamp
from auritas.kernel.log import Kind, Log, LogEvent, Receipt
from auritas.memory.adapters.fields_sql import forget_fields, own_fields
from auritas.memory.adapters.steering_sql import forget_steering
from auritas.memory.conversations.model import Forgotten, Loss
from auritas.store import Unit
from auritas.store import schema as t
from auritas.store.engine import plain_rows

REASON = "user_request"
_CHUNK = 500
_ENTRIES = "SELECT seq, refs FROM audit_log WHERE seq > ? AND body IS NOT NULL ORDER BY seq LIMIT 2000"
_GONE = ("erased",)
_EMPTY = {
    "state": "erased", "subject": "", "domain": None, "claim": "", "rejected": None, "metadata": "{}", "slot": None,
    "canonical_query": None, "instruction": None, "reason": None, "condition": "", "place": "", "pinned": False,
    "project_id": None,
}  # fmt: skip
"""An erased correction keeps its place and nothing of what it said."""


class ErasingLog(Log[Unit], Protocol):
    """A log whose entries can lose their words and stay provable."""

    def erase(self, unit: Unit, seqs: Sequence[int], reason: str) -> tuple[Receipt, ...]:
        """Remove the bodies of `seqs` for good and append the entry that says so."""


@dataclass(frozen=True, slots=True)
class Forgetting:
    """Counts what would go and removes it, inside the unit of work it is given."""

    log: ErasingLog
    clock: Clock

    def loss(self, unit: Unit, conversation_ids: Sequence[str], project_id: str | None = None) -> Loss:
        """Return what deleting these conversations, and the project, would take; conversations are the caller's."""
        bound = set(self._bound(unit, conversation_ids)) | set(self._of_project(unit, project_id))
        return Loss(
            messages=_count(unit, t.messages, conversation_ids),
            questions=_count(unit, t.queries, conversation_ids),
            notes=_count(unit, t.context_backups, conversation_ids),
            corrections=len(bound),
            kept_corrections=len(set(self._made_in(unit, conversation_ids)) - bound),
            branches=len(self._branches(unit, conversation_ids)),
        )

    def conversations(self, unit: Unit, conversation_ids: Sequence[str], *, with_memory: bool) -> Forgotten:
        """Remove conversations with all that hangs on them.

        with_memory: also what the person told Auritas to remember everywhere while being there.
        """
        bound = set(self._bound(unit, conversation_ids))
        made = set(self._made_in(unit, conversation_ids))
        gone = bound | made if with_memory else bound
        ids = self._ids(unit, conversation_ids)
        fields = own_fields(unit, ids)
        events = forget_fields(unit, fields)
        self._erase(unit, gone)
        self._unsalt(unit, conversation_ids)
        self._drop_prompts(unit)
        self.drop_work(unit, ids | gone)
        self._orphan(unit, conversation_ids)
        _each(unit, delete(t.conversations).where(t.conversations.c.conversation_id == _ID), conversation_ids)
        entries = self.silence(unit, ids | gone, spared=made - gone, domain_events=events)
        refs = [{"event": "deleted", "conversation_id": each} for each in conversation_ids]
        self.log.append(unit, [LogEvent(Kind.CONVERSATION, "user", each) for each in refs])
        return Forgotten(len(gone), entries, len(fields))

    def project(self, unit: Unit, project_id: str) -> Forgotten:
        """Erase what was remembered in a project only, and take its name out of the log; its row is the caller's."""
        gone = set(self._of_project(unit, project_id))
        self._erase(unit, gone)
        self._drop_prompts(unit)
        return Forgotten(len(gone), self.silence(unit, {project_id} | gone, spared=(), domain_events=()))

    # --- what belongs to them ------------------------------------------------------------------------------------

    def _bound(self, unit: Unit, conversation_ids: Sequence[str]) -> Iterator[str]:
        """Yield the corrections that go with the conversations: theirs alone, proposals, and picks."""
        k = t.corrections.c
        theirs = or_(k.scope == "conversation", k.state == "proposed", k.place == k.conversation_id)
        for part in _chunks(conversation_ids):
            mine = or_(k.conversation_id.in_(part), k.place.in_(part))
            yield from _scalars(unit, select(k.id).where(mine, theirs, k.state.not_in(_GONE)))
            asked = select(t.queries.c.query_id).where(t.queries.c.conversation_id.in_(part))
            slots = select("pick:" + t.queries.c.query_id).where(t.queries.c.conversation_id.in_(part))
            proposed = and_(k.query_id.in_(asked), k.state == "proposed")
            yield from _scalars(unit, select(k.id).where(or_(k.slot.in_(slots), proposed), k.state.not_in(_GONE)))

    def _made_in(self, unit: Unit, conversation_ids: Sequence[str]) -> Iterator[str]:
        """Yield all corrections that were made in the conversations, wherever they hold."""
        k = t.corrections.c
        for part in _chunks(conversation_ids):
            asked = select(t.queries.c.query_id).where(t.queries.c.conversation_id.in_(part))
            said = select(t.messages.c.message_id).where(t.messages.c.conversation_id.in_(part))
            made = or_(k.conversation_id.in_(part), k.query_id.in_(asked), k.message_id.in_(said))
            yield from _scalars(unit, select(k.id).where(made, k.state.not_in(_GONE)))

    def _of_project(self, unit: Unit, project_id: str | None) -> Iterator[str]:
        k = t.corrections.c
        if project_id is not None:
            theirs = or_(k.scope == "project", k.state == "proposed", k.place == project_id)
            mine = or_(k.project_id == project_id, k.place == project_id)
            yield from _scalars(unit, select(k.id).where(mine, theirs, k.state.not_in(_GONE)))

    def _branches(self, unit: Unit, conversation_ids: Sequence[str]) -> set[str]:
        c, m = t.conversations.c, t.messages.c
        found: set[str] = set()
        for part in _chunks(conversation_ids):
            origins = select(m.message_id).where(m.conversation_id.in_(part))
            found.update(_scalars(unit, select(c.conversation_id).where(c.branched_from.in_(origins))))
        return found.difference(conversation_ids)

    def _ids(self, unit: Unit, conversation_ids: Sequence[str]) -> set[str]:
        """Return every id by which an audit entry or waiting work can name something of the conversations."""
        found = set(conversation_ids)
        for part in _chunks(conversation_ids):
            for column in _OWN:
                found.update(_scalars(unit, select(column).where(column.table.c.conversation_id.in_(part))))
            asked = select(t.queries.c.query_id).where(t.queries.c.conversation_id.in_(part))
            for column in _ASKED:
                found.update(_scalars(unit, select(column).where(column.table.c.query_id.in_(asked))))
            runs = select(t.model_runs.c.run_id).where(t.model_runs.c.conversation_id.in_(part))
            for column in _RUN:
                found.update(_scalars(unit, select(column).where(column.table.c.run_id.in_(runs))))
        return found

    def named_by(self, unit: Unit, query_ids: Sequence[str], message_ids: Sequence[str]) -> set[str]:
        """Return every id by which an audit entry can name something of these questions and messages."""
        found = {*query_ids, *message_ids}
        for part in _chunks(query_ids):
            for column in (*_ASKED, t.model_runs.c.run_id, t.traces.c.trace_id):
                found.update(_scalars(unit, select(column).where(column.table.c.query_id.in_(part))))
            runs = select(t.model_runs.c.run_id).where(t.model_runs.c.query_id.in_(part))
            for column in _RUN:
                found.update(_scalars(unit, select(column).where(column.table.c.run_id.in_(runs))))
        return found

    # --- corrections ---------------------------------------------------------------------------------------------

    def _erase(self, unit: Unit, correction_ids: Collection[str]) -> None:
        if not correction_ids:
            return
        ordered, now = sorted(correction_ids), timestamp(self.clock.now())
        _each(unit, update(t.corrections).where(t.corrections.c.id == _ID).values(_EMPTY), ordered)
        vectors, events = t.correction_vectors, t.correction_events
        _each(unit, delete(vectors).where(vectors.c.correction_id == _ID), ordered)
        for each in ordered:
            forget_steering(unit, each)
        _each(unit, update(events).where(events.c.correction_id == _ID).values(before=None), ordered)
        rows = [{"correction_id": each, "event": "erased", "at": now} for each in ordered]
        unit.connection.execute(insert(events), rows)
        erased = [LogEvent(Kind.CORRECTION_ERASED, "user", {"correction_id": each}) for each in ordered]
        self.log.append(unit, erased)

    # --- what else names them ------------------------------------------------------------------------------------

    def _unsalt(self, unit: Unit, conversation_ids: Sequence[str]) -> None:
        """Make the commitments of the egress ledger say nothing any more; that something was sent stays."""
        mine = t.egress.c.conversation_id == _ID
        _each(unit, update(t.egress).where(mine).values(salt=None), conversation_ids)

    def _drop_prompts(self, unit: Unit) -> None:
        """Forget what models wrote about everything together; they write it anew from what is left."""
        unit.connection.execute(delete(t.model_context_prompts))

    def _orphan(self, unit: Unit, conversation_ids: Sequence[str]) -> None:
        """Let branches forget where they began."""
        c, m = t.conversations.c, t.messages.c
        for part in _chunks(conversation_ids):
            gone = select(m.message_id).where(m.conversation_id.in_(part))
            copies = update(t.messages).where(m.edited_from.in_(gone), m.conversation_id.in_(_began_in(gone)))
            unit.connection.execute(copies.values(edited_from=None))
            orphans = update(t.conversations).where(c.branched_from.in_(gone))
            unit.connection.execute(orphans.values(branched_from=None))

    def drop_work(self, unit: Unit, ids: AbstractSet[str]) -> None:
        """Drop waiting work that names anything that is gone; its payload may hold words of it."""
        waiting = unit.connection.execute(select(t.outbox.c.seq, t.outbox.c.payload))
        gone = [seq for seq, payload in waiting if not ids.isdisjoint(_texts(json.loads(payload)))]
        _each(unit, delete(t.outbox).where(t.outbox.c.seq == _ID), gone)

    def silence(
        self, unit: Unit, ids: AbstractSet[str], *, spared: Collection[str], domain_events: Collection[int]
    ) -> int:
        """Erase the bodies of all entries that name any of `ids` and no spared correction; return how many."""
        seqs, last = [], -1
        while rows := plain_rows(unit.connection, _ENTRIES, (last,)):
            last = rows[-1][0]
            for seq, text in rows:
                refs = json.loads(text)
                named = not ids.isdisjoint(refs.values()) or refs.get("domain_event") in domain_events
                if named and refs.get("correction_id") not in spared:
                    seqs.append(seq)
        self.log.erase(unit, seqs, REASON)
        return len(seqs)


_ID: BindParameter[Any] = bindparam("gone")
_OWN = (
    t.messages.c.message_id, t.queries.c.query_id, t.model_runs.c.run_id, t.traces.c.trace_id,
    t.context_backups.c.backup_id, t.token_counters.c.counter_id,
)  # fmt: skip
_ASKED = (t.grading_acts.c.id, t.comparisons.c.id)
_RUN = (t.grades.c.id, t.reviews.c.id, t.assertion_events.c.id)


def _began_in(messages: Select[Any]) -> Select[Any]:
    c = t.conversations.c
    return select(c.conversation_id).where(c.branched_from.in_(messages))


def _chunks(ids: Sequence[str]) -> Iterator[Sequence[str]]:
    return (ids[start : start + _CHUNK] for start in range(0, len(ids), _CHUNK))


def _scalars(unit: Unit, query: Select[Any]) -> Iterable[Any]:
    return unit.connection.execute(query).scalars()


def _each(unit: Unit, statement: Any, values: Sequence[Any]) -> None:
    """Run a statement once for each value, which stands in it as the parameter `gone`."""
    if values:
        unit.connection.execute(statement, [{"gone": value} for value in values])


def _count(unit: Unit, table: Any, conversation_ids: Sequence[str]) -> int:
    counted = (
        select(func.count()).select_from(table).where(table.c.conversation_id.in_(part))
        for part in _chunks(conversation_ids)
    )
    return sum(unit.connection.execute(query).scalar_one() for query in counted)


def _texts(value: Any) -> Iterator[str]:
    """Yield every text in a JSON value."""
    match value:
        case str():
            yield value
        case dict():
            for each in value.values():
                yield from _texts(each)
        case list():
            for each in value:
                yield from _texts(each)
