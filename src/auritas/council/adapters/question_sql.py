"""One question of the past with everything that was kept of it besides its answers."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select

from auritas.council.adapters.answered_sql import states_of
from auritas.kernel.answers import ReviewVerdict
from auritas.kernel.clock import from_timestamp
from auritas.store import Unit
from auritas.store import schema as t


@dataclass(frozen=True, slots=True)
class ReviewKept:
    """A blind review as it was kept. seat: whose answer was read. correction: proposed, and never believed unasked."""

    reviewer: str
    run_id: str
    seat: str
    verdict: ReviewVerdict
    issues: tuple[str, ...]
    correction: str
    at: datetime


@dataclass(frozen=True, slots=True)
class QuestionKept:
    """What the row of a question says. without: what would have been chosen without each seat. audit_seq: of its trace.

    message_id: of the answer; question_message_id: of the question; either is None once it was deleted.
    """

    conversation_id: str
    question_message_id: str | None
    message_id: str | None
    level: str
    status: str
    at: datetime
    trace_id: str | None
    cost_micros: int
    degraded: tuple[str, ...]
    asks_grade: str | None
    without: Mapping[str, str | None]
    rationale: str
    audit_seq: int | None


def kept(unit: Unit, query_id: str) -> QuestionKept | None:
    """Return what was kept of a question, None if it is unknown."""
    q, traces = t.queries.c, t.traces.c
    query = (
        select(t.queries, traces.document.label("trace"), traces.audit_seq.label("audit_seq"))
        .outerjoin(t.traces, traces.trace_id == q.trace_id)
        .where(q.query_id == query_id)
    )
    row = unit.connection.execute(query).first()
    if row is None:
        return None
    return QuestionKept(
        conversation_id=row.conversation_id,
        question_message_id=row.question_message_id,
        message_id=row.message_id,
        level=row.level,
        status=states_of(unit, [row])[query_id],
        at=from_timestamp(row.created_at),
        trace_id=row.trace_id,
        cost_micros=row.cost_micros,
        degraded=tuple(json.loads(row.degraded)),
        asks_grade=row.asks_grade,
        without=json.loads(row.decision).get("without", {}) if row.decision else {},
        rationale=json.loads(row.trace)["rationale"] if row.trace else "",
        audit_seq=row.audit_seq,
    )


def reviews_of(unit: Unit, query_id: str) -> tuple[ReviewKept, ...]:
    """Return the blind reviews of a question's answers, in the order in which they were written."""
    reviews, runs = t.reviews.c, t.model_runs.c
    query = (
        select(t.reviews, runs.specialist)
        .join(t.model_runs, runs.run_id == reviews.run_id)
        .where(runs.query_id == query_id, reviews.known_answer.is_(False))
        .order_by(reviews.created_at, reviews.id)
    )
    return tuple(
        ReviewKept(
            row.reviewer,
            row.run_id,
            row.specialist,
            ReviewVerdict(row.verdict),
            tuple(json.loads(row.issues)),
            row.correction or "",
            from_timestamp(row.created_at),
        )
        for row in unit.connection.execute(query)
    )
