"""A store that is guarded by a passphrase: locked start, unlocking, and what can be done before."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx2
import pytest

from auritas.app.household import Household
from auritas.app.settings import load
from auritas.kernel.clock import ManualClock
from auritas.server.app import behind_guard, routes
from auritas.server.unlocking import TRIES_A_MINUTE, Unlocking
from auritas.store.keychain import NoKeychain
from auritas.store.opening import open_store

PASSPHRASE = "correct horse battery staple"


@asynccontextmanager
async def locked(folder) -> AsyncIterator[tuple[Household, httpx2.AsyncClient, ManualClock]]:
    open_store(folder, PASSPHRASE, keychain=NoKeychain()).store.close()
    household = Household(load(home=folder, models="none", zone="UTC"))
    assert not household.open()
    app, clock = routes(household), ManualClock()
    app.state.unlocking = Unlocking(household, clock)
    transport = httpx2.ASGITransport(app=behind_guard(app))
    async with httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1:7117") as client:
        try:
            yield household, client, clock
        finally:
            await household.aclose()
            household.close()


@pytest.mark.anyio
async def test_a_guarded_store_starts_locked_and_says_so(tmp_path):
    """Health says that it is locked, the page loads, and everything else answers 423 with the code `locked`."""
    async with locked(tmp_path / "home") as (_, client, _clock):
        assert (await client.get("/health/live")).status_code == 200
        ready = await client.get("/health/ready")
        assert ready.status_code == 503
        assert {"name": "store", "ok": False} in [
            {"name": part["name"], "ok": part["ok"]} for part in ready.json()["parts"]
        ]
        assert (await client.get("/api/v1/unlock")).json() == {"locked": True}
        for path in ("/api/v1/runs", "/api/v1/projects", "/metrics"):
            answer = await client.get(path)
            assert (answer.status_code, answer.json()["error"]["code"]) == (423, "locked"), path


@pytest.mark.anyio
async def test_the_passphrase_opens_the_store_and_lets_this_browser_in(tmp_path):
    """A wrong one is refused and changes nothing; the right one gives a session cookie, once."""
    async with locked(tmp_path / "home") as (household, client, _):
        wrong = await client.post("/api/v1/unlock", json={"passphrase": "wrong"})
        assert (wrong.status_code, wrong.json()["error"]["code"]) == (403, "wrong_passphrase")
        assert "set-cookie" not in wrong.headers
        assert household.locked
        right = await client.post("/api/v1/unlock", json={"passphrase": PASSPHRASE})
        assert right.json() == {"locked": False}
        assert PASSPHRASE not in right.headers["set-cookie"]
        assert not household.locked
        assert (await client.get("/api/v1/runs")).status_code == 200
        again = await client.post("/api/v1/unlock", json={"passphrase": PASSPHRASE})
        assert (again.status_code, again.json()["error"]["code"]) == (409, "open_already")
        assert "set-cookie" not in again.headers


@pytest.mark.anyio
async def test_guessing_is_slowed_down(tmp_path):
    """After a few tries a minute not even the right passphrase is looked at, and it is said how long to wait."""
    async with locked(tmp_path / "home") as (household, client, clock):
        for _ in range(TRIES_A_MINUTE):
            assert (await client.post("/api/v1/unlock", json={"passphrase": "wrong"})).status_code != 429
        answer = await client.post("/api/v1/unlock", json={"passphrase": PASSPHRASE})
        assert (answer.status_code, answer.json()["error"]["code"]) == (429, "too_many_tries")
        assert int(answer.headers["retry-after"]) >= 1
        assert household.locked
        clock.advance(60)
        assert (await client.post("/api/v1/unlock", json={"passphrase": PASSPHRASE})).status_code == 200


@pytest.mark.anyio
async def test_another_page_cannot_try_passphrases(tmp_path):
    """A request that a browser sends for another page is refused before anything is tried."""
    async with locked(tmp_path / "home") as (household, client, _):
        headers = {"sec-fetch-site": "cross-site", "origin": "http://evil.example"}
        answer = await client.post("/api/v1/unlock", json={"passphrase": PASSPHRASE}, headers=headers)
        assert answer.status_code == 403
        assert household.locked


@pytest.mark.anyio
async def test_after_a_wipe_nobody_is_sent_to_a_lock(tmp_path):
    """A browser that had been let in is told that all is gone; no passphrase is asked for, and none opens anything."""
    async with locked(tmp_path / "home") as (household, client, _):
        await client.post("/api/v1/unlock", json={"passphrase": PASSPHRASE})
        assert (await client.post("/api/v1/keeping/panic", json={"word": "DESTROY"})).status_code == 200
        for answer in (
            await client.get("/api/v1/runs"),
            await client.post("/api/v1/unlock", json={"passphrase": PASSPHRASE}),
        ):
            assert (answer.status_code, answer.json()["error"]["code"]) == (503, "gone")
        assert household.open_stores() == ()
