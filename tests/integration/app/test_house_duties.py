"""The duties of a house, over a real store."""

import asyncio
from dataclasses import replace
from typing import Any

import pytest
from tests.integration.app.hall import Hall, voice

from auritas.app.duties import ailing
from auritas.app.house_duties import QUIET, _House, duties_of
from auritas.app.household import Household
from auritas.app.presence import held, here
from auritas.app.settings import load
from auritas.gateway.adapters.scripted import Hang, ScriptedModel
from auritas.kernel.clock import SystemClock
from auritas.kernel.tasks import TaskSpawner


@pytest.fixture
def hall(tmp_path, ids, rng):
    found = Hall(tmp_path / "hall", SystemClock(), ids, rng)
    yield found
    found.close()


def house_of(hall: Hall) -> Household:
    house = Household(hall.auritas.settings, opener=lambda _settings, _passphrase: hall.auritas)
    house.open()
    return house


async def until(condition) -> None:
    async with asyncio.timeout(60):
        while not condition():  # noqa: ASYNC110  what is waited for is in a database
            await asyncio.sleep(0.02)


@pytest.mark.anyio
async def test_every_duty_does_its_first_round(hall):
    """Over a fresh store all duties run without a failure, and the index has a living worker."""
    duties = duties_of(house_of(hall), SystemClock())
    duties.start()
    try:
        await until(lambda: all(beat.age_s < 5 and not beat.failures for beat in duties.heartbeats()))
        await until(lambda: hall.auritas.indexing.health().worker is not None)
        assert not ailing(duties.heartbeats()), duties.heartbeats()
        assert not hall.auritas.kept.troubles
    finally:
        await duties.aclose()


@pytest.mark.anyio
async def test_messages_are_indexed_without_anybody_asking(hall):
    """What is said is found by the worker of the index, which gives its job up at the end."""
    hall.seat(voice("ada"), 15)
    await_question = hall.auritas.ask("Is it so?", level=hall.auritas.settings.level)
    async for _ in await_question:
        pass
    duties = duties_of(house_of(hall), SystemClock())
    duties.start()
    try:
        await until(lambda: hall.auritas.indexing.health().indexed >= 2)
    finally:
        await duties.aclose()
    assert hall.auritas.indexing.health().waiting == 0


@pytest.mark.anyio
async def test_a_locked_house_has_nothing_to_do(tmp_path):
    """While no store is open every duty beats and none fails."""
    duties = duties_of(Household(load(home=tmp_path)), SystemClock())
    duties.start()
    try:
        await asyncio.sleep(0.1)
        assert duties.heartbeats()
        assert not ailing(duties.heartbeats())
    finally:
        await duties.aclose()


@pytest.mark.anyio
async def test_whoever_asks_comes_before_work_that_nobody_waits_for(hall):
    """Work of models that was begun while all was quiet is given up as soon as somebody asks something."""
    hall.seat(ScriptedModel("slow", scripts=[["I think", Hang()]]))
    household = house_of(hall)
    house = _House(household, SystemClock(), TaskSpawner())
    begun, ended = asyncio.Event(), []

    async def note() -> None:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("given up")

    idle = asyncio.ensure_future(house._while_quiet(note))
    await begun.wait()
    desk = household.desk_of("local", hall.auritas)
    run = desk.start("ask", "Is it so?", lambda: hall.auritas.ask("Is it so?", level=hall.auritas.settings.level))
    async with asyncio.timeout(30):
        await idle
    assert ended == ["given up"]
    assert run.running
    desk.stop(run.id)
    await until(lambda: not run.running)
    assert QUIET.total_seconds() > 0
    assert house._asked_lately(), "not at once after a question either: the next one may come"
    await household.aclose()


@pytest.mark.anyio
async def test_a_command_leaves_to_the_server_what_the_server_does(hall):
    """While another process serves the home, a command that ends makes no backup in its way; alone it does."""
    hall.seat(voice("ada"), 15)
    async for _ in hall.auritas.ask("Is it so?", level=hall.auritas.settings.level):
        pass
    home, backups = hall.auritas.settings.home, hall.auritas.store.home.backups
    with held(home, SystemClock()) as post:
        post.announce(replace(here("http://127.0.0.1:1", SystemClock()), pid=1))
        hall.auritas.upkeep.at_end()
        assert not list(backups.glob("*.backup"))
    hall.auritas.upkeep.at_end()
    assert list(backups.glob("*.backup"))


@pytest.mark.anyio
async def test_what_fails_for_one_person_is_done_for_the_others(hall):
    """A store that cannot be worked on keeps no other waiting for ever, and the failure is told."""
    house, done = _House(house_of(hall), SystemClock(), TaskSpawner()), []
    both: Any = lambda: iter([("local", "broken"), ("anna", "whole")])  # noqa: E731  stands in for two open stores
    house.__dict__["_open"] = both

    def work(store: object, _stopped: object) -> None:
        if store == "broken":
            raise OSError("words of a person")
        done.append(store)

    with pytest.raises(OSError, match="words"):
        await house._each_in_thread(work)()
    assert done == ["whole"]


@pytest.mark.anyio
async def test_work_that_nobody_waits_for_is_not_begun_while_somebody_asks(hall):
    """While somebody asks it is not even made, so that nothing is left that was never awaited."""
    hall.seat(ScriptedModel("slow", scripts=[["I think", Hang()]]))
    household, begun = house_of(hall), []
    house = _House(household, SystemClock(), TaskSpawner())
    desk = household.desk_of("local", hall.auritas)
    desk.start("ask", "Is it so?", lambda: hall.auritas.ask("Is it so?", level=hall.auritas.settings.level))

    async def note(one: object) -> None:
        begun.append(one)

    await house._each_when_idle(note)()
    assert not begun
    await household.aclose()
