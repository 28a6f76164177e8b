"""What each seat was asked and what its answers took, from table model_runs."""

from collections import defaultdict
from statistics import median

from sqlalchemy import and_, desc, func, select

from auritas.council.adapters.answered_sql import ANSWER_ROUND
from auritas.council.standing import Runs
from auritas.store import Unit
from auritas.store import schema as t

NEWEST = 2_000
"""Runs that medians are taken of: old ones were perhaps on another machine."""


def runs_by_seat(unit: Unit) -> dict[str, Runs]:
    """Return what every seat was asked, also seats that are empty now."""
    r = t.model_runs.c
    silent = and_(~r.abstained, (r.error.is_not(None)) | (r.text == ""))
    totals = (
        select(
            r.specialist,
            func.count(),
            func.count().filter(silent),
            func.count().filter(r.abstained),
            func.sum(r.cost_micros),
        )
        .where(r.round == ANSWER_ROUND)
        .group_by(r.specialist)
    )
    first, total = _medians(unit)
    return {
        seat: Runs(asked, quiet, abstained, first.get(seat), total.get(seat), cost or 0)
        for seat, asked, quiet, abstained, cost in unit.connection.execute(totals)
    }


def _medians(unit: Unit) -> tuple[dict[str, float], dict[str, float]]:
    """Return the median time to the first token and to the end, in ms, by seat."""
    r = t.model_runs.c
    newest = (
        select(r.specialist, r.latency_ms, r.total_ms)
        .where(r.round == ANSWER_ROUND, r.text != "")
        .order_by(desc(r.created_at), desc(r.run_id))
        .limit(NEWEST)
    )
    first, total = defaultdict(list), defaultdict(list)
    for seat, first_ms, total_ms in unit.connection.execute(newest):
        if first_ms is not None:
            first[seat].append(first_ms)
        if total_ms is not None:
            total[seat].append(total_ms)
    return {seat: median(each) for seat, each in first.items()}, {seat: median(each) for seat, each in total.items()}
