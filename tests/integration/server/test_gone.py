"""A server whose stores were destroyed: it says so for a moment, closes everything, and ends by itself."""

import asyncio
from pathlib import Path

import httpx2
import pytest
from tests.integration.server.serving import running_over

from auritas.app.duties import Duties
from auritas.app.household import GoneError, Household
from auritas.app.presence import is_served
from auritas.app.settings import load
from auritas.kernel.clock import SystemClock
from auritas.kernel.errors import UnavailableError
from auritas.kernel.tasks import TaskSpawner
from auritas.server.listening import Binding, bound
from auritas.server.serve import Server
from auritas.store.keychain import NoKeychain
from auritas.store.opening import open_store

pytestmark = pytest.mark.anyio


def open_files(folder: Path) -> list[str]:
    """Return the files of `folder` that this process has open, also those that were deleted."""
    descriptors = Path("/proc/self/fd")
    if not descriptors.is_dir():
        pytest.skip("only Linux tells which files a process has open")
    found = []
    for each in descriptors.iterdir():
        try:
            found.append(str(each.readlink()))
        except OSError:
            continue
    return [name for name in found if name.startswith(str(folder)) and "server.lock" not in name]


async def asked_for_ever(client: httpx2.AsyncClient) -> None:
    while True:
        await client.get("/health/live")
        await asyncio.sleep(0.05)


async def test_after_a_wipe_the_server_tells_every_page_and_ends(hall):
    """Streams end at once, who asks why is told; no file of the store stays open, and nobody must stop the server."""
    home = hall.auritas.settings.home
    async with asyncio.timeout(60), running_over(hall) as running:
        async with running.client.stream("GET", "/api/v1/events") as stream:
            lines = stream.aiter_lines()
            await anext(lines)
            assert open_files(home)
            done = await running.client.post("/api/v1/keeping/panic", json={"word": "DESTROY"})
            assert (done.status_code, done.json()["destroyed"]) == (200, True)
            async for _ in lines:
                pass
        assert open_files(home) == []
        why = await running.client.get("/api/v1/conversations")
        assert (why.status_code, why.json()["error"]["code"]) == (503, "gone")
        with pytest.raises(httpx2.TransportError):
            await asked_for_ever(running.client)
    assert not is_served(home)


async def test_a_locked_house_can_be_wiped_once(tmp_path):
    """The wipe asks for no passphrase; afterwards nothing is left to wipe, and nobody can make a store by unlocking."""
    home = tmp_path / "home"
    open_store(home, "correct horse", keychain=NoKeychain()).store.close()
    household, told = Household(load(home=home, models="none", zone="UTC")), []
    household.wiped = lambda: told.append("gone")
    assert not household.open()
    wiped = await household.wipe()
    assert not wiped.left
    assert (told, household.gone, home.exists()) == (["gone"], True, False)
    with pytest.raises(GoneError):
        await household.wipe()
    with pytest.raises(GoneError):
        household.unlock("correct horse")


async def test_a_server_that_cannot_say_where_it_is_ends_in_good_order(hall, capfd, caplog):
    """What the announcement raises is raised once everything is closed, alone: no stack of calls is printed."""
    household = Household(hall.auritas.settings, opener=lambda _settings, _passphrase: hall.auritas)
    household.open()

    def full() -> None:
        raise UnavailableError("There is no room left.")

    with bound(Binding(port=0)) as listener:
        duties = Duties([], TaskSpawner(), SystemClock(), lambda: None)
        server = Server(household, duties, listener.sockets, Binding(port=0), SystemClock())
        with pytest.raises(UnavailableError, match="no room"):
            await server.serve(full)
    assert "Traceback" not in "".join(capfd.readouterr()) + caplog.text
    assert hall.auritas.kept.troubles == []
