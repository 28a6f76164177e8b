"""Duties: they beat, are noticed when they die, and begin anew."""

import asyncio
from datetime import timedelta
from typing import Self

import pytest

from auritas.app.duties import Duties, Duty, ailing
from auritas.kernel.clock import ManualClock
from auritas.kernel.diagnostics import KeptDiagnostics
from auritas.kernel.tasks import TaskSpawner

EVERY = timedelta(seconds=10)


class PacedClock(ManualClock):
    """A clock whose sleepers wait until the test lets time pass."""

    def __init__(self) -> None:
        super().__init__()
        self.sleeping: list[tuple[float, asyncio.Event]] = []

    async def sleep(self, seconds: float) -> None:
        woken = asyncio.Event()
        self.sleeping.append((self.monotonic() + seconds, woken))
        await woken.wait()

    async def pass_(self, seconds: float) -> None:
        """Let time pass, wake whoever has slept enough, and let them work."""
        self.advance(seconds)
        for due, woken in self.sleeping:
            if due <= self.monotonic():
                woken.set()
        self.sleeping = [(due, woken) for due, woken in self.sleeping if not woken.is_set()]
        await settle()


async def settle() -> None:
    for _ in range(40):
        await asyncio.sleep(0.002)


class Bench:
    """Some duties, and what became of them."""

    def __init__(self, *duties: Duty) -> None:
        self.clock = PacedClock()
        self.kept = KeptDiagnostics()
        self.duties = Duties(duties, TaskSpawner(), self.clock, lambda: self.kept)

    async def __aenter__(self) -> Self:
        self.duties.start()
        await settle()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.duties.aclose()


@pytest.mark.anyio
async def test_a_duty_that_dies_is_noticed_restarted_and_told():
    """A worker that raises is noted by type alone, told in its heartbeat, tried again later and later, and forgiven."""
    rounds = 0

    async def work() -> None:
        nonlocal rounds
        rounds += 1
        if rounds <= 2:
            raise ValueError("words of a person")

    async with Bench(Duty("notes", EVERY, work)) as bench:
        (beat,) = ailing(bench.duties.heartbeats())
        assert (beat.failures, beat.error, beat.fresh) == (1, "ValueError", True)
        assert bench.kept.troubles == [("notes", "ValueError")]
        await bench.clock.pass_(1)
        assert rounds == 2
        await bench.clock.pass_(1)
        assert rounds == 2, "the second pause is longer than the first"
        await bench.clock.pass_(1)
        assert rounds == 3
        assert not ailing(bench.duties.heartbeats())


@pytest.mark.anyio
async def test_one_that_dies_takes_no_other_along():
    """The other duties go on at their own pace while one fails."""
    worked = []

    async def fails() -> None:
        raise OSError

    async def works() -> None:
        worked.append(1)

    async with Bench(Duty("bad", EVERY, fails), Duty("good", EVERY, works)) as bench:
        for _ in range(3):
            await bench.clock.pass_(10)
        assert len(worked) == 4
        assert [beat.name for beat in ailing(bench.duties.heartbeats())] == ["bad"]


@pytest.mark.anyio
async def test_a_duty_that_hangs_is_noticed():
    """Work that takes longer than its patience is no longer fresh, although nothing was raised."""
    started = asyncio.Event()

    async def hangs() -> None:
        started.set()
        await asyncio.Event().wait()

    duty = Duty("hangs", EVERY, hangs, patience=timedelta(minutes=1))
    async with Bench(duty) as bench:
        await started.wait()
        bench.clock.advance(60)
        assert not ailing(bench.duties.heartbeats())
        bench.clock.advance(60)
        (beat,) = ailing(bench.duties.heartbeats())
        assert not beat.fresh
        assert beat.age_s == pytest.approx(120)


@pytest.mark.anyio
async def test_nothing_is_done_that_is_not_due():
    """A duty that is not due beats all the same."""
    worked = []

    async def work() -> None:
        worked.append(1)

    async with Bench(Duty("idle", EVERY, work, lambda: False)) as bench:
        await bench.clock.pass_(10)
        assert not worked
        assert not ailing(bench.duties.heartbeats())


@pytest.mark.anyio
async def test_what_can_wait_leaves_the_start_to_the_page():
    """Duties that can wait begin after the rest and count as alive from the first; those that cannot begin at once."""
    worked: list[str] = []

    def duty(name: str, *, waits: bool) -> Duty:
        async def work() -> None:
            worked.append(name)

        return Duty(name, EVERY, work, waits=waits)

    clock = PacedClock()
    duties = Duties((duty("vectors", waits=True), duty("index", waits=False)), TaskSpawner(), clock, lambda: None)
    duties.start(3.0)
    try:
        await settle()
        assert worked == ["index"]
        assert [beat.ok for beat in duties.heartbeats()] == [True, True]
        await clock.pass_(3)
        assert worked == ["index", "vectors"]
    finally:
        await duties.aclose()


@pytest.mark.anyio
async def test_paused_duties_rest_and_beat_and_go_on_later():
    """While paused, what can wait is not begun and counts as alive; what cannot goes on; afterwards all do."""
    worked = []

    async def work(name: str) -> None:
        worked.append(name)

    duties = (Duty("notes", EVERY, lambda: work("notes")), Duty("index", EVERY, lambda: work("index"), waits=False))
    async with Bench(*duties) as bench:
        assert sorted(worked) == ["index", "notes"]
        bench.duties.switch.paused = True
        for _ in range(3):
            await bench.clock.pass_(10)
        assert worked.count("notes") == 1
        assert worked.count("index") == 4
        assert not ailing(bench.duties.heartbeats())
        bench.duties.switch.paused = False
        await bench.clock.pass_(10)
        assert worked.count("notes") == 2


@pytest.mark.anyio
async def test_duties_end_when_they_are_told_to():
    """Closing cancels what is under way, waits for it, and runs what ends beside it."""
    ended = []

    async def work() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("work")

    async def last() -> None:
        ended.append("last")

    duties = Duties([Duty("long", EVERY, work)], TaskSpawner(), PacedClock(), lambda: None, ending=[last])
    duties.start()
    await settle()
    await duties.aclose()
    await duties.aclose()
    assert ended == ["work", "last"]
