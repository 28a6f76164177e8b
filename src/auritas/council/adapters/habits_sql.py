"""What members' recent answers took."""

from sqlalchemy import desc, func, select

from auritas.council.expectation import Habit
from auritas.store import Unit
from auritas.store import schema as t

NEWEST = 200
_MS = 1000


_R = t.model_runs.c
_RECENT = (
    select(_R.specialist, _R.total_ms, _R.cost_micros)
    .where(_R.text != "")
    .order_by(desc(_R.created_at), desc(_R.run_id))
    .limit(NEWEST)
    .subquery()
    .c
)
_HABITS = select(_RECENT.specialist, func.avg(_RECENT.total_ms), func.avg(_RECENT.cost_micros)).group_by(
    _RECENT.specialist
)


def habits(unit: Unit) -> dict[str, Habit]:
    """Return for each seat the mean time and cost of its answers among the NEWEST runs."""
    rows = unit.connection.execute(_HABITS)
    return {seat: Habit((ms or 0.0) / _MS, float(cost)) for seat, ms, cost in rows}
