"""Keeps count of tokens and money, per question and per day, and of what calls in flight may still take."""

from collections import OrderedDict
from dataclasses import dataclass, field

from auritas.gateway.errors import BudgetSpent
from auritas.gateway.model import Budget, Purpose, Spend, SpendLedger
from auritas.gateway.policy.budget import overrun
from auritas.kernel.clock import Clock

_QUESTIONS_KEPT = 1_000
"""Questions whose spending is remembered; far more than can be open at once."""


@dataclass
class Account:
    """What was spent on one thing, and what calls in flight may still take from it."""

    spent: Spend = field(default_factory=Spend)
    flying: dict[str, list[Spend]] = field(default_factory=dict)

    def reserve(self, model: str, most: Spend) -> None:
        """Take room."""
        self.flying.setdefault(model, []).append(most)

    def settle(self, model: str, most: Spend, spend: Spend) -> None:
        """Give the room back and book what was taken."""
        self.flying[model].remove(most)
        self.spent += spend


@dataclass(frozen=True, eq=False, slots=True)
class Reservation:
    """Room taken by a call in flight, in the accounts of its question and its day."""

    model: str
    day: str
    most: Spend
    accounts: tuple[Account, Account]


class MemorySpend:
    """A ledger of days that forgets with the process."""

    def __init__(self) -> None:
        self._days: dict[str, Spend] = {}

    async def spent(self, day: str) -> Spend:
        return self._days.get(day, Spend())

    async def add(self, day: str, spend: Spend) -> None:
        self._days[day] = await self.spent(day) + spend


class Spending:
    """Admits calls while the budget leaves room. Days are those of UTC."""

    def __init__(self, budget: Budget, ledger: SpendLedger, clock: Clock) -> None:
        self._budget = budget
        self._ledger = ledger
        self._clock = clock
        self._questions: OrderedDict[str, Account] = OrderedDict()
        self._days: dict[str, Account] = {}

    async def reserve(self, model: str, purpose: Purpose, most: Spend) -> Reservation:
        """Take room for one call. Raises BudgetSpent when a limit leaves none."""
        today = self._clock.now().date().isoformat()
        day = await self._day(today)
        question = self._question(purpose.query_id)
        spent = overrun(self._budget, model, (question.spent, question.flying), (day.spent, day.flying))
        if spent is not None:
            raise BudgetSpent(spent.what, spent.limit, spent.spent)
        reservation = Reservation(model, today, most, (question, day))
        for account in reservation.accounts:
            account.reserve(model, most)
        return reservation

    async def settle(self, reservation: Reservation, spend: Spend) -> None:
        """Give the room back and book what the call really took."""
        for account in reservation.accounts:
            account.settle(reservation.model, reservation.most, spend)
        if spend != Spend():
            await self._ledger.add(reservation.day, spend)

    async def today(self) -> Spend:
        """Return what was spent today."""
        return (await self._day(self._clock.now().date().isoformat())).spent

    async def _day(self, day: str) -> Account:
        if day not in self._days:
            spent = await self._ledger.spent(day)
            # Another call may have opened the day while this one was reading.
            self._days.setdefault(day, Account(spent))
        return self._days[day]

    def _question(self, query_id: str | None) -> Account:
        if query_id is None:
            return Account()
        account = self._questions.setdefault(query_id, Account())
        self._questions.move_to_end(query_id)
        while len(self._questions) > _QUESTIONS_KEPT:
            self._questions.popitem(last=False)
        return account
