"""Streams of callers who are no longer let in, over a real server."""

import asyncio
from collections.abc import Callable

import httpx2
import pytest
from tests.integration.server.serving import Running, hanging, running_over

from auritas.app.access import LOCAL, Scope
from auritas.app.readers import BEHIND
from auritas.app.runs import Progress
from auritas.server import streams
from auritas.server.guard.credentials import COOKIE

SCOPES = {Scope.STREAM, Scope.QUERY, Scope.STATUS}


async def read_until_cut(running: Running, headers: dict[str, str], path: str, then: Callable[[], object]) -> int:
    """Open a stream, do `then` once it has begun, and return how many pieces came until it ended by itself."""
    async with httpx2.AsyncClient(base_url=running.url, headers=headers, timeout=30) as client:
        came = 0
        async with asyncio.timeout(30), client.stream("GET", path) as answer:
            assert answer.status_code == 200
            async for _ in answer.aiter_bytes():
                came += 1
                if came == 1:
                    await asyncio.to_thread(then)
        assert (await client.get("/api/v1/me")).status_code == 401
    return came


@pytest.mark.anyio
async def test_a_revoked_token_loses_its_open_stream(hall):
    """Nothing that happens after a revocation reaches a stream that was opened before it, and it ends properly (W1)."""
    hall.seat(hanging("slow"))
    async with running_over(hall) as running:
        made = running.household.access.create("reader", SCOPES)
        revoke = lambda: running.household.access.revoke(made.info.id)  # noqa: E731  one line
        assert await read_until_cut(running, {"authorization": f"Bearer {made.secret}"}, "/api/v1/events", revoke)
        (desk,) = running.household.desks
        assert desk.readers == 0


@pytest.mark.anyio
async def test_a_browser_that_is_signed_out_loses_its_open_stream(hall):
    """Signing a browser out ends its stream; that of another browser goes on (W1)."""
    async with running_over(hall) as running:
        access = running.household.access
        secret = access.begin_session()
        (session,) = access.list()
        other = access.begin_session()
        follow = {"cookie": f"{COOKIE}={other}"}
        async with running.client.stream("GET", "/api/v1/events", headers={**follow, "authorization": ""}) as refused:
            assert refused.status_code == 401, "where Authorization is there, cookies do not count"
        async with (
            httpx2.AsyncClient(base_url=running.url, headers=follow, timeout=30) as browser,
            browser.stream("GET", "/api/v1/events") as stays,
        ):
            headers = {"cookie": f"{COOKIE}={secret}"}
            await read_until_cut(running, headers, "/api/v1/events", lambda: access.end_session(session.id))
            assert stays.status_code == 200
            (desk,) = running.household.desks
            assert desk.readers == 1


@pytest.mark.anyio
async def test_the_stream_of_one_run_ends_although_its_end_was_dropped(served):
    """A reader so slow that it lost the end of its run gets a snapshot that holds the end, and no endless stream."""
    go_on = asyncio.Event()

    async def work():
        await go_on.wait()
        for number in range(2 * BEHIND):
            yield Progress("count", number, 0)

    desk = served.desk
    run = desk.start("count", "Count", work)
    events = streams._events(desk, None, run.id)
    await anext(events)
    go_on.set()
    await served.ended(run.id)
    async with asyncio.timeout(30):
        rest = [piece async for piece in events]
    assert b'"state":"done"' in rest[-1]
    assert desk.readers == 0


@pytest.mark.anyio
async def test_a_run_that_is_followed_across_a_restart_begins_with_a_snapshot(hall):
    """Resumed by an id of before the restart, a run's stream tells that it is over, and ends; else it is 404."""
    async with running_over(hall) as running:
        desk = running.household.desk_of(LOCAL, hall.auritas)
        path = "/api/v1/runs/0193a2c4-5d00-7000-8000-000000000001/events"
        before, since = str(desk.first_id - 1), str(desk.first_id + 1)
        resumed = await running.client.get(path, headers={"last-event-id": before})
        assert resumed.status_code == 200
        assert b'event: snapshot\ndata: {"type":"snapshot"' in resumed.content
        assert b'"data":{"runs":[]}' in resumed.content
        for seen in (None, "0", "x", since):
            headers = {} if seen is None else {"last-event-id": seen}
            assert (await running.client.get(path, headers=headers)).status_code == 404
