"""How browsers and persons are let in, and what each may do with tokens."""

import pytest
from tests.integration.app.hall import Hall
from tests.integration.server.gated import Gated, gated

from auritas.app.access import LOCAL, Scope
from auritas.app.household import Household
from auritas.app.install_token import InstallToken
from auritas.kernel.randomness import SystemEntropy
from auritas.server.app import routes
from auritas.server.guard.gate import guarded
from auritas.server.guard.handover import AT_ONCE, Handover
from auritas.store.keys import PassphraseNeededError


@pytest.fixture
async def stage(hall):
    async with gated(hall) as found:
        yield found


def test_an_address_works_once_and_for_two_minutes(clock):
    """A one-time address lets in once, within two minutes, whom it was made for; a hundred wait at most (W1)."""
    handover = Handover(clock, SystemEntropy())
    first, late = handover.new(), handover.new("anna")
    assert len(first) == 43
    assert handover.take(first) == LOCAL
    assert handover.take(first) is None
    assert handover.take("\udcff") is None
    clock.advance(119)
    assert handover.take(late) == "anna"
    stale = handover.new()
    clock.advance(120)
    assert handover.take(stale) is None
    oldest = handover.new()
    for _ in range(AT_ONCE):
        handover.new()
    assert handover.take(oldest) is None


@pytest.mark.anyio
async def test_a_browser_is_let_in(stage: Gated):
    """The install token makes an address; a browser that opens it has a session and no token, and can sign out (W1)."""
    async with stage.client(stage.install) as shell:
        made = (await shell.post("/api/v1/handover", json={})).json()
    async with stage.client() as browser:
        assert (await browser.get("/api/v1/me")).status_code == 401
        assert (await browser.head(made["path"])).status_code == 204
        opened = await browser.get(made["path"], headers={"user-agent": "Firefox/140.0 Linux"})
        assert (opened.status_code, opened.headers["location"]) == (303, "/")
        me = (await browser.get("/api/v1/me")).json()
        assert (me["owner"], me["scopes"], me["session"]) == (LOCAL, ["admin"], True)
        (listed,) = (await browser.get("/api/v1/tokens", params={"kind": "browser"})).json()["items"]
        assert listed["name"] == "Firefox on Linux"
        again = await browser.get(made["path"])
        assert again.status_code == 410
        assert "auritas open" in again.text
        assert (await browser.delete("/api/v1/me")).status_code == 204
        assert not browser.cookies
        assert (await browser.get("/api/v1/me")).status_code == 401


@pytest.mark.anyio
async def test_while_the_store_is_locked(hall: Hall):
    """Locked, the install token still hands out addresses, which stay good; all else but health is 423 (W1)."""

    def locked(_settings: object, passphrase: str | None) -> object:
        if passphrase is None:
            raise PassphraseNeededError("A passphrase is needed.", remedy="Give it.")
        return hall.auritas

    household = Household(hall.auritas.settings, opener=locked)  # type: ignore[arg-type]
    household.open()
    app = routes(household)
    stage = Gated(hall, household, app, guarded(app, household, clock=hall.clock))
    async with stage.client(stage.install) as shell, stage.client() as browser:
        path = (await shell.post("/api/v1/handover", json={})).json()["path"]
        assert (await shell.get("/api/v1/projects")).status_code == 423
        assert (await browser.get("/health/live")).status_code == 200
        assert (await browser.get("/api/v1/projects")).json()["error"]["code"] == "locked"
        assert (await browser.get(path)).status_code == 303
        assert not browser.cookies
        household.unlock("given")
        assert (await browser.get(path)).status_code == 303
        assert (await browser.get("/api/v1/projects")).status_code == 200


@pytest.mark.anyio
async def test_a_rotated_install_token_is_refused_at_once(stage: Gated):
    """A running server takes the new install token, and not the old one, from the next call on (W1)."""
    old = stage.install
    async with stage.client(old) as client:
        assert (await client.get("/api/v1/me")).json()["id"] == "install"
        assert (await client.delete("/api/v1/me")).status_code == 409
        fresh = InstallToken(stage.household.settings.home, SystemEntropy()).rotate()
        assert (await client.get("/api/v1/me")).status_code == 401
    async with stage.client(fresh) as client:
        assert (await client.get("/api/v1/me")).status_code == 200


@pytest.mark.anyio
async def test_nobody_makes_more_than_they_have(stage: Gated):
    """A token makes and revokes only tokens of its owner, and none that can do more than itself (W2)."""
    stage.household.admit("anna")
    hers = stage.token(Scope.QUERY, owner="anna")
    async with stage.client(stage.token(Scope.TOKENS_READ, Scope.TOKENS_WRITE, Scope.QUERY)) as client:
        for body, status in (
            ({"name": "x", "scopes": ["query"]}, 201),
            ({"name": "x", "scopes": ["admin"]}, 403),
            ({"name": "x", "scopes": ["query", "batch"]}, 403),
            ({"name": "x", "scopes": ["query"], "owner": "anna"}, 404),
            ({"name": "x", "scopes": ["query"], "owner": "nobody"}, 404),
            ({"name": "x", "scopes": []}, 422),
            ({"name": "x", "scopes": ["query"], "expires_at": "2020-01-01T00:00:00Z"}, 422),
        ):
            assert (await client.post("/api/v1/tokens", json=body)).status_code == status, body
        listed = (await client.get("/api/v1/tokens")).json()["items"]
        assert {info["owner"] for info in listed} == {LOCAL}
        (her_id,) = [info.id for info in stage.access.list("anna")]
        answers = [await client.delete(f"/api/v1/tokens/{token}") for token in (her_id, "0193")]
        assert [answer.status_code for answer in answers] == [404, 404]
        assert stage.access.check(hers)
    async with stage.client(stage.install) as admin:
        assert (await admin.delete(f"/api/v1/tokens/{her_id}")).status_code == 204
    assert stage.access.check(hers) is None


@pytest.mark.anyio
async def test_tokens_come_in_pages(stage: Gated):
    """Every token is on exactly one page (W1)."""
    secret = stage.token()
    made = {stage.access.create(f"t{number}", {Scope.QUERY}).info.id for number in range(5)}
    seen: list[str] = []
    async with stage.client(secret) as client:
        after = None
        while True:
            page = (
                await client.get("/api/v1/tokens", params={"limit": 2, **({"after": after} if after else {})})
            ).json()
            seen += [info["id"] for info in page["items"]]
            after = page["next"]
            if after is None:
                break
    assert len(seen) == len(set(seen)) == 6
    assert made < set(seen)


@pytest.mark.anyio
async def test_a_person_is_let_in(stage: Gated):
    """An admin lets a person in, whose browser sees an own, empty store and nothing of the installation (W2)."""
    async with stage.client(stage.install) as admin:
        for name, status in (("anna", 201), ("anna", 201), ("../x", 422), ("", 422)):
            assert (await admin.post("/api/v1/people", json={"name": name})).status_code == status
        assert (await admin.post("/api/v1/handover", json={"owner": "bob"})).status_code == 404
        path = (await admin.post("/api/v1/handover", json={"owner": "anna"})).json()["path"]
        await admin.post("/api/v1/projects", json={"name": "Secret garden"})
        people = (await admin.get("/api/v1/people")).json()["items"]
        assert people == [{"name": LOCAL}, {"name": "anna"}]
    async with stage.client() as browser:
        await browser.get(path)
        assert (await browser.get("/api/v1/me")).json()["owner"] == "anna"
        assert "Secret" not in (await browser.get("/api/v1/projects")).text
        assert (await browser.get("/api/v1/people")).status_code == 403
        assert (await browser.post("/api/v1/handover", json={})).status_code == 403
