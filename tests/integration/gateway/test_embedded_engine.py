"""The real engine with the smallest model: form is asserted, never wording (E8)."""

import json
import os
import stat
from collections.abc import AsyncIterator, Iterator, Mapping
from itertools import pairwise
from pathlib import Path

import httpx2
import jsonschema
import pytest

from auritas.gateway.adapters.embedded import EmbeddedModel, HostSettings, ModelHost
from auritas.gateway.adapters.engine_queue import LocalModel
from auritas.gateway.adapters.engine_session import BATCH_TOKENS, EngineLoadError, Load, Session
from auritas.gateway.embedded_prompt import BALLOT_SCHEMA, MEMBER_SCHEMA, ballot_prompt, member_prompt
from auritas.gateway.manifest import built_in_manifest
from auritas.kernel.canonical import Json
from auritas.kernel.clock import SystemClock
from auritas.kernel.model import Finished, FinishReason, Message, Params, Part, Prefill, Prompt, Role, Text
from auritas.kernel.randomness import SystemEntropy

SPEC = built_in_manifest().named("smollm2-135m")
WEIGHTS = Path(os.environ.get("AURITAS_MODEL_DIR", ".models")) / SPEC.files[0].path
pytestmark = [
    pytest.mark.anyio,
    pytest.mark.models("small"),
    pytest.mark.skipif(not WEIGHTS.is_file(), reason="needs the small embedded models: AURITAS_MODELS=small make test"),
]
LONG = Prompt((Message(Role.USER, "One of many words. " * 400),))


@pytest.fixture(scope="module")
def host() -> Iterator[ModelHost]:
    host = ModelHost(SystemEntropy(), SystemClock(), HostSettings(cores=1))
    yield host
    host.close()


@pytest.fixture
def port(host: ModelHost) -> EmbeddedModel:
    return host.model(LocalModel(SPEC.name, SPEC.digest, SPEC.window, SPEC.memory_mib, lambda: WEIGHTS))


async def collect(parts: AsyncIterator[Part]) -> tuple[str, Finished]:
    text, end = "", None
    async for part in parts:
        text += part.text if isinstance(part, Text) else ""
        end = part if isinstance(part, Finished) else end
    assert end is not None
    return text, end


async def idle(host: ModelHost) -> None:
    """Wait until the engine has stopped; a test that passes here has seen it stop."""
    for _ in range(500):
        if not host.queue.busy:
            return
        await SystemClock().sleep(0.01)
    pytest.fail("the engine did not stop")


@pytest.mark.parametrize(
    ("prompt", "schema"),
    [
        (member_prompt("What is the capital of Australia?"), MEMBER_SCHEMA),
        (ballot_prompt("It rained.", "The streets were wet from the rain."), BALLOT_SCHEMA),
    ],
)
async def test_replies_keep_the_form(port: EmbeddedModel, prompt: Prompt, schema: Mapping[str, Json]):
    """Whatever the smallest model says is JSON of the schema, with counts, provenance and a margin (E8)."""
    text, end = await collect(port.answer(prompt, Params(max_tokens=200, schema=schema, logprobs=True)))
    jsonschema.validate(json.loads(text), schema)
    assert end.reason is FinishReason.STOP
    assert end.usage.tokens_in > 50
    assert end.usage.tokens_out > 3
    assert end.usage.first_token_ms is not None
    assert end.provenance.engine.startswith("xllamacpp ")
    assert end.provenance.model_digest == SPEC.digest
    assert len(end.provenance.grammar_digest) == 64
    assert end.margin is None or end.margin >= 0


async def test_the_same_seed_gives_the_same_text(port: EmbeddedModel):
    """With one slot and one seed, sampling is replayable; another seed is free to differ (E7)."""
    prompt = Prompt((Message(Role.USER, "Tell me about the sea."),))
    texts = [
        (await collect(port.answer(prompt, Params(max_tokens=40, temperature=0.9, seed=seed))))[0]
        for seed in (11, 11, 12)
    ]
    assert texts[0] == texts[1]
    assert texts[0] != texts[2]


async def test_a_prompt_is_read_in_batches_and_can_be_stopped_there(host: ModelHost, port: EmbeddedModel):
    """Progress comes every 64 tokens; closing the stream while the prompt is read stops the engine."""
    parts = port.answer(LONG, Params())
    seen = []
    async for part in parts:
        assert isinstance(part, Prefill)
        seen.append(part.done)
        if len(seen) == 4:
            break
    await parts.aclose()
    await idle(host)
    assert all(later - earlier <= BATCH_TOKENS for earlier, later in pairwise(seen))


async def test_the_deadline_stops_the_reading(host: ModelHost, port: EmbeddedModel):
    """A deadline in the middle of the prompt ends the reply with that reason, and the engine stops."""
    _, end = await collect(port.answer(LONG, Params(deadline_s=0.3)))
    assert end.reason is FinishReason.DEADLINE
    assert end.usage.tokens_out == 0
    await idle(host)


async def test_a_reply_that_is_too_long_is_cut(port: EmbeddedModel):
    """max_tokens is obeyed and said."""
    _, end = await collect(port.answer(Prompt((Message(Role.USER, "Tell a story."),)), Params(max_tokens=5)))
    assert (end.reason, end.usage.tokens_out) == (FinishReason.LENGTH, 5)


async def test_a_new_process_need_not_read_the_beginning_again(tmp_path: Path):
    """The reply is the same to the letter, only the question itself is read, and a damaged file is read anew."""
    folder = tmp_path / "kept"
    local = LocalModel(SPEC.name, SPEC.digest, SPEC.window, SPEC.memory_mib, lambda: WEIGHTS, folder)
    texts, read = [], []
    for damage in (False, False, True):
        if damage:
            (kept,) = folder.iterdir()
            kept.write_bytes(kept.read_bytes()[:-1])
        host = ModelHost(SystemEntropy(), SystemClock(), HostSettings(cores=1))
        parts = [
            part
            async for part in host.model(local).answer(member_prompt("Is water wet?"), Params(schema=MEMBER_SCHEMA))
        ]
        host.close()
        texts.append("".join(part.text for part in parts if isinstance(part, Text)))
        starts = [part for part in parts if isinstance(part, Prefill)]
        read.append(starts[0].done == 0)
    assert texts[0] == texts[1] == texts[2]
    assert read == [True, False, True]
    (kept,) = folder.iterdir()
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert b"Is water wet" not in kept.read_bytes()


async def test_the_listener_answers_nobody_without_the_key(tmp_path: Path):
    """All paths but /health and the static page answer 401 without the key; the socket is the user's alone (E6)."""
    session = Session(Load(WEIGHTS, 512, 1), SystemEntropy())
    try:
        address = Path(session.address.removeprefix("unix://"))
        assert stat.S_IMODE(address.parent.stat().st_mode) == 0o700
        transport = httpx2.AsyncHTTPTransport(uds=str(address))
        async with httpx2.AsyncClient(transport=transport, base_url="http://engine") as client:
            posts = [
                "/slots/0?action=save",
                "/v1/chat/completions",
                "/completion",
                "/completions",
                "/embeddings",
                "/tokenize",
                "/infill",
            ]
            gets = ["/v1/models", "/props", "/slots", "/metrics"]
            answers = [await client.post(path, json={"prompt": "x"}) for path in posts]
            answers += [await client.get(path) for path in gets]
            wrong = await client.post("/completion", json={}, headers={"Authorization": "Bearer guess"})
            statuses = {answer.request.url.path: answer.status_code for answer in [*answers, wrong]}
            assert (await client.get("/health")).status_code == 200
    finally:
        session.close()
    assert not {path: status for path, status in statuses.items() if status not in (401, 404)}
    assert statuses["/completion"] == statuses["/v1/chat/completions"] == 401
    assert not address.parent.exists()


@pytest.mark.parametrize("content", [b"", b"GGUF", b"GGUF" + bytes(4096)])
def test_a_broken_file_is_an_error_with_a_sentence(tmp_path: Path, content: bytes):
    """Files that only look like a model are refused by the engine without a crash, and leave no socket behind."""
    path = tmp_path / "broken.gguf"
    path.write_bytes(content)
    with pytest.raises(EngineLoadError, match=r"could not load broken\.gguf"):
        Session(Load(path, 512, 1), SystemEntropy())
