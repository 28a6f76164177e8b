"""An OpenAI-compatible provider on the loopback whose models keep to a script: what they say, how fast, and how not."""

import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from auritas.council.review.prompts import COMPARE, REVIEW

Messages = list[dict[str, Any]]


@dataclass(frozen=True)
class Script:
    """How one model behaves.

    text: its reply, or what makes one of the messages. rate: words a second; 0 sends all at once. status: of an answer
    that is an error. hangs: says nothing after `text` until the provider ends. verdict: when it reviews.
    """

    text: str | Callable[[Messages], str] = "ANSWER: unknown"
    rate: float = 0.0
    status: int = 200
    hangs: bool = False
    verdict: str = "correct"

    def reply(self, messages: Messages) -> str:
        """Return what it says to `messages`."""
        task = messages[0]["content"]
        if task == REVIEW:
            return json.dumps({"verdict": self.verdict, "issues": [], "correction": ""})
        if task == COMPARE:
            return json.dumps({"better": "neither"})
        return self.text(messages) if callable(self.text) else self.text


def says(answer: str, explanation: str = "Because it is so.", *, confidence: int = 80) -> str:
    """Return a reply in the form that members are asked for."""
    return f"{explanation}\nANSWER: {answer}\nCONFIDENCE: {confidence}\nDOMAINS: general"


@dataclass
class Provider:
    """The provider while it runs. scripts: by model id; a test may change them. asked: bodies of all requests."""

    port: int
    scripts: dict[str, Script]
    asked: list[dict[str, Any]] = field(default_factory=list)
    closing: threading.Event = field(default_factory=threading.Event)

    @property
    def url(self) -> str:
        """Its base address."""
        return f"http://127.0.0.1:{self.port}/v1"


@contextmanager
def providing(scripts: Mapping[str, Script]) -> Iterator[Provider]:
    """Run a provider until the block ends."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.daemon_threads = True
    provider = Provider(server.server_address[1], dict(scripts))
    server.provider = provider  # type: ignore[attr-defined]  # what the handlers share
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield provider
    finally:
        provider.closing.set()
        server.shutdown()
        server.server_close()
        thread.join(10)


class _Handler(BaseHTTPRequestHandler):
    @property
    def _provider(self) -> Provider:
        provider = self.server.provider  # type: ignore[attr-defined]  # set above
        assert isinstance(provider, Provider)
        return provider

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self._provider.asked.append(body)
        script = self._provider.scripts.get(body["model"], Script())
        if script.status != 200:
            self._refuse(script.status)
            return
        with suppress(BrokenPipeError, ConnectionResetError):
            self._stream(script, script.reply(body["messages"]))

    def _stream(self, script: Script, text: str) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        for piece in _pieces(text) if script.rate else [text]:
            self._send({"choices": [{"index": 0, "delta": {"content": piece}, "finish_reason": None}]})
            if script.rate and self._provider.closing.wait(1 / script.rate):
                return
        if script.hangs:
            self._provider.closing.wait()
            return
        self._send({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
        self._send({"choices": [], "usage": {"prompt_tokens": 40, "completion_tokens": len(text) // 4}})
        self.wfile.write(b"data: [DONE]\n\n")

    def _refuse(self, status: int) -> None:
        body = json.dumps({"error": {"message": "Not today."}}).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _send(self, frame: dict[str, Any]) -> None:
        self.wfile.write(f"data: {json.dumps(frame)}\n\n".encode())
        self.wfile.flush()

    def log_message(self, *_args: object) -> None:
        """Stay silent."""


def _pieces(text: str) -> Iterator[str]:
    start = 0
    while start < len(text):
        blank = text.find(" ", start + 1)
        end = len(text) if blank < 0 else blank
        yield text[start:end]
        start = end


def wait_for(ready: Callable[[], object], seconds: float = 30.0) -> None:
    """Wait until `ready` says something true. Raises TimeoutError."""
    deadline = time.monotonic() + seconds
    while not ready():
        if time.monotonic() > deadline:
            raise TimeoutError
        time.sleep(0.05)
