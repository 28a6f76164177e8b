"""The official client of OpenAI, and curl, work against a real server behind its guard, unchanged."""

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from typing import Any

import openai
import pytest
from tests.integration.app.hall import voice
from tests.integration.server.serving import Running, running_over

from auritas.app.access import Scope
from auritas.gateway.adapters.http import Http
from auritas.gateway.adapters.openai import ChatCompletions
from auritas.gateway.adapters.remote import RemoteModel
from auritas.gateway.adapters.scripted import ScriptedModel
from auritas.gateway.model import Endpoint, EndpointKind
from auritas.kernel.tasks import TaskSpawner
from auritas.store import schema as t

pytestmark = pytest.mark.anyio
TOOL: Any = {
    "type": "function",
    "function": {"name": "weather", "parameters": {"type": "object", "properties": {"city": {"type": "string"}}}},
}


@pytest.fixture
async def there(hall) -> AsyncIterator[Running]:
    async with running_over(hall) as found:
        yield found


@pytest.fixture
async def client(there) -> AsyncIterator[openai.AsyncOpenAI]:
    token = there.household.access.create("chat app", [Scope.QUERY]).secret
    async with openai.AsyncOpenAI(base_url=f"{there.url}/v1", api_key=token, timeout=30) as found:
        yield found


class NoKeys:
    """No key is stored."""

    async def reveal(self, ref: str) -> str | None:
        del ref
        return None


class Provider:
    """A provider on loopback that answers with fixed frames. asked: the bodies it got."""

    def __init__(self, frames: Sequence[dict[str, Any]]) -> None:
        self.frames, self.asked = frames, list[dict[str, Any]]()

    async def __call__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        length = next(int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-l"))
        self.asked.append(json.loads(await reader.readexactly(length)))
        body = b"".join(b"data: %s\n\n" % json.dumps(frame).encode() for frame in self.frames) + b"data: [DONE]\n\n"
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n" + body)
        await writer.drain()
        writer.close()


async def test_the_council_answers_the_official_client(client, hall):
    """`model="auritas/fast"` gives a completion with what Auritas adds."""
    hall.seat(voice("ash", "yes"))
    said = await client.chat.completions.create(
        model="auritas/fast", messages=[{"role": "user", "content": "Is it so?"}]
    )
    assert said.choices[0].message.content.startswith("yes")
    assert said.usage.total_tokens > 0
    assert said.model_extra["auritas"]["why_url"]


async def test_the_council_streams_to_the_official_client(client, hall):
    """Chunks arrive with the usage at the end."""
    hall.seat(voice("ash", "yes"))
    stream = await client.chat.completions.create(
        model="auritas/fast",
        messages=[{"role": "user", "content": "Is it so?"}],
        stream=True,
        stream_options={"include_usage": True},
    )
    found = [chunk async for chunk in stream]
    assert "".join(c.choices[0].delta.content or "" for c in found if c.choices).startswith("yes")
    assert found[-1].usage.total_tokens > 0


async def test_the_synchronous_client_works_too(there, hall):
    """Threads of a program that knows no event loop are served alike."""
    hall.seat(ScriptedModel("solo", (("Hel", "lo."),)))
    token = there.household.access.create("script", [Scope.QUERY]).secret

    def ask() -> tuple[list[str], str | None]:
        with openai.OpenAI(base_url=f"{there.url}/v1", api_key=token, timeout=30) as client:
            asked: Any = {"model": "solo", "messages": [{"role": "user", "content": "Say hello."}]}
            whole = client.chat.completions.create(**asked).choices[0].message.content
            pieces = [c.choices[0].delta.content for c in client.chat.completions.create(**asked, stream=True)]
            names = [model.id for model in client.models.list()]
            assert names[-1] == "solo"
            return [piece for piece in pieces if piece], whole

    assert await asyncio.to_thread(ask) == (["Hel", "lo."], "Hello.")


async def test_errors_reach_the_official_client_as_its_own(there, client):
    """An unknown model, a wrong token and a missing scope raise the classes that programs catch."""
    asked: Any = {"messages": [{"role": "user", "content": "Hi"}]}
    with pytest.raises(openai.NotFoundError) as missing:
        await client.chat.completions.create(model="nobody", **asked)
    assert missing.value.code == "model_not_found"
    with pytest.raises(openai.BadRequestError) as several:
        await client.chat.completions.create(model="auritas/fast", n=2, **asked)
    assert several.value.param == "n"
    stranger = client.with_options(api_key="aur_wrong")
    with pytest.raises(openai.AuthenticationError):
        await stranger.models.list()
    weak = client.with_options(api_key=there.household.access.create("weak", [Scope.STATUS]).secret)
    with pytest.raises(openai.PermissionDeniedError):
        await weak.models.list()


async def test_tools_are_passed_through_to_a_provider(client, hall):
    """A call goes out with the tools, its pieces come back as one call, and its result goes out again."""
    usage = {"prompt_tokens": 9, "completion_tokens": 4}
    first_piece = {"index": 0, "id": "c1", "function": {"name": "weather", "arguments": '{"ci'}}
    frames: list[dict[str, Any]] = [
        {"choices": [{"delta": {"tool_calls": [first_piece]}}]},
        {"choices": [{"delta": {"tool_calls": [{"index": 0, "function": {"arguments": 'ty": "Ulm"}'}}]}}]},
        {"choices": [{"delta": {}, "finish_reason": "tool_calls"}], "usage": usage},
    ]  # fmt: skip
    provider = Provider(frames)
    server = await asyncio.start_server(provider, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    endpoint = Endpoint("far", EndpointKind.OPENAI, "test", f"http://127.0.0.1:{port}/v1", "far-1", local=True)
    http = Http(hall.auritas.egress_ledger)
    hall.auritas.roster.models["far"] = RemoteModel(endpoint, ChatCompletions(endpoint), http, NoKeys(), hall.clock)
    asked: Any = {"role": "user", "content": "Weather in Ulm?"}
    first = await client.chat.completions.create(
        model="far", messages=[asked], tools=[TOOL], tool_choice="auto", top_p=0.5, temperature=0.3
    )
    (call,) = first.choices[0].message.tool_calls
    assert (call.id, call.function.name, json.loads(call.function.arguments)) == ("c1", "weather", {"city": "Ulm"})
    assert first.choices[0].finish_reason == "tool_calls"
    assert first.usage.total_tokens == 13
    sent = provider.asked[0]
    assert (sent["tools"][0]["function"]["name"], sent["tool_choice"], sent["top_p"]) == ("weather", "auto", 0.5)
    result: Any = {"role": "tool", "tool_call_id": "c1", "content": "Sunny"}
    stream = await client.chat.completions.create(
        model="far", messages=[asked, first.choices[0].message, result], tools=[TOOL], stream=True
    )
    pieces = [chunk.choices[0] async for chunk in stream]
    assert pieces[-1].finish_reason == "tool_calls"
    assert [m["role"] for m in provider.asked[1]["messages"]] == ["user", "assistant", "tool"]
    assert provider.asked[1]["messages"][1]["tool_calls"][0]["id"] == "c1"
    assert [row.model for row in hall.rows(t.egress)] == ["far", "far"]
    server.close()
    await server.wait_closed()
    await http.aclose()


async def test_embeddings_work_with_the_official_client(client, hall):
    """The client asks for base64 by itself and unpacks it."""

    class Plane:
        id, dimensions = "plane:1", 2

        def embed(self, texts: Sequence[str]) -> list[list[float]]:
            return [[0.6, 0.8] for _ in texts]

    hall.auritas.embedder = Plane()
    said = await client.embeddings.create(model="plane", input=["one", "two"])
    assert [each.embedding for each in said.data] == [pytest.approx([0.6, 0.8])] * 2


async def test_a_client_that_leaves_stops_the_question(there, client, hall):
    """Who closes the stream stops the members: nobody would read what they write."""
    from auritas.gateway.adapters.scripted import Hang

    slow = hall.seat(ScriptedModel("slow", ((Hang(),),)))
    stream = await client.chat.completions.create(
        model="auritas/fast", messages=[{"role": "user", "content": "Is it so?"}], stream=True
    )
    spawner = TaskSpawner()
    reading = spawner.spawn("reading", anext(aiter(stream)))
    await reading
    while not slow.running:  # noqa: ASYNC110  the model is a double without events
        await asyncio.sleep(0.01)
    await stream.close()
    while slow.running:  # noqa: ASYNC110  as above
        await asyncio.sleep(0.01)
    assert not any(run.running for desk in there.household.desks for run in desk.runs())


async def test_curl_needs_nothing_but_the_token(there, hall):
    """A request written by hand is answered."""
    hall.seat(ScriptedModel("solo", (("Hello.",),)))
    token = there.household.access.create("curl", [Scope.QUERY]).secret
    body = json.dumps({"model": "solo", "messages": [{"role": "user", "content": "Hi"}]})
    curl = await asyncio.create_subprocess_exec(
        "curl", "-sS", f"{there.url}/v1/chat/completions", "-H", f"Authorization: Bearer {token}",
        "-H", "Content-Type: application/json", "-d", body, stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    out, _ = await curl.communicate()
    assert json.loads(out)["choices"][0]["message"]["content"] == "Hello."
