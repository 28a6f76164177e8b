"""What the server adds to the models (W4).

Run: python bench/bench_server.py [requests]

A server in a process of its own, with its guard, a real encrypted store and scripted models that take 10 ms, on
loopback. Closed loop with 8 clients, each of which sends its next request when the last one is answered: a single
model passed through (whole and streamed), and whole council questions of five members, all of them distinct. Then
1,000 event streams that get two events a second. CPU time and memory are those of the server's process.
"""

import asyncio
import json
import os
import resource
import signal
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import uvicorn

from auritas.app.compose import Auritas
from auritas.app.household import LOCAL, Household
from auritas.app.roster import Roster
from auritas.app.settings import load
from auritas.council.model import Member
from auritas.gateway.adapters.calculator import CalculatorModel
from auritas.gateway.adapters.scripted import ScriptedModel, Wait
from auritas.kernel.answers import Seat
from auritas.kernel.model import Message, Params, Prompt, Role
from auritas.server.app import create_app
from auritas.server.guard.rates import Rates
from auritas.store.keychain import NoKeychain
from auritas.store.opening import open_store

CLIENTS = 8
MODEL_S = 0.010
STREAMS = 1_000
STREAMS_S = 10.0
EVENTS_PER_S = 2
MEMBERS = ("ash", "birch", "cedar", "elder", "fir")
FILES = 8_192
REPLY = "It is so.\nANSWER: yes\nCONFIDENCE: 70\nDOMAINS: general"
CHAT = "/v1/chat/completions"
_MANY = 10_000_000
UNLIMITED = Rates(_MANY, _MANY, _MANY, _MANY, _MANY, _MANY)


# --- the server ------------------------------------------------------------------------------------------------------


@dataclass
class ScriptedRoster(Roster):
    """Members that were put there."""

    seats: list[Member] = field(default_factory=list)

    def members(self) -> Sequence[Member]:
        return tuple(self.seats)


def _scripted(auritas: Auritas) -> None:
    roster = ScriptedRoster(auritas.embedded, auritas.remote, auritas.hooks, CalculatorModel(auritas.clock))
    for name in MEMBERS:
        model = ScriptedModel(name, ((Wait(MODEL_S), REPLY),))
        roster.models[name] = model
        roster.seats.append(Member(Seat(name, name, model.card.digest), model.card))
    auritas.__dict__["roster"] = roster  # the seam of a cached property: what is there is not made


async def serve(home: Path) -> None:
    """Serve until told to stop; print port, token and what asking the model itself takes."""
    settings = load(home=home)
    auritas = Auritas(settings, open_store(home, keychain=NoKeychain()), None)
    _scripted(auritas)
    household = Household(settings, opener=lambda _settings, _passphrase: auritas)
    household.open()
    token = household.access.create("bench", ["admin"]).secret  # type: ignore[list-item]
    server = uvicorn.Server(
        uvicorn.Config(create_app(household, rates=UNLIMITED), port=0, log_config=None, timeout_graceful_shutdown=1)
    )
    running = auritas.spawner.spawn("server", server.serve())
    while not server.started:
        await auritas.clock.sleep(0.02)
    port = server.servers[0].sockets[0].getsockname()[1]
    print(json.dumps({"port": port, "token": token, "model_ms": await _alone()}), flush=True)
    desk = household.desk_of(LOCAL, auritas)
    while not running.done():
        await auritas.clock.sleep(1 / EVENTS_PER_S)
        desk.changed("memory")
    await household.aclose()
    household.close()


async def _alone() -> float:
    """Return what the model itself takes here: a timer of 10 ms fires a little later."""
    model, prompt = ScriptedModel("alone", ((Wait(MODEL_S), REPLY),)), Prompt((Message(Role.USER, "Is it so?"),))
    took = []
    for _ in range(100):
        began = time.perf_counter()
        async for _part in model.answer(prompt, Params()):
            pass
        took.append((time.perf_counter() - began) * 1000)
    return statistics.median(took)


# --- the clients -----------------------------------------------------------------------------------------------------


@dataclass
class Connection:
    """One kept connection that speaks just enough HTTP/1.1."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    token: str

    @classmethod
    async def open(cls, port: int, token: str) -> "Connection":
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        return cls(reader, writer, token)

    def begin(self, method: str, path: str, body: bytes = b"") -> None:
        head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.writer.get_extra_info('peername')[1]}\r\n"
        head += f"Authorization: Bearer {self.token}\r\nContent-Type: application/json\r\n"
        self.writer.write(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)

    async def ask(self, body: bytes) -> bytes:
        """Post a chat and return the body of the answer; raises for anything but 200."""
        self.begin("POST", CHAT, body)
        head = (await self.reader.readuntil(b"\r\n\r\n")).lower()
        answer = await self._body(head)
        if b" 200 " not in head.split(b"\r\n")[0]:
            raise RuntimeError(answer[:300])
        return answer

    async def _body(self, head: bytes) -> bytes:
        if b"content-length:" in head:
            return await self.reader.readexactly(int(head.split(b"content-length:")[1].split(b"\r\n")[0]))
        parts = []
        while size := int(await self.reader.readuntil(b"\r\n"), 16):
            parts.append(await self.reader.readexactly(size + 2))
        await self.reader.readexactly(2)
        return b"".join(parts)


@dataclass(frozen=True)
class Loop:
    """A closed loop: milliseconds of each request, and seconds in all."""

    took: Sequence[float]
    seconds: float

    @property
    def rate(self) -> float:
        return len(self.took) / self.seconds

    def at(self, share: float) -> float:
        return sorted(self.took)[min(len(self.took) - 1, int(len(self.took) * share))]


async def closed_loop(port: int, token: str, bodies: Sequence[bytes]) -> Loop:
    """Send the bodies with CLIENTS clients."""
    queue, took = iter(bodies), list[float]()

    async def client() -> None:
        connection = await Connection.open(port, token)
        for body in queue:
            began = time.perf_counter()
            await connection.ask(body)
            took.append((time.perf_counter() - began) * 1000)
        connection.writer.close()

    began = time.perf_counter()
    await _all([client] * CLIENTS)
    return Loop(took, time.perf_counter() - began)


async def _all(works: Iterable[Callable[[], Awaitable[None]]]) -> None:
    async with asyncio.TaskGroup() as group:
        for work in works:
            group.create_task(work())  # type: ignore[arg-type]


def _chats(model: str, count: int, *, stream: bool = False) -> list[bytes]:
    return [
        json.dumps(
            {"model": model, "stream": stream, "messages": [{"role": "user", "content": f"Is number {at} odd?"}]}
        ).encode()
        for at in range(count)
    ]


# --- what the server's process takes ---------------------------------------------------------------------------------


def _cpu_s(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _memory_mb(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    return int(status.split("VmRSS:")[1].split()[0]) / 1024


async def streams(port: int, token: str, pid: int) -> tuple[float, float, float]:
    """Open the streams; return megabytes before and with them, and the share of a core that they take."""
    before = _memory_mb(pid)
    connections = [await Connection.open(port, token) for _ in range(STREAMS)]
    for connection in connections:
        connection.begin("GET", "/api/v1/events")
    for connection in connections:
        await connection.reader.readuntil(b"retry")
    got = 0

    async def drain(connection: Connection) -> None:
        nonlocal got
        while data := await connection.reader.read(65_536):
            got += data.count(b"event: changed")

    tasks = [asyncio.create_task(drain(each)) for each in connections]
    cpu, began = _cpu_s(pid), time.perf_counter()
    await asyncio.sleep(STREAMS_S)
    share = (_cpu_s(pid) - cpu) / (time.perf_counter() - began)
    memory = _memory_mb(pid)
    expected = STREAMS * EVENTS_PER_S * STREAMS_S
    if got < expected * 0.8:
        raise RuntimeError(f"{got} events of {expected:.0f} arrived")
    for task, connection in zip(tasks, connections, strict=True):
        task.cancel()
        connection.writer.close()
    return before, memory, share


async def measure(requests: int) -> None:
    """Start the server, run the loops and print the table."""
    with tempfile.TemporaryDirectory() as home:
        process = await asyncio.create_subprocess_exec(
            sys.executable, __file__, "--serve", home, stdout=asyncio.subprocess.PIPE
        )
        assert process.stdout is not None  # noqa: S101  it was asked for
        told = json.loads(await process.stdout.readline())
        port, token, alone = told["port"], told["token"], told["model_ms"]
        try:
            print(f"{CLIENTS} clients, closed loop; the model alone takes {alone:.1f} ms\n")
            print("| what | requests/s | p50 ms | p99 ms | added p50 ms | server CPU ms each |")
            print("|---|---|---|---|---|---|")
            for name, bodies in (
                ("one model, whole", _chats("ash", requests)),
                ("one model, streamed", _chats("ash", requests, stream=True)),
                ("council, fast", _chats("auritas/fast", requests // 4)),
                ("council, balanced", _chats("auritas/balanced", requests // 4)),
            ):
                await closed_loop(port, token, bodies[: 5 * CLIENTS])
                cpu = _cpu_s(process.pid)
                loop = await closed_loop(port, token, bodies)
                each = (_cpu_s(process.pid) - cpu) / len(bodies) * 1000
                figures = f"{loop.rate:.0f} | {loop.at(0.5):.1f} | {loop.at(0.99):.1f} | {loop.at(0.5) - alone:.1f}"
                print(f"| {name} | {figures} | {each:.2f} |", flush=True)
            before, memory, share = await streams(port, token, process.pid)
            print(f"\n{STREAMS} event streams at {EVENTS_PER_S} events/s: ", end="")
            print(f"{memory:.0f} MB ({memory - before:+.0f}), {share:.0%} of a core")
        finally:
            process.send_signal(signal.SIGTERM)
            await process.wait()


if __name__ == "__main__":
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(FILES, hard), hard))
    if sys.argv[1:2] == ["--serve"]:
        asyncio.run(serve(Path(sys.argv[2])))
    else:
        asyncio.run(measure(int(sys.argv[1]) if len(sys.argv) > 1 else 2_000))
