"""One client for everything (F15), silence by default (F17), and the breaker over real connections (F16)."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from tests.integration.gateway.conftest import Desk
from tests.unit.gateway.doubles import WHY, MemoryEgress, ask, heard, openai
from tests.unit.gateway.provider import Cut, Provider, Reply, chat, piece, refusal

from auritas.gateway.adapters.http import Http
from auritas.gateway.adapters.schema import JsonSchemaCheck
from auritas.gateway.adapters.scripted import ScriptedModel
from auritas.gateway.errors import ModelDegraded, ProviderFailed
from auritas.gateway.policy.retry import RetryRule
from auritas.gateway.service import Gateway, Limits
from auritas.kernel.clock import ManualClock, SystemClock
from auritas.kernel.errors import InvalidError
from auritas.kernel.model import Params
from auritas.kernel.ports import ModelPort
from auritas.kernel.randomness import SeededRng
from auritas.kernel.tasks import TaskSpawner

pytestmark = pytest.mark.anyio

NETWORK = frozenset({"socket.connect", "socket.getaddrinfo", "socket.sendto", "socket.bind", "socket.__new__"})
_listening: list[list[str]] = []


def _hear(event: str, _args: tuple[object, ...]) -> None:
    if _listening and event in NETWORK:
        _listening[-1].append(event)


sys.addaudithook(_hear)


@contextmanager
def network_events() -> Iterator[list[str]]:
    """Collect everything that this process does with sockets."""
    found: list[str] = []
    _listening.append(found)
    try:
        yield found
    finally:
        _listening.remove(found)


def gateway(*models: ModelPort, clock: ManualClock | SystemClock | None = None, attempts: int = 1) -> Gateway:
    limits = Limits(retry=RetryRule(attempts=attempts, base_s=0.001))
    known = {model.card.name: model for model in models}
    return Gateway(known, clock=clock or SystemClock(), rng=SeededRng(1), check=JsonSchemaCheck(), limits=limits)


async def test_many_calls_share_one_connection(desk: Desk):
    """Fifty calls one after another open one connection, and two models at one address share it (F15)."""
    async with Provider() as provider:
        models = [openai(provider.url, desk.http, name=name) for name in ("a", "b")]
        asked = gateway(*models)
        for i in range(50):
            await heard(asked.answer("ab"[i % 2], ask(), Params(), WHY))
        assert (len(provider.seen), provider.connections) == (50, 1)


async def test_calls_at_once_use_as_many_connections_as_there_are_callers(desk: Desk):
    """Eight clients with ten calls each open at most eight connections (F15)."""
    async with Provider() as provider:
        asked = gateway(openai(provider.url, desk.http))

        async def client() -> None:
            for _ in range(10):
                await heard(asked.answer("remote", ask(), Params(), WHY))

        spawner = TaskSpawner()
        tasks = [spawner.spawn("client", client()) for _ in range(8)]
        for task in tasks:
            await task
        assert len(provider.seen) == 80
        assert provider.connections <= 8


async def test_a_broken_connection_does_not_poison_the_pool(desk: Desk):
    """After a reset the next call is answered, on a connection of its own."""
    replies = (Reply([piece("Can"), Cut()]), chat("Canberra"))
    async with Provider(*replies) as provider:
        model = openai(provider.url, desk.http)
        with pytest.raises(ProviderFailed):
            await heard(model.bound(WHY).answer(ask(), Params()))
        assert (await heard(model.bound(WHY).answer(ask(), Params()))).text == "Canberra"


async def test_five_503s_and_the_sixth_call_reaches_nobody(desk: Desk):
    """The server is asked five times, the ledger holds five records, and the sixth call fails at once (F16)."""
    clock = ManualClock()
    async with Provider(*([refusal(503)] * 5), chat("Canberra")) as provider:
        asked = gateway(openai(provider.url, desk.http, clock=clock), clock=clock)
        for _ in range(5):
            with pytest.raises(ProviderFailed):
                await heard(asked.answer("remote", ask(), Params(), WHY))
        with network_events() as events, pytest.raises(ModelDegraded) as caught:
            await heard(asked.answer("remote", ask(), Params(), WHY))
        assert not events
        assert asked.degraded() == ("remote",)
        assert caught.value.retry_in == pytest.approx(30, abs=1)
        assert len(provider.seen) == len(desk.view.page().records) == 5
        clock.advance(30)
        for _ in range(2):
            assert (await heard(asked.answer("remote", ask(), Params(), WHY))).text == "Canberra"
        assert asked.degraded() == ()
        assert len(provider.seen) == 7


async def test_a_429_with_a_hint_is_waited_for_and_then_answered(desk: Desk):
    """The gateway comes back after the time that the provider named, and not before."""
    clock = ManualClock()
    async with Provider(refusal(429, retry_after="7"), chat("Canberra")) as provider:
        asked = gateway(openai(provider.url, desk.http, clock=clock), clock=clock, attempts=2)
        assert (await heard(asked.answer("remote", ask(), Params(), WHY))).text == "Canberra"
        assert clock.monotonic() >= 7
        assert len(provider.seen) == 2


async def test_models_on_this_machine_open_no_socket():
    """A gateway with local models alone does nothing with the network, and neither does making a client (F17)."""
    with network_events() as events:
        client = Http(MemoryEgress())
        asked = gateway(ScriptedModel("local", [["Canberra"]]), openai("https://api.example.com/v1", client))
        assert (await heard(asked.answer("local", ask(), Params(), WHY))).text == "Canberra"
        assert len(asked.cards()) == 2
        await client.aclose()
    assert not events


async def test_a_form_is_never_fetched():
    """A schema that refers to the network is refused without a look-up (F17)."""
    with network_events() as events, pytest.raises(InvalidError, match="outside of it"):
        JsonSchemaCheck().problem({"$ref": "https://example.com/schema.json"}, {})
    assert not events


async def test_the_listener_hears_what_the_network_does():
    """The check above can fail: a call over HTTP is heard (F17)."""
    async with Provider() as provider:
        client = Http(MemoryEgress())
        with network_events() as events:
            await heard(openai(provider.url, client).bound(WHY).answer(ask(), Params()))
        await client.aclose()
    assert "socket.connect" in events


async def test_proxies_of_the_environment_are_not_used(desk: Desk, monkeypatch: pytest.MonkeyPatch):
    """Only the user's own setting makes a proxy; HTTP_PROXY and ALL_PROXY do not."""
    async with Provider() as provider:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "HTTPS_PROXY"):
            monkeypatch.setenv(name, "http://127.0.0.1:9")
        assert (await heard(openai(provider.url, desk.http).bound(WHY).answer(ask(), Params()))).text == "ready"


async def test_the_users_proxy_is_used():
    """With a proxy set, requests go through it and name the provider to it."""
    async with Provider() as proxy:
        client = Http(MemoryEgress(), proxy=f"http://127.0.0.1:{proxy.port}")
        got = await heard(openai("http://provider.example/v1", client).bound(WHY).answer(ask(), Params()))
        await client.aclose()
        assert got.text == "ready"
        assert proxy.seen[0].path == "http://provider.example/v1/chat/completions"


async def test_cookies_are_not_kept(desk: Desk):
    """What a provider sets is not sent back to it."""
    first = Reply(chat("a").steps, headers={"set-cookie": "id=42; Path=/"})
    async with Provider(first) as provider:
        model = openai(provider.url, desk.http)
        for _ in range(2):
            await heard(model.bound(WHY).answer(ask(), Params()))
        assert "cookie" not in provider.seen[1].headers


def test_each_event_loop_has_a_client_of_its_own():
    """A command line that runs one loop after another with the same objects works each time."""
    import asyncio

    client = Http(MemoryEgress())

    async def once() -> str:
        async with Provider() as provider:
            got = await heard(openai(provider.url, client).bound(WHY).answer(ask(), Params()))
            await client.aclose()
            return got.text

    assert [asyncio.run(once()) for _ in range(2)] == ["ready", "ready"]
