"""Pausing what the server does by itself, over REST and from another process of the same person."""

import asyncio

import pytest
from tests.integration.server.serving import running_over

from auritas.app import pausing
from auritas.app.access import Scope
from auritas.app.presence import NoServerError

pytestmark = pytest.mark.anyio


async def test_a_process_of_the_same_home_pauses_and_resumes(hall):
    """The tray's switch reaches the server by the home's own token, and what it says is what is so."""
    home = hall.auritas.settings.home
    with pytest.raises(NoServerError):
        await pausing.paused(home)
    async with running_over(hall) as running:
        assert await pausing.paused(home) is False
        assert await pausing.pause(home, wish=True) is True
        assert (await running.client.get("/api/v1/duties")).json() == {"paused": True, "duties": []}
        assert await pausing.pause(home, wish=False) is False
        assert await pausing.paused(home) is False


async def test_only_who_may_do_everything_pauses(served):
    """Looking needs the scope status, pausing admin; a server without duties says so."""
    assert await served.get("/api/v1/duties") == {"paused": False, "duties": []}
    assert await served.refused("POST", "/api/v1/duties", {"paused": True}, 503) == "no_duties"
    served.as_(Scope.STATUS)
    assert await served.refused("POST", "/api/v1/duties", {"paused": True}, 403) == "forbidden"
    served.as_(Scope.QUERY)
    assert await served.refused("GET", "/api/v1/duties", status=403) == "forbidden"


async def test_the_switch_takes_a_yes_or_a_no(hall):
    """Anything else is refused and changes nothing."""
    async with running_over(hall) as running:
        answers = await asyncio.gather(
            *(running.client.post("/api/v1/duties", json=body) for body in ({}, {"paused": "perhaps"}))
        )
        assert [answer.status_code for answer in answers] == [422, 422]
        assert not (await running.client.get("/api/v1/duties")).json()["paused"]
