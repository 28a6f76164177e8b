"""What members' recent answers took."""

from sqlalchemy import desc, func, select

from auritas.council.expectation import Habit
from auritas.store import Unit
from auritas.store import schema as t

NEWEST = 200
_MS = 1000


def habits(unit: Unit) -> dict[str, Habit]:
    """Return for each seat the mean time and cost of its answers among the NEWEST runs."""
    r = t.model_runs.c
    recent = (
        select(r.specialist, r.total_ms, r.cost_micros)
        .where(r.text != "")
        .order_by(desc(r.created_at), desc(r.run_id))
        .limit(NEWEST)
        .subquery()
    )
    c = recent.c
    rows = unit.connection.execute(
        select(c.specialist, func.avg(c.total_ms), func.avg(c.cost_micros)).group_by(c.specialist)
    )
    return {seat: Habit((ms or 0.0) / _MS, float(cost)) for seat, ms, cost in rows}
