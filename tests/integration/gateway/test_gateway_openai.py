"""The OpenAI protocol against a real server on the loopback, healthy and broken in every way."""

import traceback
from collections.abc import AsyncIterator, Mapping

import pytest
from tests.unit.gateway.doubles import KEY, WHY, MemoryEgress, MemoryKeys, ask, heard, openai
from tests.unit.gateway.provider import DONE, USAGE, Cut, Hang, Pause, Provider, Raw, Reply, chat, event, piece, refusal

from auritas.gateway.adapters.http import Http
from auritas.gateway.errors import (
    DeadlinePassed,
    FailureKind,
    KeyMissing,
    NotAnEndpoint,
    PromptTooLong,
    ProviderFailed,
    ProviderRefused,
    ProviderRejected,
    PurposeMissing,
)
from auritas.kernel.canonical import Json
from auritas.kernel.model import FinishReason, Params, Price, Tool

pytestmark = pytest.mark.anyio

SCHEMA: Mapping[str, Json] = {"type": "object", "properties": {"answer": {"type": "string"}}}


@pytest.fixture
def egress() -> MemoryEgress:
    return MemoryEgress()


@pytest.fixture
async def http(egress: MemoryEgress) -> AsyncIterator[Http]:
    client = Http(egress)
    yield client
    await client.aclose()


async def test_a_streamed_reply_arrives_in_pieces_with_counts_cost_and_times(http: Http):
    """Text comes as it is written, and the end tells tokens, cost in micro-units, latency and who answered."""
    async with Provider(chat("Can", "berra")) as provider:
        model = openai(provider.url, http, price=Price(1_000_000, 2_000_000))
        got = await heard(model.bound(WHY).answer(ask(), Params()))
    assert got.text == "Canberra"
    assert len(got.parts) == 3
    assert (got.end.usage.tokens_in, got.end.usage.tokens_out, got.end.usage.cost_micros) == (11, 7, 11 + 14)
    assert got.end.usage.first_token_ms is not None
    assert got.end.usage.first_token_ms <= got.end.usage.total_ms
    assert got.end.reason is FinishReason.STOP
    assert got.end.provenance.model_digest == "m-1"
    assert provider.seen[0].path == "/v1/chat/completions"


async def test_a_call_without_a_purpose_is_never_sent(http: Http, egress: MemoryEgress):
    """The model itself refuses to answer without a purpose, and the server hears nothing."""
    async with Provider() as provider:
        with pytest.raises(PurposeMissing):
            await heard(openai(provider.url, http).answer(ask(), Params()))
        assert not provider.seen
    assert not egress.records


async def test_a_request_is_in_the_ledger_before_it_is_sent(http: Http, egress: MemoryEgress):
    """When the ledger cannot be written, nothing leaves."""
    egress.refuse = ProviderFailed("disk full", kind=FailureKind.SERVER)
    async with Provider() as provider:
        with pytest.raises(ProviderFailed, match="disk full"):
            await heard(openai(provider.url, http).bound(WHY).answer(ask(), Params()))
        assert provider.connections == 0


async def test_the_ledger_tells_to_whom_why_and_how_much(http: Http, egress: MemoryEgress):
    """Host, purpose, conversation and size stand in the record; no key and no query do."""
    async with Provider() as provider:
        model = openai(provider.url, http, keys=MemoryKeys({"store:x": KEY}), key_ref="store:x")
        await heard(model.bound(WHY).answer(ask(), Params()))
        sent = provider.seen[0]
        (record,) = egress.records
        assert record.host == f"127.0.0.1:{provider.port}"
    assert sent.headers["authorization"] == f"Bearer {KEY}"
    assert record.loopback
    assert record.purpose == WHY
    assert record.bytes_out > len(sent.raw)
    assert KEY.encode() not in record.content
    assert KEY not in repr(record)
    await http.settled()
    assert egress.statuses == {"1": "200"}


async def test_the_key_is_read_for_each_call(http: Http):
    """A key that is changed is used at the next call."""
    keys = MemoryKeys({"store:x": KEY})
    async with Provider() as provider:
        model = openai(provider.url, http, keys=keys, key_ref="store:x")
        for _ in range(3):
            await heard(model.bound(WHY).answer(ask(), Params()))
    assert keys.reads == 3


async def test_a_missing_key_is_named_and_nothing_is_sent(http: Http):
    """A call without its key is refused before it starts."""
    async with Provider() as provider:
        with pytest.raises(KeyMissing, match="store:x"):
            await heard(openai(provider.url, http, key_ref="store:x").bound(WHY).answer(ask(), Params()))
        assert not provider.seen


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        (refusal(401, f"Incorrect API key provided: {KEY}"), ProviderRefused),
        (refusal(403), ProviderRefused),
        (refusal(402, "Insufficient credits"), ProviderRefused),
        (refusal(429, "You exceeded your quota: insufficient_quota"), ProviderRefused),
        (refusal(404, "model not found"), ProviderRejected),
        (refusal(400, "maximum context length is 4096 tokens"), PromptTooLong),
        (refusal(413), PromptTooLong),
        (refusal(418), ProviderRejected),
        (refusal(301, location="https://elsewhere.invalid/"), NotAnEndpoint),
        (Reply([b"<html>Sign in to the hotel</html>"], kind="text/html"), NotAnEndpoint),
    ],
)
async def test_an_error_of_the_provider_becomes_a_typed_one(http: Http, reply: Reply, expected: type[Exception]):
    """Each refusal has its type and a remedy, and never shows the key that the provider repeats."""
    async with Provider(reply) as provider:
        model = openai(provider.url, http, keys=MemoryKeys({"store:x": KEY}), key_ref="store:x")
        with pytest.raises(expected) as caught:
            await heard(model.bound(WHY).answer(ask(), Params()))
        assert len(provider.seen) == 1
    assert getattr(caught.value, "remedy", "")
    assert KEY not in str(caught.value)


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (refusal(408), FailureKind.TIMEOUT),
        (refusal(409), FailureKind.CONFLICT),
        (refusal(429), FailureKind.LIMITED),
        (refusal(500), FailureKind.SERVER),
        (refusal(503, "overloaded"), FailureKind.SERVER),
        (Reply([piece("Can"), Cut()]), FailureKind.CUT),
        (Reply([piece("Can")]), FailureKind.CUT),
        (Reply([piece("Can"), b'data: {"choices": [{"del']), FailureKind.GARBLED),
        (Reply([event("{]")]), FailureKind.GARBLED),
        (Reply([Raw(b"this is no chunk\r\n")]), FailureKind.CUT),
        (Reply([]), FailureKind.CUT),
        (Reply([piece("Can"), event({"error": {"code": 502, "message": "upstream"}})]), FailureKind.SERVER),
        (Reply([piece("", "error")]), FailureKind.SERVER),
        (Reply([b'{"error": {"message": "busy", "code": 429}}'], kind="application/json"), FailureKind.LIMITED),
        (Reply([b'{"choices": [{"message": {"content": "Can']), FailureKind.GARBLED),
    ],
)
async def test_a_broken_reply_is_a_failure_of_its_kind(http: Http, reply: Reply, kind: FailureKind):
    """Whatever a server does in the middle, the caller gets one typed failure and never half an answer as a whole."""
    async with Provider(reply) as provider:
        with pytest.raises(ProviderFailed) as caught:
            await heard(openai(provider.url, http).bound(WHY).answer(ask(), Params()))
    assert caught.value.kind is kind


async def test_no_traceback_holds_the_key(http: Http, free_port: int):
    """Errors of the library name the request that failed; ours do not, nor does what stands behind them."""
    keys = MemoryKeys({"store:x": KEY})
    async with Provider(Reply([Cut()])) as provider:
        for url in (provider.url, f"http://127.0.0.1:{free_port}/v1"):
            model = openai(url, http, keys=keys, key_ref="store:x")
            with pytest.raises(ProviderFailed) as caught:
                await heard(model.bound(WHY).answer(ask(), Params()))
            assert KEY not in "".join(traceback.format_exception(caught.value))
            assert KEY not in repr(model) + repr(model.endpoint)


async def test_a_refused_connection_is_unreachable(http: Http, egress: MemoryEgress, free_port: int):
    """A server that does not run is out of reach at its port, and the attempt still stands in the ledger."""
    with pytest.raises(ProviderFailed) as caught:
        await heard(openai(f"http://127.0.0.1:{free_port}/v1", http).bound(WHY).answer(ask(), Params()))
    assert caught.value.kind is FailureKind.UNREACHABLE
    assert f"127.0.0.1:{free_port} cannot be reached" in str(caught.value)
    await http.settled()
    assert egress.statuses == {"1": "no answer"}


@pytest.mark.parametrize(
    ("header", "low", "high"), [("7", 7.0, 7.0), ("Fri, 31 Dec 2100 23:59:59 GMT", 1e8, 1e10), ("soon", None, None)]
)
async def test_a_hint_when_to_come_back_is_kept(http: Http, header: str, low: float | None, high: float | None):
    """Retry-After arrives as seconds, whether it was a number or a date; nonsense is no hint."""
    async with Provider(refusal(429, retry_after=header)) as provider:
        with pytest.raises(ProviderFailed) as caught:
            await heard(openai(provider.url, http).bound(WHY).answer(ask(), Params()))
    hint = caught.value.retry_after
    assert (low is None and hint is None) or (
        hint is not None and low is not None and high is not None and low <= hint <= high
    )


async def test_characters_cut_between_chunks_are_put_together(http: Http):
    """A chunk border inside a character, a line end or a field changes nothing."""
    whole = b": comment\r\n\r\n" + piece("Zürich 東京 🦘") + piece("", "stop") + DONE
    steps = [whole[i : i + 1] for i in range(len(whole))]
    async with Provider(Reply(steps)) as provider:
        got = await heard(openai(provider.url, http).bound(WHY).answer(ask(), Params()))
    assert got.text == "Zürich 東京 🦘"


async def test_bytes_that_are_no_text_do_not_stop_a_reply(http: Http):
    """Invalid UTF-8 becomes a replacement character."""
    broken = b'data: {"choices": [{"delta": {"content": "a\xff\xfeb"}, "finish_reason": "stop"}]}\n\n'
    async with Provider(Reply([broken, DONE])) as provider:
        got = await heard(openai(provider.url, http).bound(WHY).answer(ask(), Params()))
    assert got.text == "a\ufffd\ufffdb"


@pytest.mark.parametrize("kind", ["application/json", "text/plain", "text/event-stream"])
async def test_a_whole_completion_instead_of_a_stream_is_understood(http: Http, kind: str):
    """A server that cannot stream is asked all the same, whatever type it declares."""
    body = b'{"model": "m-2", "choices": [{"message": {"content": "Canberra"}, "finish_reason": "length"}]}'
    async with Provider(Reply([body], kind=kind)) as provider:
        got = await heard(openai(provider.url, http).bound(WHY).answer(ask(), Params()))
    assert (got.text, got.end.reason, got.end.provenance.model_digest) == ("Canberra", FinishReason.LENGTH, "m-2")


async def test_events_declared_as_plain_text_are_understood(http: Http):
    """The body decides, not its declared type."""
    async with Provider(Reply([piece("Canberra", "stop"), DONE], kind="text/html")) as provider:
        got = await heard(openai(provider.url, http).bound(WHY).answer(ask(), Params()))
    assert got.text == "Canberra"


async def test_thoughts_are_not_part_of_the_reply(http: Http):
    """Reasoning deltas are left out, in both forms in use."""
    thoughts = [
        event({"choices": [{"delta": {"reasoning_content": "hmm", "content": None}}]}),
        event({"choices": [{"delta": {"reasoning": "hmm"}}]}),
        event(
            {
                "choices": [
                    {"delta": {"content": [{"type": "thinking", "thinking": "hmm"}, {"type": "text", "text": "A"}]}}
                ]
            }
        ),
    ]
    async with Provider(Reply([*thoughts, piece("B", "stop"), DONE])) as provider:
        got = await heard(openai(provider.url, http).bound(WHY).answer(ask(), Params()))
    assert got.text == "AB"


@pytest.mark.parametrize(
    ("complaint", "field", "params"),
    [
        ("Unrecognized request argument supplied: stream_options", "stream_options", Params()),
        ("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.", "max_tokens", Params()),
        ("Unsupported value: 'temperature' does not support 0", "temperature", Params()),
        ("extra fields not permitted: seed", "seed", Params(seed=3)),
        ("logprobs are not available", "logprobs", Params(logprobs=True)),
        ("streaming is not supported", "stream_options", Params()),
    ],
)
async def test_what_a_server_does_not_know_is_left_out_from_then_on(
    http: Http, egress: MemoryEgress, complaint: str, field: str, params: Params
):
    """A complaint about an optional field leads to one more request without it; later calls do without at once."""
    async with Provider(refusal(400, complaint), chat("Canberra")) as provider:
        model = openai(provider.url, http)
        for _ in range(2):
            got = await heard(model.bound(WHY).answer(ask(), params))
            assert got.text == "Canberra"
        assert [field in seen.body for seen in provider.seen] == [True, False, False]
    assert len(egress.records) == 3


async def test_a_form_is_asked_for_more_and_more_simply(http: Http):
    """A server without JSON Schema gets the form as JSON mode, and one without that gets it in words."""
    async with Provider(
        refusal(400, "response_format.json_schema is unknown"), refusal(422, "response_format"), chat("{}")
    ) as p:
        await heard(openai(p.url, http).bound(WHY).answer(ask(), Params(schema=SCHEMA)))
        forms = [seen.body.get("response_format", {}).get("type") for seen in p.seen]
        assert "JSON Schema" in p.seen[2].body["messages"][0]["content"]
    assert forms == ["json_schema", "json_object", None]


async def test_any_object_is_asked_for_by_the_mode_that_servers_have_for_it(http: Http):
    """Where every JSON object will do, no schema is sent, which some servers would refuse as not strict enough."""
    async with Provider(chat("{}")) as p:
        await heard(openai(p.url, http).bound(WHY).answer(ask(), Params(schema={"type": "object"})))
        assert [seen.body["response_format"] for seen in p.seen] == [{"type": "json_object"}]


async def test_a_tool_is_as_strict_as_it_was_made(http: Http):
    """Whether arguments must follow the schema to the letter goes on as it came, and is not said where it was not."""
    tools = (Tool("weather", strict=True), Tool("time", strict=False), Tool("place"))
    async with Provider(chat("{}")) as p:
        await heard(openai(p.url, http).bound(WHY).answer(ask(), Params(tools=tools)))
        assert [each["function"].get("strict") for each in p.seen[0].body["tools"]] == [True, False, None]


async def test_a_complaint_that_never_ends_is_given_up(http: Http):
    """A server that rejects every form is named, after a bounded number of requests."""
    async with Provider(refusal(400, "max_tokens temperature seed stream_options stream")) as provider:
        with pytest.raises(ProviderRejected):
            await heard(openai(provider.url, http).bound(WHY).answer(ask(), Params()))
        assert len(provider.seen) <= 8


async def test_counts_are_estimated_where_a_server_gives_none(http: Http):
    """A reply without usage still has a cost, from about four bytes a token."""
    async with Provider(Reply([piece("Canberra", "stop"), DONE])) as provider:
        got = await heard(openai(provider.url, http).bound(WHY).answer(ask("x" * 40), Params()))
    assert (got.end.usage.tokens_in, got.end.usage.tokens_out) == (10, 2)


async def test_the_price_that_a_provider_reports_is_taken(http: Http):
    """Where the bill is in the reply, it is not computed again; fractions of a micro-unit are rounded up."""
    bill = event({"choices": [], "usage": {"prompt_tokens": 1, "completion_tokens": 1, "cost": 0.00001234}})
    async with Provider(Reply([piece("A", "stop"), bill, DONE])) as provider:
        got = await heard(openai(provider.url, http).bound(WHY).answer(ask(), Params()))
    assert got.end.usage.cost_micros == 13


async def test_the_margin_is_the_narrowest_gap(http: Http):
    """With log-probabilities asked for, the end holds the smallest gap between first and second choice."""
    tops = [
        {"top_logprobs": [{"logprob": -0.1}, {"logprob": -2.1}]},
        {"top_logprobs": [{"logprob": -0.5}, {"logprob": -1.0}]},
    ]
    frame = event({"choices": [{"delta": {"content": "A"}, "logprobs": {"content": tops}, "finish_reason": "stop"}]})
    async with Provider(Reply([frame, USAGE, DONE])) as provider:
        got = await heard(openai(provider.url, http).bound(WHY).answer(ask(), Params(logprobs=True)))
    assert got.end.margin == pytest.approx(0.5)


async def test_a_server_that_drips_is_cut_at_the_deadline(http: Http):
    """A byte now and then does not keep a call alive: the deadline is one for the whole call."""
    drip: list[bytes | Pause] = []
    for _ in range(200):
        drip += [b": still here\n", Pause(0.05)]
    async with Provider(Reply(drip)) as provider:
        with pytest.raises(DeadlinePassed):
            await heard(openai(provider.url, http).bound(WHY).answer(ask(), Params(deadline_s=0.3)))


async def test_a_half_open_connection_ends_with_the_deadline(http: Http):
    """A server that accepts and then is silent is a timeout."""
    async with Provider(Reply([piece("Can"), Hang()])) as provider:
        with pytest.raises(ProviderFailed) as caught:
            await heard(openai(provider.url, http).bound(WHY).answer(ask(), Params(deadline_s=0.3)))
        assert caught.value.kind is FailureKind.TIMEOUT
        await provider.gone.wait()


async def test_closing_the_stream_hangs_up(http: Http):
    """Who stops listening stops the work: the server sees the connection end."""
    async with Provider(Reply([piece("Can"), Hang()])) as provider:
        stream = openai(provider.url, http).bound(WHY).answer(ask(), Params())
        await anext(stream)
        await stream.aclose()
        await provider.gone.wait()


async def test_a_server_that_keeps_the_body_open_after_the_end_is_not_waited_for(http: Http):
    """After [DONE] a reply is complete, even if the server forgets to close it."""
    async with Provider(Reply([piece("Canberra", "stop"), DONE, Hang()])) as provider:
        got = await heard(openai(provider.url, http).bound(WHY).answer(ask(), Params(deadline_s=30)))
    assert got.text == "Canberra"


async def test_an_event_without_end_is_given_up(http: Http):
    """A line of many megabytes is not collected for ever."""
    async with Provider(Reply([b"data: ", *([b"x" * 1_000_000] * 12)])) as provider:
        with pytest.raises(ProviderFailed) as caught:
            await heard(openai(provider.url, http).bound(WHY).answer(ask(), Params()))
    assert caught.value.kind is FailureKind.GARBLED
