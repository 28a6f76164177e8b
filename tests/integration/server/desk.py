"""The routes over a real encrypted store with scripted members, called without a guard as whoever a test says."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx2
from starlette.types import ASGIApp, Receive, Send
from starlette.types import Scope as AsgiScope
from tests.integration.app.hall import Hall

from auritas.app.access import Caller, Scope
from auritas.app.household import LOCAL, Household
from auritas.app.runs import Frame, RunDesk, RunEnded
from auritas.server.app import routes
from auritas.server.caller import CALLER


def caller(*scopes: Scope, owner: str = LOCAL) -> Caller:
    """Return who calls; with admin, who may do everything, where no scope is named."""
    return Caller("test", owner, frozenset(scopes or (Scope.ADMIN,)))


@dataclass
class Called:
    """Puts a caller into each request, as the guard does."""

    app: ASGIApp
    who: Caller = field(default_factory=caller)

    async def __call__(self, scope: AsgiScope, receive: Receive, send: Send) -> None:
        scope[CALLER] = self.who
        await self.app(scope, receive, send)


@dataclass
class Served:
    """An installation whose routes can be called."""

    hall: Hall
    household: Household
    called: Called
    client: httpx2.AsyncClient

    def as_(self, *scopes: Scope, owner: str = LOCAL) -> None:
        """Call as somebody else from now on."""
        self.called.who = caller(*scopes, owner=owner)

    async def get(self, path: str, status: int = 200, **query: Any) -> Any:
        return self._said(await self.client.get(path, params=query), status)

    async def send(self, method: str, path: str, body: Any = None, status: int = 200, **query: Any) -> Any:
        # Written by our own hand: the client's JSON cannot hold a lone surrogate, and a stranger's can.
        content = None if body is None else json.dumps(body)
        headers = {} if body is None else {"content-type": "application/json"}
        return self._said(
            await self.client.request(method, path, content=content, headers=headers, params=query), status
        )

    async def post(self, path: str, body: Any = None, status: int = 200, **query: Any) -> Any:
        return await self.send("POST", path, body, status, **query)

    async def refused(self, method: str, path: str, body: Any = None, status: int = 404, **query: Any) -> str:
        """Return the code of the error that a request ends with; it tells a person something, too."""
        error = (await self.send(method, path, body, status, **query))["error"]
        assert error["message"], error
        return str(error["code"])

    @property
    def desk(self) -> RunDesk:
        """What runs for who calls."""
        owner = self.called.who.owner
        return self.household.desk_of(owner, self.household.of(owner))

    async def ended(self, run_id: str) -> tuple[Frame, ...]:
        """Wait until a run is over and return its frames."""
        desk = self.desk
        reader = desk.join(run_id)
        try:
            while not any(isinstance(frame.event, RunEnded) for frame in desk.get(run_id).frames):
                await reader.wait(30)
        finally:
            desk.leave(reader)
        return tuple(desk.get(run_id).frames)

    @staticmethod
    def _said(answer: httpx2.Response, status: int) -> Any:
        assert answer.status_code == status, f"{answer.status_code}: {answer.text}"
        return answer.json() if answer.content else None


@asynccontextmanager
async def served(hall: Hall) -> AsyncIterator[Served]:
    """Serve the routes of a hall to one client."""
    household = Household(hall.auritas.settings, opener=lambda _settings, _passphrase: hall.auritas)
    household.open()
    called = Called(routes(household))
    transport = httpx2.ASGITransport(app=called)
    async with httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1:7117") as client:
        yield Served(hall, household, called, client)
        for desk in household.desks:
            await desk.aclose()
