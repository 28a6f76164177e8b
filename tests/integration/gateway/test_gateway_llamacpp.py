"""Against real engines: llama.cpp's own listener, and the embedded host. Form is asserted, never wording (E8)."""

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from tests.integration.gateway.conftest import Desk
from tests.integration.gateway.test_gateway_pool import network_events
from tests.unit.gateway.doubles import KEY, WHY, MemoryKeys, ask, heard, openai

from auritas.gateway.adapters.embedded import HostSettings, ModelHost
from auritas.gateway.adapters.engine_queue import LocalModel
from auritas.gateway.adapters.schema import JsonSchemaCheck
from auritas.gateway.errors import ProviderRefused
from auritas.gateway.manifest import built_in_manifest
from auritas.gateway.service import Gateway
from auritas.kernel.canonical import Json
from auritas.kernel.clock import SystemClock
from auritas.kernel.model import FinishReason, Params
from auritas.kernel.randomness import SeededRng, SystemEntropy

SPEC = built_in_manifest().named("smollm2-135m")
SERVER = """
import sys, threading
import xllamacpp
params = xllamacpp.CommonParams()
params.model.path, key = sys.argv[1], sys.argv[2]
params.verbosity, params.n_ctx, params.cache_ram_mib = -1, 2048, 0
params.warmup = params.ui = False
params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
params.hostnames, params.port, params.api_keys = ["127.0.0.1"], 0, [key]
server = xllamacpp.Server(params)
print(server.listening_address, flush=True)
sys.stdin.read()
"""
SCHEMA: dict[str, Json] = {
    "type": "object",
    "properties": {"answer": {"type": "string", "maxLength": 40}},
    "required": ["answer"],
}


def weights() -> Path:
    """The smallest model, where AURITAS_MODEL_DIR or AURITAS_TEST_MODELS says that models lie."""
    folder = os.environ.get("AURITAS_MODEL_DIR") or os.environ.get("AURITAS_TEST_MODELS") or ""
    return Path(folder) / SPEC.files[0].path


pytestmark = [
    pytest.mark.anyio,
    pytest.mark.models,
    pytest.mark.skipif(not weights().is_file(), reason=f"{SPEC.name} is not in AURITAS_MODEL_DIR"),
]


@asynccontextmanager
async def listener() -> AsyncIterator[str]:
    """llama.cpp's server in a process of its own; gives its base URL."""
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", SERVER, str(weights()), KEY, stdin=pipe, stdout=pipe, stderr=asyncio.subprocess.DEVNULL
    )
    try:
        assert process.stdout is not None
        address = (await process.stdout.readline()).decode().strip()
        yield f"{address.rstrip('/')}/v1" if address.startswith("http") else f"http://{address}/v1"
    finally:
        process.kill()
        await process.wait()


async def test_llama_cpp_is_an_openai_compatible_server(desk: Desk):
    """Streaming, counts, a form and a limit work over its listener, and a wrong key is refused."""
    async with listener() as url:
        known, stranger = (
            openai(url, desk.http, keys=MemoryKeys({"store:x": key}), key_ref="store:x") for key in (KEY, "wrong")
        )
        # As everything asks: a connection that the listener closes between two requests is begun anew.
        asked = Gateway(
            {"known": known, "stranger": stranger}, clock=SystemClock(), rng=SeededRng(1), check=JsonSchemaCheck()
        )
        said = await heard(asked.answer("known", ask("Say hello."), Params(max_tokens=24), WHY))
        assert said.text
        assert len(said.parts) > 2
        assert 0 < said.end.usage.tokens_out <= 24
        assert said.end.usage.tokens_in > 0
        short = await heard(asked.answer("known", ask("Count from one to one hundred."), Params(max_tokens=4), WHY))
        assert short.end.reason is FinishReason.LENGTH
        formed = await heard(asked.answer("known", ask(), Params(max_tokens=60, schema=SCHEMA), WHY))
        assert set(json.loads(formed.text)) == {"answer"}
        with pytest.raises(ProviderRefused):
            await heard(asked.answer("stranger", ask(), Params(), WHY))
    assert {record.loopback for record in desk.view.page().records} == {True}


async def test_an_embedded_model_opens_no_socket():
    """A gateway with embedded models alone answers without a connection, a look-up or a packet (F17)."""
    host = ModelHost(SystemEntropy(), SystemClock(), HostSettings(cores=1))
    try:
        model = host.model(LocalModel(SPEC.name, SPEC.digest, SPEC.window, SPEC.memory_mib, weights))
        asked = Gateway({SPEC.name: model}, clock=SystemClock(), rng=SeededRng(1), check=JsonSchemaCheck())
        with network_events() as events:
            got = await heard(asked.answer(SPEC.name, ask("Say hello."), Params(max_tokens=8), WHY))
        assert got.end.usage.tokens_out > 0
        assert not [event for event in events if event in {"socket.connect", "socket.getaddrinfo", "socket.sendto"}]
    finally:
        host.close()
