"""Whatever is sent to the interface, the server does not break (W3)."""

import asyncio
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import httpx2
import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from tests.integration.app.hall import Hall, voice

from auritas.app.household import Household
from auritas.app.install_token import InstallToken
from auritas.kernel.randomness import SystemEntropy
from auritas.server.app import behind_guard, routes
from auritas.server.guard.rates import Rates
from auritas.server.openapi import describe

BOUNDED_S = 20.0
"""No request of this kind takes longer, and one that hangs is a fault, too."""
ENDLESS = ("/events",)
"""Streams without an end are tested where they are followed."""
BEYOND = ("/panic", "/passphrase", "/models/fetch")
"""Operations that destroy the store under test or reach for the network."""
LONGEST_URL = 65_000
_SENT = ("content-type", "accept", "last-event-id")
_MANY = 10_000_000
_NOT_LET_IN, _SERVER_ERROR, _UNAVAILABLE = 401, 500, 503


@dataclass
class Fuzzed:
    """An installation that is sent anything. faults: what broke."""

    runner: asyncio.Runner
    client: httpx2.AsyncClient
    schema: Any
    faults: list[str] = field(default_factory=list)
    sent: int = 0

    def operations(self) -> list[Any]:
        """Return what is fuzzed."""
        found = [each.ok() for each in self.schema.get_all_operations()]
        return [each for each in found if not each.path.endswith(ENDLESS) and not each.path.endswith(BEYOND)]

    def send(self, operation: Any, case: Any) -> None:
        """Send a case, and note a server error with what caused it."""
        prepared = requests.Request(**case.as_transport_kwargs(base_url="http://127.0.0.1:7117")).prepare()
        body: Any = prepared.body.encode() if isinstance(prepared.body, str) else prepared.body
        url = prepared.url or ""
        if len(url) > LONGEST_URL:
            return  # no client can send it
        headers = {name: str(value) for name, value in prepared.headers.items() if name.lower() in _SENT}
        asking = self.client.request(prepared.method or "GET", url, headers=headers, content=body)
        try:
            answer = self.runner.run(asyncio.wait_for(asking, BOUNDED_S))
        except TimeoutError:
            self.faults.append(f"{operation.method} {prepared.url}: hangs; {body!r:.300}")
            return
        self.sent += 1
        if answer.status_code == _NOT_LET_IN:
            self.faults.append(f"{operation.method} {prepared.url}: nothing that was sent since has reached a route")
        if answer.status_code >= _SERVER_ERROR and not _told(answer):
            self.faults.append(
                f"{operation.method} {prepared.url}: {answer.status_code} {answer.text:.200}; {body!r:.300}"
            )


def _told(answer: httpx2.Response) -> bool:
    """Whether an answer only says that something needed is missing, and what to do, or that not all is well yet."""
    said = answer.json() if answer.status_code == _UNAVAILABLE else {}
    return "message" in said.get("error", said) or said.get("ready") is False


@pytest.fixture
def fuzzed(tmp_path, clock, ids, rng) -> Iterator[Fuzzed]:
    hall = Hall(tmp_path / "hall", clock, ids, rng)
    for name in ("ash", "birch"):
        hall.seat(voice(name, "yes"))
    household = Household(hall.auritas.settings, opener=lambda _settings, _passphrase: hall.auritas)
    household.open()
    app = routes(household)
    guarded = behind_guard(app, rates=Rates(*[_MANY] * 6), clock=clock)
    transport = httpx2.ASGITransport(app=guarded, raise_app_exceptions=False)
    # The token of the installation, since no request signs it out: with any other all that follows would be 401.
    token = InstallToken(household.settings.home, SystemEntropy()).read_or_make()
    with asyncio.Runner() as runner:
        hall_events = runner.run(hall.events())  # something to find
        assert hall_events
        client = httpx2.AsyncClient(transport=transport, timeout=BOUNDED_S)
        client.headers["authorization"] = f"Bearer {token}"
        yield Fuzzed(runner, client, schemathesis.openapi.from_dict(describe(app)))
        for desk in household.desks:
            runner.run(desk.aclose())
        runner.run(client.aclose())
    hall.close()


def _sending(fuzzed: Fuzzed, operation: Any) -> Callable[[Any], None]:
    def send(case: Any) -> None:
        fuzzed.send(operation, case)

    return send


def _fuzz(fuzzed: Fuzzed, cases: int, first: int = 0) -> None:
    """Send so many requests, spread over all operations; those that take nothing soon have no other to send."""
    operations = fuzzed.operations()
    each = settings(
        max_examples=max(1, cases // len(operations)),
        database=None,
        deadline=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    for number in count(first):
        for operation in operations:
            modes = (GenerationMode.POSITIVE, GenerationMode.NEGATIVE)
            case = st.one_of(*(operation.as_strategy(generation_mode=mode) for mode in modes))
            each(seed(number)(given(case)(_sending(fuzzed, operation))))()
        if fuzzed.sent >= cases or fuzzed.faults:
            return


def test_nothing_that_is_sent_breaks_the_server(fuzzed):
    """Some 300 requests, right ones and wrong ones, over all operations: no server error (W3)."""
    _fuzz(fuzzed, 250)
    assert fuzzed.faults == []


@pytest.mark.slow
@pytest.mark.timeout(3_600)
def test_five_thousand_requests_do_not_break_the_server(fuzzed):
    """As above, with at least 5,000 requests (W3). FUZZ_CASES sets another number, FUZZ_SEED other requests."""
    _fuzz(fuzzed, int(os.environ.get("FUZZ_CASES", "5000")), int(os.environ.get("FUZZ_SEED", "0")))
    assert fuzzed.faults == []
