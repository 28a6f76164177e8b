"""Backups and duties end when nobody wants them any more, and leave nothing half done."""

import asyncio
import threading
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from tests.integration.app.hall import Hall, voice

from auritas.app.duties import Duties, Duty
from auritas.app.household import GoneError, Household
from auritas.app.keeping import while_wanted
from auritas.app.progress import told
from auritas.app.stoppable import StoppedError, in_thread
from auritas.kernel.clock import SystemClock
from auritas.kernel.tasks import TaskSpawner
from auritas.store.backup import Stage

pytestmark = pytest.mark.anyio
EVERY_STAGE = list(Stage)


@pytest.fixture
def hall(tmp_path, clock, ids, rng) -> Iterator[Hall]:
    found = Hall(tmp_path / "hall", clock, ids, rng)
    yield found
    found.close()


def house_of(hall: Hall) -> Household:
    house = Household(hall.auritas.settings, opener=lambda _settings, _passphrase: hall.auritas)
    house.open()
    return house


def files_in(folder: Path) -> list[str]:
    return [path.name for path in folder.rglob("*") if path.is_file()] if folder.exists() else []


@pytest.mark.parametrize("stage", EVERY_STAGE)
async def test_a_backup_that_is_stopped_leaves_no_file(hall, stage):
    """At whatever stage it is stopped, it ends there, and neither a whole backup nor a part of one stays (F13)."""
    hall.seat(voice("ada"), 15)
    await hall.ask("Is it so?")
    keeping, stopped, seen = hall.auritas.keeping, threading.Event(), list[Stage]()

    def look(now: Stage, _done: int, _total: int) -> None:
        seen.append(now)
        if now is stage:
            stopped.set()

    with pytest.raises(StoppedError):
        keeping.back_up_now(None, while_wanted(stopped, look))
    assert seen[-1] is stage
    assert files_in(hall.auritas.store.home.backups) == []
    assert keeping.back_up_now(None).size


async def test_a_cancelled_run_waits_until_its_backup_has_ended(hall):
    """When stopping it returns, no thread works on it any more and nothing of it lies there (F13)."""
    begun, go_on = threading.Event(), threading.Event()

    class Held(type(hall.auritas.keeping)):  # type: ignore[misc]
        def back_up_now(self, passphrase, progress):
            def slow(stage: Stage, done: int, total: int) -> None:
                begun.set()
                go_on.wait(30)
                progress(stage, done, total)

            return super().back_up_now(passphrase, slow)

    found = hall.auritas.keeping
    held = Held(found.store, found.log, found.unlocked, found.clock, found.entropy, found.keychain)
    steps = told("backup", lambda steps: held.backing_up(None, steps), TaskSpawner())

    async def follow() -> None:
        async for _ in steps:
            pass

    task = TaskSpawner().spawn("follow", follow())
    await asyncio.to_thread(begun.wait, 30)
    task.cancel()
    await asyncio.sleep(0)
    go_on.set()
    await asyncio.wait([task])
    await steps.aclose()
    assert files_in(hall.auritas.store.home.backups) == []


async def test_a_wipe_ends_duties_and_runs_before_it_destroys_anything(hall):
    """What recurs and what runs has ended, a backup among it, when the key goes; nobody begins anything after (F13)."""
    house, begun = house_of(hall), threading.Event()
    desk, ended = house.desk_of("local", hall.auritas), list[bool]()
    envelope = hall.auritas.store.home.envelope

    def back_up(stopped: threading.Event) -> None:
        def slow(_stage: Stage, _done: int, _total: int) -> None:
            begun.set()
            stopped.wait(30)

        try:
            hall.auritas.keeping.back_up_now(None, while_wanted(stopped, slow))
        finally:
            ended.append(envelope.exists())

    duty = Duty("backup", timedelta(hours=1), lambda: in_thread(back_up))
    house.duties = Duties([duty], TaskSpawner(), SystemClock(), lambda: None)
    house.duties.start()
    run = desk.start("ask", "words", lambda: hall.auritas.ask("Is it so?", level=hall.auritas.settings.level))
    await asyncio.to_thread(begun.wait, 30)
    wiped = await house.wipe()
    assert not wiped.left
    assert ended in ([True], [True, True])
    assert (run.running, house.desks) == (False, ())
    assert files_in(hall.auritas.settings.home) == []
    with pytest.raises(GoneError):
        _ = house.main


async def test_a_server_that_closes_signs_and_begins_nothing_long(hall):
    """Closing a household makes no backup and learns nothing, so that it ends as soon as it is told to; it signs."""
    hall.seat(voice("ada"), 15)
    await hall.ask("Is it so?")
    hall.auritas.upkeep.at_end(brief=True)
    assert files_in(hall.auritas.store.home.backups) == []
    with hall.auritas.store.read() as unit:
        assert hall.auritas.log.identities.examined(unit)[0]
