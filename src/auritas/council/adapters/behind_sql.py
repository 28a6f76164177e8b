"""What stands behind the messages of a conversation: the question that each asks or answers."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import or_, select

from auritas.council.adapters.answered_sql import states_of
from auritas.kernel.answers import Confidence, ConfidenceLabel
from auritas.kernel.clock import from_timestamp
from auritas.store import Unit
from auritas.store import schema as t

UNKNOWN_BASIS = "as it was said when the question was answered"


@dataclass(frozen=True, slots=True)
class Behind:
    """A question as its messages show it.

    state: started, finished, failed, interrupted, or abandoned; see `answered_sql.Found`. confidence: None before
    something was chosen. seat: whose words are shown. agree, answered: how many members say the same, of how many whose
    answers had a vote. abstained: how many did not answer. cost_micros: in millionths. asks_grade: why the person is
    asked to grade it, if so. asked_in: which message asks it. seconds: from asking to the answer; 0 without one.
    copied: the message is a copy in a branch, and the question was asked where the branch began.
    """

    query_id: str
    trace_id: str | None
    state: str
    level: str
    confidence: Confidence | None = None
    seat: str | None = None
    agree: int = 0
    answered: int = 0
    abstained: int = 0
    effective_votes: float | None = None
    cost_micros: int = 0
    asks_grade: str | None = None
    asked_in: str | None = None
    seconds: float = 0.0
    copied: bool = False


def behind(unit: Unit, message_ids: Sequence[str]) -> Mapping[str, Behind]:
    """Return for each of these messages the newest question that it asks, or the one that it answers."""
    q = t.queries.c
    asked_or_answered = or_(q.message_id.in_(message_ids), q.question_message_id.in_(message_ids))
    replied = t.messages.alias("replied")
    query = (
        select(t.queries, replied.c.confidence.label("label"), replied.c.created_at.label("answered_at"))
        .outerjoin(replied, replied.c.message_id == q.message_id)
        .where(asked_or_answered)
        .order_by(q.created_at, q.query_id)
    )
    rows = unit.connection.execute(query).all()
    query_ids = [row.query_id for row in rows]
    seats, states = _shown_seats(unit, query_ids), states_of(unit, rows)
    found: dict[str, Behind] = {}
    for row in rows:
        one = _behind(row, states[row.query_id], seats.get(row.query_id))
        found |= {each: one for each in (row.question_message_id, row.message_id) if each is not None}
    return found


def took(unit: Unit, query_id: str) -> float:
    """Return the seconds from asking a question to its answer; 0 without one."""
    q, replied = t.queries.c, t.messages.c
    query = select(q.created_at, replied.created_at.label("answered_at"))
    found = unit.connection.execute(
        query.join_from(t.queries, t.messages, replied.message_id == q.message_id).where(q.query_id == query_id)
    ).first()
    return _seconds(found) if found else 0.0


def _shown_seats(unit: Unit, query_ids: Sequence[str]) -> Mapping[str, str]:
    runs = t.model_runs.c
    shown = runs.query_id.in_(query_ids), runs.round == "answer", runs.vcg_winner
    return {row[0]: row[1] for row in unit.connection.execute(select(runs.query_id, runs.specialist).where(*shown))}


def _seconds(row: Any) -> float:
    """Return what a question took; a clock that was set back meanwhile makes it nothing, never less."""
    if row.answered_at is None:
        return 0.0
    return max(0.0, (from_timestamp(row.answered_at) - from_timestamp(row.created_at)).total_seconds())


def _behind(row: Any, state: str, seat: str | None) -> Behind:
    document: Mapping[str, Any] = json.loads(row.decision) if row.decision else {}
    candidates = document.get("candidates", ())
    chosen = next((c for c in candidates if seat in c["supporters"]), None)
    label = ConfidenceLabel(row.label) if row.label else None
    return Behind(
        query_id=row.query_id,
        trace_id=row.trace_id,
        state=state,
        level=row.level,
        confidence=Confidence(label, document.get("basis") or UNKNOWN_BASIS, row.p_right) if label else None,
        seat=seat,
        agree=len(chosen["supporters"]) if chosen else 0,
        answered=sum(len(c["supporters"]) for c in candidates),
        abstained=len(document.get("abstained", ())),
        effective_votes=document.get("effective_votes"),
        cost_micros=row.cost_micros,
        asks_grade=row.asks_grade,
        asked_in=row.question_message_id,
        seconds=_seconds(row),
    )
