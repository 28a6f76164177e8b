"""A real server on the loopback over the hall of a test, in the test's own event loop."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import httpx2
from tests.integration.app.hall import Hall

from auritas.app.duties import Duties
from auritas.app.household import Household
from auritas.app.install_token import InstallToken
from auritas.app.presence import held, here
from auritas.gateway.adapters.scripted import Hang, ScriptedModel
from auritas.kernel.clock import SystemClock
from auritas.kernel.randomness import SystemEntropy
from auritas.kernel.tasks import TaskSpawner
from auritas.server.listening import Binding, bound
from auritas.server.serve import Server


def hanging(name: str) -> ScriptedModel:
    """Return a model that begins and never ends by itself."""
    return ScriptedModel(name, scripts=[["I think", Hang()]])


@dataclass
class Running:
    """A server that answers. client: talks to it with the token of the installation."""

    url: str
    household: Household
    server: Server
    client: httpx2.AsyncClient


@asynccontextmanager
async def running_over(hall: Hall, binding: Binding | None = None) -> AsyncIterator[Running]:
    """Serve a hall for real until the block ends, and announce it in the hall's home."""
    clock, home, binding = SystemClock(), hall.auritas.settings.home, binding or Binding(port=0)
    household = Household(hall.auritas.settings, opener=lambda _settings, _passphrase: hall.auritas)
    household.open()
    duties = Duties([], TaskSpawner(), clock, lambda: None)
    token = InstallToken(home, SystemEntropy()).read_or_make()
    with held(home, clock) as post, bound(binding) as listener:
        server = Server(household, duties, listener.sockets, binding, clock)
        presence = here(listener.url, clock, unix=binding.unix, certificate=binding.certificate)
        begun = asyncio.Event()

        def announce() -> None:
            post.announce(presence)
            begun.set()

        task = TaskSpawner().spawn("server", server.serve(announce))
        await begun.wait()
        transport = httpx2.AsyncHTTPTransport(uds=presence.unix, limits=httpx2.Limits(max_connections=None))
        headers = {"authorization": f"Bearer {token}"}
        async with httpx2.AsyncClient(
            base_url=listener.url, transport=transport, headers=headers, timeout=30
        ) as client:
            try:
                yield Running(listener.url, household, server, client)
            finally:
                server.stop()
                await task
