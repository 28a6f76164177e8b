"""What asking models took, by day and member, and how much of the budget is left."""

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from auritas.council.adapters.usage_sql import UsageRow, usage
from auritas.kernel.clock import Clock
from auritas.kernel.ports import Store
from auritas.store import Unit

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from auritas.gateway.model import Spend

__all__ = ["Budgets", "Spent", "UsageReport", "UsageRow", "UsageView"]


@dataclass(frozen=True, slots=True)
class Budgets:
    """What models elsewhere may take, as it is set; None: any."""

    question_tokens: int | None
    question_micros: int | None
    day_tokens: int | None
    day_micros: int | None


@dataclass(frozen=True, slots=True)
class Spent:
    """What models elsewhere have taken on one day (UTC)."""

    day: str
    tokens: int
    cost_micros: int


@dataclass(frozen=True, slots=True)
class UsageReport:
    """Rows from the day `since` on, newest first; what was spent today; and the limits."""

    since: str
    rows: tuple[UsageRow, ...]
    today: Spent
    budgets: Budgets


@dataclass(frozen=True, slots=True)
class UsageView:
    """Reads what was used; writes nothing. budgets: as they are set now."""

    store: Store[Unit]
    spent_today: "Callable[[], Awaitable[Spend]]"
    budgets: Budgets
    clock: Clock

    async def today(self) -> Spent:
        """Return what was spent today."""
        day = f"{self.clock.now():%Y-%m-%d}"
        spend = await self.spent_today()
        return Spent(day, spend.tokens, spend.micros)

    def today_by_member(self) -> tuple[UsageRow, ...]:
        """Return what was used today."""
        with self.store.read() as unit:
            return usage(unit, f"{self.clock.now():%Y-%m-%d}")

    def report(self, days: int, today: Spent) -> UsageReport:
        """Return what was used on the last `days` days, today included."""
        since = f"{self.clock.now() - timedelta(days=days - 1):%Y-%m-%d}"
        with self.store.read() as unit:
            rows = usage(unit, since)
        return UsageReport(since, rows, today, self.budgets)
