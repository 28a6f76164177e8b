"""What asking models took."""

import asyncio
from typing import Annotated

from fastapi import Query

from auritas.app.access import Scope
from auritas.app.shapes.council import UsageReport
from auritas.server.caller import Mine, needs
from auritas.server.examples import shows
from auritas.server.router import Router

router = Router(prefix="/api/v1/usage", tags=["usage"], dependencies=[needs(Scope.STATUS)])
Days = Annotated[int, Query(ge=1, le=366, description="How many days back, today included.")]
_EXAMPLE = {
    "since": "2026-11-20",
    "rows": [
        {
            "day": "2026-11-20",
            "seat": "ada",
            "model": "ada",
            "kind": "answer",
            "calls": 12,
            "failed": 0,
            "tokens_in": 2880,
            "tokens_out": 372,
            "cost_micros": 0,
        }
    ],
    "today": {"day": "2026-11-20", "tokens": 0, "cost_micros": 0},
    "budgets": {"question_tokens": None, "question_micros": None, "day_tokens": None, "day_micros": None},
}


@router.get("", responses=shows(_EXAMPLE))
async def show_usage(mine: Mine, days: Days = 30) -> UsageReport:
    """Return calls, tokens and cost by day (UTC), member, model and kind, and what is left of the budget."""
    today = await mine.usage.today()
    return await asyncio.to_thread(mine.usage.report, days, today)
