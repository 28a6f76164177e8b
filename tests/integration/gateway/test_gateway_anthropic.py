"""The Anthropic protocol against a real server on the loopback."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
from tests.unit.gateway.doubles import KEY, WHY, MemoryEgress, MemoryKeys, ask, endpoint, heard
from tests.unit.gateway.provider import Cut, Provider, Reply, event, refusal

from auritas.gateway.adapters.anthropic import Messages
from auritas.gateway.adapters.http import Http
from auritas.gateway.adapters.remote import RemoteModel
from auritas.gateway.errors import FailureKind, ProviderFailed, ProviderRefused
from auritas.gateway.model import EndpointKind
from auritas.kernel.clock import SystemClock
from auritas.kernel.model import FinishReason, Message, Params, Prompt, Role

pytestmark = pytest.mark.anyio

START = event(
    {
        "type": "message_start",
        "message": {
            "model": "claude-x",
            "usage": {"input_tokens": 9, "cache_read_input_tokens": 2, "output_tokens": 1},
        },
    }
)
PING = event({"type": "ping"})
STOP = event({"type": "message_stop"})
SCHEMA: dict[str, Any] = {"type": "object", "properties": {"answer": {"type": "string"}}}


def delta(**fields: str) -> bytes:
    return event({"type": "content_block_delta", "index": 0, "delta": fields})


def said(text: str) -> bytes:
    return delta(type="text_delta", text=text)


def end(reason: str = "end_turn") -> bytes:
    return event({"type": "message_delta", "delta": {"stop_reason": reason}, "usage": {"output_tokens": 5}})


WHOLE = Reply([START, PING, said("Can"), said("berra"), end(), STOP])


@pytest.fixture
async def http() -> AsyncIterator[Http]:
    client = Http(MemoryEgress())
    yield client
    await client.aclose()


def claude(url: str, http: Http) -> RemoteModel:
    where = endpoint(url.removesuffix("/v1"), kind=EndpointKind.ANTHROPIC, key_ref="store:x")
    return RemoteModel(where, Messages(where), http, MemoryKeys({"store:x": KEY}), SystemClock())


async def test_a_streamed_message_arrives_with_its_counts(http: Http):
    """Text, tokens (the cached ones too), the model that answered, and the key in its own header."""
    async with Provider(WHOLE) as provider:
        got = await heard(claude(provider.url, http).bound(WHY).answer(ask(), Params()))
        sent = provider.seen[0]
    assert got.text == "Canberra"
    assert (got.end.usage.tokens_in, got.end.usage.tokens_out) == (11, 5)
    assert got.end.provenance.model_digest == "claude-x"
    assert (sent.path, sent.headers["x-api-key"], sent.headers["anthropic-version"]) == (
        "/v1/messages",
        KEY,
        "2023-06-01",
    )


async def test_the_system_message_has_its_own_place(http: Http):
    """System texts are lifted out of the turns, and empty turns are left out."""
    turns = (Message(Role.SYSTEM, "be brief"), Message(Role.ASSISTANT, ""), Message(Role.USER, "hi"))
    async with Provider(WHOLE) as provider:
        await heard(claude(provider.url, http).bound(WHY).answer(Prompt(turns), Params(stop=("END",))))
        body = provider.seen[0].body
    assert body["system"] == "be brief"
    assert body["messages"] == [{"role": "user", "content": "hi"}]
    assert body["stop_sequences"] == ["END"]


async def test_a_form_comes_as_the_input_of_a_tool(http: Http):
    """A schema becomes a tool that must be used, and its input is the text of the reply."""
    steps = [
        START,
        delta(type="input_json_delta", partial_json='{"answer":'),
        delta(type="input_json_delta", partial_json='"A"}'),
    ]
    async with Provider(Reply([*steps, end("tool_use"), STOP])) as provider:
        got = await heard(claude(provider.url, http).bound(WHY).answer(ask(), Params(schema=SCHEMA)))
        assert provider.seen[0].body["tool_choice"] == {"type": "tool", "name": "reply"}
    assert got.text == '{"answer":"A"}'
    assert got.end.reason is FinishReason.STOP


async def test_what_a_model_refuses_is_left_out(http: Http):
    """Tools and temperature are dropped when they are complained about; the form is then asked for in words."""
    replies = (refusal(400, "tools are not supported"), refusal(400, "temperature is deprecated for this model"), WHOLE)
    async with Provider(*replies) as provider:
        await heard(claude(provider.url, http).bound(WHY).answer(ask(), Params(schema=SCHEMA)))
        last = provider.seen[2].body
    assert "JSON Schema" in last["system"]
    assert not {"tools", "temperature"} & set(last)


async def test_thoughts_are_not_part_of_the_message(http: Http):
    """Thinking deltas and signatures are left out."""
    thinking = [delta(type="thinking_delta", thinking="hmm"), delta(type="signature_delta", signature="x")]
    async with Provider(Reply([START, *thinking, said("A"), end(), STOP])) as provider:
        got = await heard(claude(provider.url, http).bound(WHY).answer(ask(), Params()))
    assert got.text == "A"


async def test_a_whole_message_instead_of_a_stream_is_understood(http: Http):
    """A proxy that does not stream is asked all the same."""
    body = b'{"type": "message", "model": "c", "stop_reason": "max_tokens", "content": [{"type": "text", "text": "A"}]}'
    async with Provider(Reply([body], kind="application/json")) as provider:
        got = await heard(claude(provider.url, http).bound(WHY).answer(ask(), Params()))
    assert (got.text, got.end.reason) == ("A", FinishReason.LENGTH)


@pytest.mark.parametrize(
    ("steps", "kind"),
    [
        ([START, said("A"), Cut()], FailureKind.CUT),
        ([START, said("A")], FailureKind.CUT),
        (
            [START, event({"type": "error", "error": {"type": "overloaded_error", "message": "busy"}})],
            FailureKind.SERVER,
        ),
        ([event({"type": "error", "error": {"type": "rate_limit_error", "message": "slow"}})], FailureKind.LIMITED),
    ],
)
async def test_a_broken_message_is_a_failure_of_its_kind(http: Http, steps: list[Any], kind: FailureKind):
    """A cut and an error inside the stream are told apart."""
    async with Provider(Reply(steps)) as provider:
        with pytest.raises(ProviderFailed) as caught:
            await heard(claude(provider.url, http).bound(WHY).answer(ask(), Params()))
    assert caught.value.kind is kind


async def test_a_refused_key_is_named_by_its_reference(http: Http):
    """The remedy says which key to check and never shows it."""
    async with Provider(refusal(401, f"invalid x-api-key {KEY}")) as provider:
        with pytest.raises(ProviderRefused) as caught:
            await heard(claude(provider.url, http).bound(WHY).answer(ask(), Params()))
    assert "store:x" in caught.value.remedy
    assert KEY not in str(caught.value)
