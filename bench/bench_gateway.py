"""What the gateway costs over a direct call (F15).

Run: python bench/bench_gateway.py [calls]

A stub server in a process of its own answers at once with a short stream. It is asked in three ways: directly through
one pooled client, through the gateway (deadline, breaker, budget, egress record and audit entry in a real encrypted
store, committed before each send), and directly with a new client for each call, as some libraries do. CPU time is
that of this process alone, the store's writer thread included.
"""

import asyncio
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

import httpx2

from auritas.app.models import Addition, RemoteModels, connector
from auritas.audit.adapters.sql import SqlAuditLog
from auritas.gateway.adapters.egress_sql import SqlEgress
from auritas.gateway.adapters.http import Http
from auritas.gateway.adapters.keys import StoredKeys
from auritas.gateway.adapters.schema import JsonSchemaCheck
from auritas.gateway.model import Purpose
from auritas.gateway.service import Gateway
from auritas.kernel.clock import SystemClock
from auritas.kernel.ids import TimeOrderedIds
from auritas.kernel.model import Message, Params, Prompt, Role
from auritas.kernel.randomness import SeededRng, SystemEntropy
from auritas.store.database import SqlStore
from auritas.store.secret import Secret

CLIENTS = 8
WARM_UP = 20
PROMPT = Prompt((Message(Role.USER, "What is the capital of Australia?"),))

STUB = r"""
import asyncio, json

def event(frame): return f"data: {json.dumps(frame)}\n\n".encode()
words = ["The ", "capital ", "of ", "Australia ", "is ", "Canberra", "."]
body = b"".join(event({"model": "stub", "choices": [{"delta": {"content": w}, "finish_reason": None}]}) for w in words)
body += event({"choices": [{"delta": {}, "finish_reason": "stop"}]})
body += event({"choices": [], "usage": {"prompt_tokens": 12, "completion_tokens": 7}}) + b"data: [DONE]\n\n"
reply = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: %d\r\n\r\n" % len(body) + body

class Stub(asyncio.Protocol):
    def connection_made(self, transport): self.transport, self.data = transport, b""
    def data_received(self, data):
        self.data += data
        while (end := self.data.find(b"\r\n\r\n")) >= 0:
            head = self.data[:end].lower()
            size = int(head.split(b"content-length:")[1].split(b"\r\n")[0]) if b"content-length:" in head else 0
            if len(self.data) < end + 4 + size: return
            self.data = self.data[end + 4 + size:]
            self.transport.write(reply)

async def main():
    server = await asyncio.get_running_loop().create_server(Stub, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()
asyncio.run(main())
"""


@dataclass(frozen=True)
class Figures:
    """What one way of calling takes."""

    p50_ms: float
    p95_ms: float
    cpu_ms: float
    per_second: float


Call = Callable[[], Awaitable[None]]


async def measured(call: Call, calls: int) -> Figures:
    """Time calls one after another, then as many again from eight clients at once."""
    for _ in range(WARM_UP):
        await call()
    times, cpu = [], time.process_time()
    for _ in range(calls):
        began = time.perf_counter()
        await call()
        times.append((time.perf_counter() - began) * 1000)
    cpu = (time.process_time() - cpu) * 1000 / calls
    times.sort()

    async def client() -> None:
        for _ in range(calls // CLIENTS):
            await call()

    began = time.perf_counter()
    await asyncio.gather(*(client() for _ in range(CLIENTS)))
    rate = calls // CLIENTS * CLIENTS / (time.perf_counter() - began)
    return Figures(times[len(times) // 2], times[int(len(times) * 0.95)], cpu, rate)


def direct(url: str, client: httpx2.AsyncClient) -> Call:
    body = {"model": "stub", "messages": [{"role": "user", "content": PROMPT.question}], "stream": True}

    async def call() -> None:
        async with client.stream("POST", f"{url}/chat/completions", json=body) as response:
            async for line in response.aiter_lines():
                if line.startswith("data: {"):
                    json.loads(line[6:])

    return call


def client_per_call(url: str) -> Call:
    async def call() -> None:
        async with httpx2.AsyncClient() as client:
            await direct(url, client)()

    return call


def through_gateway(gateway: Gateway) -> Call:
    async def call() -> None:
        async for _ in gateway.answer("stub", PROMPT, Params(), Purpose("benchmark")):
            pass

    return call


async def compared(url: str, store: SqlStore, calls: int) -> dict[str, Figures]:
    clock, entropy = SystemClock(), SystemEntropy()
    ids = TimeOrderedIds(clock, SeededRng())
    log = SqlAuditLog(clock, entropy, ids)
    ledger = SqlEgress(store, log, ids=ids, clock=clock, entropy=entropy)
    http, keys = Http(ledger), StoredKeys(store, clock)
    remote = RemoteModels(store, log, keys=keys, connect=connector(http, ledger, keys, clock), clock=clock)
    remote.add(Addition("stub", base_url=url, key="none-of-your-business"))
    gateway = Gateway(remote.connected(), clock=clock, rng=SeededRng(), check=JsonSchemaCheck())
    async with AsyncExitStack() as stack:
        client = await stack.enter_async_context(httpx2.AsyncClient(trust_env=False))
        stack.push_async_callback(http.aclose)
        return {
            "direct, one client": await measured(direct(url, client), calls),
            "gateway": await measured(through_gateway(gateway), calls),
            "a client per call": await measured(client_per_call(url), max(calls // 10, CLIENTS)),
        }


def printed(found: dict[str, Figures]) -> None:
    base, ours, peer = found.values()
    print(f"{'':20}{'p50 ms':>9}{'p95 ms':>9}{'added p50':>11}{'added p95':>11}{'CPU ms':>9}{'added':>9}{'calls/s':>9}")
    for name, f in found.items():
        times = f"{f.p50_ms:>9.2f}{f.p95_ms:>9.2f}{f.p50_ms - base.p50_ms:>11.2f}{f.p95_ms - base.p95_ms:>11.2f}"
        print(f"{name:20}{times}{f.cpu_ms:>9.2f}{f.cpu_ms - base.cpu_ms:>9.2f}{f.per_second:>9.0f}")
    slower, costlier = peer.p50_ms / ours.p50_ms, peer.cpu_ms / ours.cpu_ms
    print(f"\nA client per call takes {slower:.0f} times the time and {costlier:.0f} times the CPU of the gateway.")


def main() -> None:
    calls = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    print(f"{calls} calls one after another, then {CLIENTS} clients at once\n")
    with (
        subprocess.Popen([sys.executable, "-c", STUB], stdout=subprocess.PIPE, text=True) as stub,
        tempfile.TemporaryDirectory() as folder,
        SqlStore.open(Path(folder) / "home", Secret(SystemEntropy().token(32))) as store,
    ):
        try:
            port = stub.stdout.readline().strip() if stub.stdout else ""
            found = asyncio.run(compared(f"http://127.0.0.1:{port}/v1", store, calls))
        finally:
            stub.kill()
    printed(found)


if __name__ == "__main__":
    main()
