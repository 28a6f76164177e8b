"""What models were asked and what that took, by day: answers from their runs, reviews from the audit log."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import func, select

from auritas.kernel.log import Kind
from auritas.store import Unit
from auritas.store import schema as t

_DAY = len("2026-01-01")


@dataclass(frozen=True, slots=True)
class UsageRow:
    """Calls of one kind to one member on one day (UTC). kind: answer, review, check or comparison.

    failed: calls that ended with a failure; reviews do not tell. cost_micros: in millionths of the currency unit.
    """

    day: str
    seat: str
    model: str
    kind: str
    calls: int
    failed: int
    tokens_in: int
    tokens_out: int
    cost_micros: int


def usage(unit: Unit, since: str) -> tuple[UsageRow, ...]:
    """Return what was used from the day `since` (an ISO date) on, newest day first."""
    rows = [*_answers(unit, since), *_reviews(unit, since)]
    return tuple(sorted(rows, key=lambda row: (row.day, row.cost_micros, row.seat, row.model, row.kind), reverse=True))


def _answers(unit: Unit, since: str) -> list[UsageRow]:
    r = t.model_runs.c
    day = func.substr(r.created_at, 1, _DAY)
    query = (
        select(
            day,
            r.specialist,
            func.coalesce(r.model, r.specialist),
            func.count(),
            func.count().filter(r.error.is_not(None)),
            func.sum(r.tokens_in),
            func.sum(r.tokens_out),
            func.sum(r.cost_micros),
        )
        .where(r.created_at >= since)
        .group_by(day, r.specialist, func.coalesce(r.model, r.specialist))
    )
    return [
        UsageRow(row[0], row[1], row[2], "answer", row[3], row[4], row[5] or 0, row[6] or 0, row[7] or 0)
        for row in unit.connection.execute(query)
    ]


def _reviews(unit: Unit, since: str) -> list[UsageRow]:
    log = t.audit_log.c
    day, kind = func.substr(log.created_at, 1, _DAY), _ref("event")
    query = (
        select(
            day, log.actor, kind, func.count(), *(func.sum(_ref(n)) for n in ("tokens_in", "tokens_out", "cost_micros"))
        )
        .where(log.event_type == Kind.REVIEW, log.created_at >= since)
        .group_by(day, log.actor, kind)
    )
    return [
        UsageRow(row[0], row[1], row[1], row[2] or "review", row[3], 0, row[4] or 0, row[5] or 0, row[6] or 0)
        for row in unit.connection.execute(query)
    ]


def _ref(name: str) -> Any:
    return func.json_extract(t.audit_log.c.refs, f"$.{name}")
