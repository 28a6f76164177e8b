"""Errors that clients of OpenAI meet before, beside and behind the routes under /v1."""

import pytest
from tests.integration.app.hall import voice
from tests.integration.server.gated import Gated, gated
from tests.integration.server.serving import hanging

from auritas.app.access import Scope
from auritas.app.runs import AT_ONCE
from auritas.server.errors import BUSY_S
from auritas.server.guard.rates import Rates

pytestmark = pytest.mark.anyio
CHAT = "/v1/chat/completions"
ASKED = {"model": "auritas/fast", "messages": [{"role": "user", "content": "How many strings has a violin?"}]}
NESTED = b'{"model": ' + b"[" * 100_000
FIELDS = {"message", "type", "param", "code", "remedy"}


@pytest.fixture
async def stage(hall):
    async with gated(hall, Rates(asks=2)) as found:
        yield found


async def told(stage: Gated, method: str, path: str, token: str | None, **sent) -> tuple[int, str]:
    """Return status and type of an error; whatever refuses, its body has the form that the clients read."""
    async with stage.client(token) as client:
        answer = await client.request(method, path, **sent)
    error = answer.json()["error"]
    assert set(error) == FIELDS, error
    assert error["remedy"] in error["message"], "clients show nothing but the message"
    return answer.status_code, error["type"]


async def test_every_refusal_has_the_form_that_clients_read(stage: Gated):
    """Host, page, token, scope, address, method, size and limit: each refuses in OpenAI's form under /v1 (W1)."""
    good, poor = stage.token(), stage.token(Scope.STATUS)
    request, rate = "invalid_request_error", "rate_limit_error"
    assert await told(stage, "GET", "/v1/models", good, headers={"host": "evil.test"}) == (421, request)
    assert await told(stage, "POST", CHAT, good, headers={"origin": "http://evil.test"}) == (403, "permission_error")
    assert await told(stage, "GET", "/v1/models", None) == (401, "authentication_error")
    assert await told(stage, "GET", "/v1/models", "sk-wrong") == (401, "authentication_error")
    assert await told(stage, "GET", "/v1/models", poor) == (403, "permission_error")
    assert await told(stage, "GET", "/v1/files", good) == (404, request)
    assert await told(stage, "DELETE", "/v1/models", good) == (405, request)
    assert await told(stage, "POST", CHAT, good, content=b" " * 32_000_001) == (413, request)
    kind = {"content-type": "application/json"}
    assert await told(stage, "POST", CHAT, good, content=NESTED, headers=kind) == (400, request)
    assert await told(stage, "POST", CHAT, good, content=b"{}", headers=kind) == (429, rate)
    assert (await told(stage, "GET", "/v1/models/no-such-model", good))[0] == 404


async def test_whoever_comes_while_all_is_busy_is_told_when_to_come_again(served):
    """Where as many questions run as may, both interfaces answer 429 with Retry-After."""
    served.hall.seat(hanging("slow"))
    for number in range(AT_ONCE):
        await served.post("/api/v1/runs", {"text": f"What is {number}?"}, 201)
    for path, body in (("/api/v1/runs", {"text": "And this?"}), (CHAT, ASKED)):
        answer = await served.client.post(path, json=body)
        assert (answer.status_code, answer.json()["error"]["code"]) == (429, "busy")
        assert answer.headers["retry-after"] == str(BUSY_S)


@pytest.mark.parametrize(
    ("path", "wrong", "place"),
    [
        (CHAT, {"messages": [{"role": "user", "content": 1}]}, "messages.0.content"),
        (CHAT, {"messages": [{"role": "user", "content": [{"text": "x"}]}]}, "messages.0.content.0.type"),
        (CHAT, {"stop": ["x"] * 17}, "stop"),
        (CHAT, {"tool_choice": "sometimes"}, "tool_choice"),
        ("/v1/embeddings", {"model": "x", "input": ["x"] * 2_049}, "input"),
    ],
)
async def test_the_field_at_fault_is_named_as_it_was_sent(served, path, wrong, place):
    """`param` holds names of fields and places in lists, and nothing of how they are checked here."""
    error = (await served.post(path, (ASKED if path == CHAT else {}) | wrong, 400))["error"]
    assert error["param"] == place
    assert error["message"].startswith(f"{place}: ")


async def test_an_earlier_refusal_of_the_assistant_is_read(served):
    """A history in which the assistant refused, as clients keep it, is taken like any other."""
    ash = served.hall.seat(voice("ash", "yes"))
    refused = {"role": "assistant", "content": [{"type": "refusal", "refusal": "I would rather not."}]}
    messages = [*ASKED["messages"], refused, {"role": "user", "content": "And a guitar?"}]
    await served.post(CHAT, {"model": "ash", "messages": messages})
    assert ash.calls[0][0].messages[1].content == "I would rather not."
