"""The whole application behind its guard, over a real encrypted store, for tests of who gets in."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx2
from fastapi import FastAPI
from fastapi.routing import RouteContext, iter_route_contexts
from starlette.types import ASGIApp, Receive, Send
from starlette.types import Scope as AsgiScope
from tests.integration.app.hall import Hall

from auritas.app.access import LOCAL, Access, Scope
from auritas.app.household import Household
from auritas.app.install_token import InstallToken
from auritas.kernel.randomness import SystemEntropy
from auritas.server.app import routes
from auritas.server.guard.credentials import COOKIE
from auritas.server.guard.doors import Doors
from auritas.server.guard.gate import Guard, guarded
from auritas.server.guard.rates import Rates

BASE = "http://127.0.0.1:7117"
ENDLESS = Rates(*[10**9] * 6)


def household_of(hall: Hall) -> Household:
    """Return the household whose main store is the hall's, open."""
    household = Household(hall.auritas.settings, opener=lambda _settings, _passphrase: hall.auritas)
    household.open()
    return household


def filled(path: str) -> str:
    """Return an address for a path template."""
    while "{" in path:
        before, _, rest = path.partition("{")
        name, _, after = rest.partition("}")
        path = before + ("some/where" if name.endswith((":path", ":page")) else "0193") + after
    return path


def every_route(app: FastAPI) -> list[RouteContext]:
    """Return all routes as the framework knows them."""
    return [context for context in iter_route_contexts(app.routes) if context.path is not None]


@dataclass
class Beyond:
    """Stands where the application would be: counts who got through and does nothing."""

    passed: int = 0

    async def __call__(self, scope: AsgiScope, receive: Receive, send: Send) -> None:
        self.passed += 1
        await send({"type": "http.response.start", "status": 299, "headers": []})
        await send({"type": "http.response.body", "body": b""})


async def status_of(app: ASGIApp, method: str, path: str, headers: list[tuple[bytes, bytes]]) -> int:
    """Call an application with exactly these headers and return the status of its answer."""
    said: list[int] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        if message["type"] == "http.response.start":
            said.append(message["status"])

    scope = {
        "type": "http",
        "method": method,
        "path": path,
        "query_string": b"",
        "scheme": "http",
        "server": ("127.0.0.1", 7117),
        "client": ("127.0.0.1", 50_000),
        "headers": headers,
    }
    await app(scope, receive, send)
    return said[0]


@dataclass
class Gated:
    """An installation behind its guard. beyond: what the bare guard of the matrix protects."""

    hall: Hall
    household: Household
    app: FastAPI
    behind: ASGIApp
    beyond: Beyond = field(default_factory=Beyond)

    @property
    def access(self) -> Access:
        return self.household.access

    @property
    def install(self) -> str:
        return InstallToken(self.household.settings.home, SystemEntropy()).read_or_make()

    def bare(self, rates: Rates = ENDLESS) -> Guard:
        """Return the guard alone, before an application that does nothing."""
        return Guard(self.beyond, self.household, Doors(self.app), rates=rates, clock=self.hall.clock)

    def token(self, *scopes: Scope, owner: str = LOCAL, **more: Any) -> str:
        return self.access.create("test", scopes or (Scope.ADMIN,), owner, **more).secret

    def client(self, secret: str | None = None, cookie: str | None = None) -> httpx2.AsyncClient:
        """Return a client that shows a token or a session."""
        headers = {"authorization": f"Bearer {secret}"} if secret else {}
        cookies = {COOKIE: cookie} if cookie else {}
        transport = httpx2.ASGITransport(app=self.behind)
        return httpx2.AsyncClient(transport=transport, base_url=BASE, headers=headers, cookies=cookies)


@asynccontextmanager
async def gated(hall: Hall, rates: Rates = ENDLESS) -> AsyncIterator[Gated]:
    """Put a hall behind the guard."""
    household = household_of(hall)
    app = routes(household)
    yield Gated(hall, household, app, guarded(app, household, rates=rates, clock=hall.clock))
    for desk in household.desks:
        await desk.aclose()
    for guest in household._people.values():
        await guest.aclose()
        guest.close()
