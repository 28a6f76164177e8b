"""A provider on the loopback that speaks just enough HTTP, and every way in which one can break."""

import asyncio
import json
import ssl
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self, TypeAlias

from auritas.kernel.clock import SystemClock


@dataclass(frozen=True)
class Raw:
    """Bytes written past the framing of the body."""

    data: bytes


@dataclass(frozen=True)
class Pause:
    seconds: float


@dataclass(frozen=True)
class Hang:
    """Say nothing more and keep the connection open."""


@dataclass(frozen=True)
class Cut:
    """Reset the connection."""


Step: TypeAlias = bytes | Raw | Pause | Hang | Cut


@dataclass(frozen=True)
class Reply:
    steps: Sequence[Step] = ()
    status: int = 200
    kind: str = "text/event-stream"
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Seen:
    method: str
    path: str
    headers: Mapping[str, str]
    raw: bytes

    @property
    def body(self) -> Any:
        return json.loads(self.raw)


class Provider:
    """Serves one reply per request, the last one again and again. Counts connections, requests and breaks."""

    def __init__(self, *replies: Reply, tls: ssl.SSLContext | None = None) -> None:
        self.tls = tls
        self.replies = list(replies) or [chat("ready")]
        self.seen: list[Seen] = []
        self.connections = 0
        self.gone = asyncio.Event()
        self._writers: set[asyncio.StreamWriter] = set()
        self._server: asyncio.Server | None = None

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0, ssl=self.tls)
        return self

    async def __aexit__(self, *_exc: object) -> None:
        assert self._server is not None
        self._server.close()
        for writer in list(self._writers):
            writer.transport.abort()
        await self._server.wait_closed()

    @property
    def port(self) -> int:
        assert self._server is not None
        return int(self._server.sockets[0].getsockname()[1])

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        self._writers.add(writer)
        try:
            while request := await self._read(reader):
                self.seen.append(request)
                reply = self.replies[min(len(self.seen), len(self.replies)) - 1]
                await self._answer(reply, reader, writer)
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            self.gone.set()
        finally:
            self._writers.discard(writer)
            writer.close()

    async def _read(self, reader: asyncio.StreamReader) -> Seen | None:
        try:
            head = await reader.readuntil(b"\r\n\r\n")
        except asyncio.IncompleteReadError:
            return None
        first, *lines = head.decode().split("\r\n")
        method, path, _ = first.split(" ")
        fields = [line.split(": ", 1) for line in lines if ": " in line]
        headers = {name.lower(): value for name, value in fields}
        return Seen(method, path, headers, await reader.readexactly(int(headers.get("content-length", "0"))))

    async def _answer(self, reply: Reply, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        lines = {"content-type": reply.kind, "transfer-encoding": "chunked", **reply.headers}
        head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
        writer.write(f"HTTP/1.1 {reply.status} X\r\n{head}\r\n".encode())
        for step in reply.steps:
            match step:
                case bytes():
                    writer.write(f"{len(step):x}\r\n".encode() + step + b"\r\n")
                case Raw():
                    writer.write(step.data)
                case Pause():
                    await writer.drain()
                    await SystemClock().sleep(step.seconds)
                    if reader.at_eof():
                        raise ConnectionResetError
                case Hang():
                    await writer.drain()
                    await reader.read()
                    raise ConnectionResetError
                case Cut():
                    await writer.drain()
                    writer.transport.abort()
                    raise ConnectionResetError
            await writer.drain()
        writer.write(b"0\r\n\r\n")
        await writer.drain()


_CHUNK = {"id": "chunk", "object": "chat.completion.chunk", "created": 1, "model": "m-1"}


def event(frame: Mapping[str, Any] | str) -> bytes:
    data = frame if isinstance(frame, str) else json.dumps(frame, ensure_ascii=False)
    return f"data: {data}\n\n".encode()


def piece(text: str, finish: str | None = None) -> bytes:
    return event({**_CHUNK, "choices": [{"index": 0, "delta": {"content": text}, "finish_reason": finish}]})


USAGE = event({**_CHUNK, "choices": [], "usage": {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}})
DONE = event("[DONE]")


def chat(*texts: str, finish: str = "stop") -> Reply:
    """A whole, healthy streamed reply."""
    return Reply([*(piece(text) for text in texts), piece("", finish), USAGE, DONE])


def refusal(status: int, message: str = "no", **headers: str) -> Reply:
    body = json.dumps({"error": {"message": message}}).encode()
    return Reply(
        [body], status=status, kind="application/json", headers={k.replace("_", "-"): v for k, v in headers.items()}
    )
