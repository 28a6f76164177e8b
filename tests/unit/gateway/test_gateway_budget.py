"""Budgets: when a call may begin, and how far a limit can be passed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auritas.gateway.errors import BudgetSpent
from auritas.gateway.model import Budget, Purpose, Spend
from auritas.gateway.policy.budget import ceiling, estimate, overrun
from auritas.gateway.spending import MemorySpend, Spending
from auritas.kernel.clock import ManualClock
from auritas.kernel.errors import InvalidError
from auritas.kernel.model import Message, Params, Price, Prompt, Role

WHY = Purpose("test", query_id="q")
NOBODY: dict[str, list[Spend]] = {}


def test_a_limit_that_is_reached_stops_the_next_call():
    """At the limit nothing begins, one below it one call does."""
    budget = Budget(tokens_per_day=100)
    assert overrun(budget, "m", (Spend(), NOBODY), (Spend(99), NOBODY)) is None
    found = overrun(budget, "m", (Spend(), NOBODY), (Spend(100), NOBODY))
    assert found is not None
    assert found.what == "tokens for today"


def test_nothing_is_limited_by_default():
    """An empty budget lets everything through."""
    assert overrun(Budget(), "m", (Spend(10**9, 10**9), NOBODY), (Spend(10**9, 10**9), NOBODY)) is None


def test_a_budget_is_never_negative():
    """A negative limit is a typing error and is refused."""
    with pytest.raises(InvalidError):
        Budget(tokens_per_day=-1)


@given(
    st.integers(0, 500),
    st.lists(st.tuples(st.sampled_from("abc"), st.integers(1, 100), st.integers(0, 100), st.booleans()), max_size=60),
)
def test_a_limit_is_passed_by_at_most_one_call_of_each_model(limit: int, calls: list[tuple[str, int, int, bool]]):
    """Whatever is admitted and however calls overlap, spending stays below the limit plus one call per model."""
    budget = Budget(tokens_per_day=limit)
    spent, largest = Spend(), dict.fromkeys("abc", 0)
    flying: dict[str, list[Spend]] = {name: [] for name in "abc"}
    for name, most, share, settles in calls:
        if overrun(budget, name, (Spend(), NOBODY), (spent, flying)) is None:
            flying[name].append(Spend(most))
            largest[name] = max(largest[name], most)
        if settles and flying[name]:
            done = flying[name].pop(0)
            spent += Spend(done.tokens * share // 100)
    everything = spent.tokens + sum(s.tokens for reserved in flying.values() for s in reserved)
    assert everything <= limit + sum(largest.values())


@given(st.text(max_size=200), st.integers(1, 1_000), st.integers(0, 10**7))
def test_an_estimate_is_never_above_the_ceiling(text: str, max_tokens: int, price: int):
    """What a stopped call has probably cost is at most what was reserved for it."""
    prompt, priced = Prompt((Message(Role.USER, text),)), Price(price, price)
    most = ceiling(prompt, Params(max_tokens=max_tokens), priced)
    likely = estimate(prompt, "x" * max_tokens, priced)
    assert likely.tokens <= most.tokens
    assert likely.micros <= most.micros


@pytest.mark.anyio
async def test_room_is_given_back_and_the_real_cost_is_booked(clock: ManualClock):
    """A call that took less than reserved leaves room for the next."""
    spending = Spending(Budget(tokens_per_question=100), MemorySpend(), clock)
    first = await spending.reserve("a", WHY, Spend(100))
    with pytest.raises(BudgetSpent):
        await spending.reserve("a", WHY, Spend(100))
    await spending.settle(first, Spend(40, 7))
    second = await spending.reserve("a", WHY, Spend(100))
    await spending.settle(second, Spend(60, 7))
    with pytest.raises(BudgetSpent, match="100 of 100"):
        await spending.reserve("a", WHY, Spend(1))
    await spending.reserve("a", Purpose("test", query_id="another"), Spend(1))
    assert await spending.today() == Spend(100, 14)


@pytest.mark.anyio
async def test_a_new_day_has_a_new_budget(clock: ManualClock):
    """Days are those of UTC, and what a day cost stays in its ledger."""
    ledger = MemorySpend()
    spending = Spending(Budget(micros_per_day=10), ledger, clock)
    await spending.settle(await spending.reserve("a", WHY, Spend(1, 10)), Spend(1, 10))
    with pytest.raises(BudgetSpent, match="money for today"):
        await spending.reserve("a", WHY, Spend(1, 1))
    clock.advance(24 * 3600)
    await spending.reserve("a", WHY, Spend(1, 1))
    assert await ledger.spent("2026-01-01") == Spend(1, 10)


@pytest.mark.anyio
async def test_a_restart_does_not_refill_the_day(clock: ManualClock):
    """A second process starts from what the ledger of the day holds."""
    ledger = MemorySpend()
    await ledger.add("2026-01-01", Spend(5, 10))
    with pytest.raises(BudgetSpent):
        await Spending(Budget(micros_per_day=10), ledger, clock).reserve("a", WHY, Spend(1, 1))
