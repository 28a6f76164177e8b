"""Who gets in, over every route of the application (W1)."""

from collections.abc import AsyncIterator
from itertools import product
from typing import Any

import pytest
from tests.integration.server.gated import Gated, every_route, filled, gated, status_of

from auritas.app.access import LOCAL, Scope
from auritas.server.caller import Rule
from auritas.server.guard.credentials import COOKIE
from auritas.server.guard.doors import Doors
from auritas.server.guard.rates import Rates

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
OURS = "127.0.0.1:7117"
HOSTS = (OURS, "evil.test:7117", None)
SITES = (None, "same-origin", "none", "same-site", "cross-site")
ORIGINS = (None, "own", "http://127.0.0.1:9999", "null")
SHOWN = ("nothing", "token", "bad token", "session", "bad session")
# What is open to everybody on this machine is written down here once more: a route that opens another door fails.
OPEN = {
    ("GET", "/health/live"),
    ("GET", "/health/ready"),
    ("GET", "/api/v1/unlock"),
    ("POST", "/api/v1/unlock"),
    ("GET", "/open/{code}"),
    ("GET", "/{path:page}"),
}
STREAMS = ("/events",)
PASSED = 299


@pytest.fixture
async def stage(hall):
    async with gated(hall) as found:
        yield found


def verdict(
    host: str | None, method: str, site: str | None, origin: str | None, shown: str, *, stream: bool, free: bool
) -> int:
    """Return what the contract says of a request, in its order of defence."""
    if host != OURS:
        return 421
    if method == "OPTIONS":
        return 403
    if method not in {"GET", "HEAD"} or stream:
        friendly = site in {"same-origin", "none"} if site else origin in {None, "own"}
        if not friendly:
            return 403
    return PASSED if free or shown in {"token", "session"} else 401


def headers_of(host: str | None, site: str | None, origin: str | None, shown: list[tuple[bytes, bytes]]) -> Any:
    own = f"http://{host}"
    named = {b"host": host, b"sec-fetch-site": site, b"origin": own if origin == "own" else origin}
    return [*((name, value.encode()) for name, value in named.items() if value is not None), *shown]


def shown_by(stage: Gated) -> dict[str, list[tuple[bytes, bytes]]]:
    token, session = stage.token(), stage.access.begin_session()
    return {
        "nothing": [],
        "token": [(b"authorization", f"Bearer {token}".encode())],
        "bad token": [(b"authorization", b"Bearer aur_" + b"x" * 43)],
        "session": [(b"cookie", f"{COOKIE}={session}".encode())],
        "bad session": [(b"cookie", f"{COOKIE}={token}".encode())],
    }


@pytest.mark.anyio
async def test_every_request_is_judged_as_the_contract_says(stage: Gated):
    """Host x Origin x Sec-Fetch-Site x token over all routes and methods: each verdict is the contract's (W1)."""
    guard, shown = stage.bare(), shown_by(stage)
    paths = [
        *sorted({context.path or "" for context in every_route(stage.app)}),
        "/api/v1/nowhere",
        "/v1",
        "/metrics/x",
    ]
    judged = 0
    for path in paths:
        opened = {method for method, place in OPEN if place == path}
        for method, host, site, origin, name in product(METHODS, HOSTS, SITES, ORIGINS, SHOWN):
            stream = path.endswith(STREAMS) and method in {"GET", "HEAD"}
            free = ("GET" if method == "HEAD" else method) in opened
            wanted = verdict(host, method, site, origin, name, stream=stream, free=free)
            found = await status_of(guard, method, filled(path), headers_of(host, site, origin, shown[name]))
            judged += 1
            if found != wanted:
                pytest.fail(f"{method} {path} host={host} site={site} origin={origin} {name}: {found}, not {wanted}")
    assert judged == len(paths) * len(METHODS) * len(HOSTS) * len(SITES) * len(ORIGINS) * len(SHOWN)


@pytest.mark.anyio
async def test_every_route_has_one_rule_and_holds_it(stage: Gated):
    """Each route has exactly one rule, and a token with every scope but that one gets 403 from it (W1)."""
    tokens = {scope: stage.token(*(set(Scope) - {scope, Scope.ADMIN})) for scope in Scope}
    for door in Doors(stage.app).every:
        assert door.ruled, f"{door.path} has no rule, or more than one"
        if door.scope is None:
            assert all((method, door.path) in OPEN for method in door.methods or METHODS), f"{door.path} is open"
            continue
        for method in door.methods or ():
            async with stage.client(tokens[door.scope]) as client:
                answer = await client.request(method, filled(door.path))
            assert answer.status_code == 403, f"{method} {door.path}: {answer.status_code} {answer.text}"
            assert answer.json()["error"]["code"] == "forbidden"


@pytest.mark.anyio
async def test_a_route_without_a_rule_is_closed(stage: Gated):
    """A route that forgot its rule lets nobody in but admin, and the walk over all routes sees it (W1)."""

    async def forgotten() -> None:
        """Have no rule."""

    async def mounted(scope: Any, receive: Any, send: Any) -> None:
        raise AssertionError

    stage.app.add_api_route("/api/v1/forgotten", forgotten)
    stage.app.mount("/api/v1/mounted", mounted)
    doors = {door.path: door for door in Doors(stage.app).every}
    assert not doors["/api/v1/forgotten"].ruled
    assert not doors["/api/v1/mounted"].ruled
    guard, token = stage.bare(), stage.token(*(set(Scope) - {Scope.ADMIN}))
    for path in ("/api/v1/forgotten", "/api/v1/mounted/x"):
        for secret, wanted in ((None, 401), (token, 403), (stage.token(), PASSED)):
            shown = [(b"authorization", f"Bearer {secret}".encode())] if secret else []
            assert await status_of(guard, "GET", path, headers_of(OURS, None, None, shown)) == wanted


@pytest.mark.anyio
async def test_a_mounted_application_is_held_to_its_rule(stage: Gated):
    """What is mounted has no dependencies, so the guard holds the rule that it names; over all it opens no API (W1)."""

    class Mounted:
        rule = Rule(Scope.BATCH)

        async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
            raise AssertionError

    class Everywhere(Mounted):
        rule = Rule(None)

    stage.app.mount("/api/v1/apart", Mounted())
    stage.app.mount("", Everywhere())
    guard = stage.bare()
    for secret, wanted in ((stage.token(Scope.QUERY), 403), (stage.token(Scope.BATCH), PASSED)):
        shown = [(b"authorization", f"Bearer {secret}".encode())]
        assert await status_of(guard, "POST", "/api/v1/apart/x", headers_of(OURS, None, None, shown)) == wanted
    assert await status_of(guard, "POST", "/api/v1/nowhere", headers_of(OURS, None, None, [])) == 401
    assert await status_of(guard, "POST", "/elsewhere", headers_of(OURS, None, None, [])) == PASSED


@pytest.mark.anyio
async def test_a_revoked_token_ends_with_the_next_call(stage: Gated):
    """A token or session works until it is revoked, and not once more, after a restart neither (W1)."""
    for secret, as_cookie in ((stage.token(), False), (stage.access.begin_session(), True)):
        async with stage.client(None if as_cookie else secret, secret if as_cookie else None) as client:
            me = (await client.get("/api/v1/me")).json()
            assert (me["owner"], me["session"]) == (LOCAL, as_cookie)
            stage.access.revoke(me["id"])
            assert (await client.get("/api/v1/me")).status_code == 401


@pytest.mark.anyio
async def test_a_token_and_a_session_do_not_stand_in_for_each_other(stage: Gated):
    """A session's secret is no bearer token, and a token is no cookie (W1)."""
    token, session = stage.token(), stage.access.begin_session()
    async with stage.client(secret=session) as client:
        assert (await client.get("/api/v1/me")).status_code == 401
    async with stage.client(cookie=token) as client:
        assert (await client.get("/api/v1/me")).status_code == 401


@pytest.mark.anyio
async def test_head_works_where_get_does(stage: Gated):
    """HEAD answers as GET does, without a body, and an event stream ends with its head (W1)."""
    async with stage.client(stage.token()) as client:
        for path in ("/api/v1/me", "/api/v1/tokens", "/api/v1/nowhere"):
            got, head = await client.get(path), await client.head(path)
            assert (head.status_code, head.content) == (got.status_code, b"")
            assert head.headers["content-type"] == got.headers["content-type"]
        stream = await client.head("/api/v1/events")
        assert stream.headers["content-type"].startswith("text/event-stream")


@pytest.mark.anyio
async def test_a_body_has_an_end(stage: Gated):
    """A body that is announced too large, or turns out to be, is refused with 413 and not read further (W1)."""

    async def pieces() -> AsyncIterator[bytes]:
        for _ in range(100):
            yield b"x" * 100_000

    async with stage.client(stage.token()) as client:
        for content in (b"x" * 1_000_001, pieces()):
            answer = await client.post("/api/v1/tokens", content=content)
            assert answer.status_code == 413
            assert answer.json()["error"]["code"] == "too_large"


@pytest.mark.anyio
async def test_too_much_is_told_when_to_come_back(hall):
    """One ask too many gets 429 with Retry-After; reads go on; guesses are slowed, good tokens not (W1)."""
    async with gated(hall, Rates(asks=3, failures=2)) as stage, stage.client(stage.token()) as client:
        statuses = [(await client.post("/api/v1/runs")).status_code for _ in range(4)]
        assert statuses == [422, 422, 422, 429]
        answer = await client.post("/api/v1/runs")
        assert answer.headers["retry-after"] == "20"
        assert (await client.get("/api/v1/me")).status_code == 200
        hall.clock.advance(21)
        assert (await client.post("/api/v1/runs")).status_code == 422
        bad = {"authorization": "Bearer guess"}
        assert [(await client.get("/api/v1/me", headers=bad)).status_code for _ in range(3)] == [401, 401, 429]
        assert (await client.get("/api/v1/me")).status_code == 200


@pytest.mark.anyio
async def test_what_is_forbidden_is_not_counted(hall):
    """Scopes come before limits: without the scope it is 403 however often, and no ask of anybody is used up (W1)."""
    async with gated(hall, Rates(asks=2)) as stage, stage.client(stage.token(Scope.STATUS)) as client:
        assert {(await client.post("/api/v1/runs")).status_code for _ in range(5)} == {403}
        assert {(await client.post("/v1/chat/completions")).status_code for _ in range(5)} == {403}


@pytest.mark.anyio
async def test_web_sockets_are_closed(stage: Gated):
    """There are no web sockets, so nobody gets one (W1)."""
    said: list[Any] = []

    async def send(message: Any) -> None:
        said.append(message)

    await stage.bare()({"type": "websocket", "path": "/", "headers": []}, None, send)  # type: ignore[arg-type]
    assert said == [{"type": "websocket.close", "code": 1008}]
