"""A whole installation in a temporary folder, driven as a person drives it: by commands."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from tests.e2e import forks

from auritas.council.review.prompts import COMPARE, REVIEW

TIER = os.environ.get("AURITAS_MODELS", "small")
MODEL_DIR = os.environ.get("AURITAS_MODEL_DIR", "")
WEIGHTS = {"small": "smollm2-135m-q4_1.gguf", "standard": "qwen2.5-coder-1.5b-q4_k_m.gguf"}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Name what is missing instead of failing obscurely."""
    for item in items:
        marker = item.get_closest_marker("models")
        tier = marker.args[0] if marker and marker.args else "small"
        if marker and not (MODEL_DIR and (Path(MODEL_DIR) / WEIGHTS[tier]).is_file()):
            item.add_marker(
                pytest.mark.skip(reason=f"needs the {tier} embedded models: AURITAS_MODELS={tier} make test")
            )


DRIVERS: dict[str, asyncio.AbstractEventLoop | None] = {}
"""The loops of browser drivers, by whose they are: each keeps one running in this thread, also between its tests."""


def driver_of(item: pytest.Item) -> str:
    """Return whose driver a test works with, nothing for a test without a browser."""
    return "pages" if item.path.parent.name == "web" else item.path.stem if "web" in item.path.stem else ""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Iterator[None]:
    """Give a test with a browser the loop of its driver again."""
    asyncio._set_running_loop(DRIVERS.get(driver_of(item)))
    yield


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item) -> Iterator[None]:
    """Leave no running loop behind: the tests of other files start their own."""
    try:
        yield
    finally:
        DRIVERS[driver_of(item)] = asyncio._get_running_loop()
        asyncio._set_running_loop(None)


@dataclass
class Home:
    """One data folder and the commands run on it."""

    path: Path
    extra: dict[str, str] = field(default_factory=dict)

    @property
    def environment(self) -> dict[str, str]:
        own = {k: v for k, v in os.environ.items() if not k.startswith("AURITAS_")}
        clean = {k: v for k, v in own.items() if k not in forks.SIZE}
        return clean | {"AURITAS_HOME": str(self.path), "AURITAS_MODEL_DIR": str(self.path / "models")} | self.extra

    def command(self, *words: str) -> list[str]:
        return [sys.executable, "-m", "auritas", *words]

    def run(self, *words: str, code: int | None = 0, feed: str = "", prefix: Sequence[str] = ()) -> "Done":
        done = self._forked(words, feed) if forks.POSSIBLE and not prefix else None
        done = done or self._started([*prefix, *self.command(*words)], feed)
        if code is not None:
            assert done.returncode == code, f"{words} ended with {done.returncode}:\n{done.stdout}\n{done.stderr}"
        return Done(done.stdout, done.stderr, done.returncode)

    def _forked(self, words: Sequence[str], feed: str) -> "subprocess.CompletedProcess[str] | None":
        forking = forks.shared()
        return forking.run(words, self.environment, feed=feed) if forking.fits(self.environment) else None

    def _started(self, command: Sequence[str], feed: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            command,
            input=feed,
            capture_output=True,
            text=True,
            env=self.environment,
            timeout=forks.TIMEOUT_S,
            check=False,
        )

    def json(self, *words: str, code: int = 0) -> Any:
        return json.loads(self.run(*words, "--json", code=code).out)

    def start(self, *words: str) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            self.command(*words),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=self.environment,
        )

    def every_byte(self) -> bytes:
        """Return all files of the folder, names included."""
        files = sorted(path for path in self.path.rglob("*") if path.is_file())
        return b"\n".join(str(path).encode() + path.read_bytes() for path in files)


@dataclass(frozen=True)
class Done:
    out: str
    err: str
    code: int


@pytest.fixture(scope="session", autouse=True)
def _forks() -> Iterator[None]:
    """End the process that forks, if a test has needed it."""
    yield
    if forks.shared.cache_info().currsize:
        forks.shared().close()


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "auritas")


@dataclass
class FakeModels:
    """An OpenAI-compatible server on the loopback whose models say what a test wants.

    says: reply by model id; a callable gets the messages. hold: replies wait here until it is set.
    """

    port: int
    says: dict[str, str | Callable[[list[dict[str, str]]], str]]
    asked: list[dict[str, Any]] = field(default_factory=list)
    hold: threading.Event = field(default_factory=threading.Event)
    arrived: threading.Event = field(default_factory=threading.Event)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def answered(self) -> list[dict[str, Any]]:
        """The requests for an answer, without those for reviews and comparisons."""
        return [body for body in self.asked if body["messages"][0]["content"] not in {REVIEW, COMPARE}]

    def join(self, home: Home, *names: str) -> None:
        """Add the models called `names` to a home."""
        from auritas.app.compose import opened
        from auritas.app.models import Addition

        with opened(home=home.path) as auritas:
            for name in names:
                auritas.remote.add(Addition(name, base_url=self.url))


@contextmanager
def serving(says: dict[str, Any]) -> Iterator[FakeModels]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            served.asked.append(body)
            served.arrived.set()
            served.hold.wait(60)
            said = served.says.get(body["model"], "ANSWER: unknown")
            text = said(body["messages"]) if callable(said) else said
            if text == "503":
                self.send_error(503)
                return
            frames: list[dict[str, Any]] = [
                {"choices": [{"index": 0, "delta": {"content": text}, "finish_reason": "stop"}]}
            ]
            frames.append({"choices": [], "usage": {"prompt_tokens": 11, "completion_tokens": 7}})
            data = "".join(f"data: {json.dumps(frame)}\n\n" for frame in frames) + "data: [DONE]\n\n"
            self.send_response(200)
            self.send_header("content-type", "text/event-stream")
            self.send_header("content-length", str(len(data.encode())))
            self.end_headers()
            self.wfile.write(data.encode())

        def log_message(self, *_args: object) -> None:
            """Stay silent."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    served = FakeModels(server.server_address[1], says)
    served.hold.set()
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield served
    finally:
        server.shutdown()
        server.server_close()
        thread.join(10)


def says(answer: str, explanation: str = "Because it is so.") -> str:
    return f"{explanation}\nANSWER: {answer}\nCONFIDENCE: 80\nDOMAINS: general"


def reviewing(answer: str, verdict: str, correction: str = "") -> Callable[[list[dict[str, str]]], str]:
    """Return a model that says `answer` when it is asked, and `verdict` when it reviews."""
    found = {"verdict": verdict, "issues": ["Look again."] if correction else [], "correction": correction}

    def said(messages: list[dict[str, str]]) -> str:
        return json.dumps(found) if messages[0]["content"] == REVIEW else says(answer)

    return said


@pytest.fixture
def models() -> Iterator[FakeModels]:
    replies = {"ada": says("Canberra"), "bob": says("Canberra."), "eve": says("Sydney")}
    with serving(replies) as server:
        yield server


def interrupted(process: "subprocess.Popen[str]", ready: Callable[[], object], sent: int = signal.SIGINT) -> Done:
    """Send a signal once `ready` is true and return how the process ended."""
    for _ in range(600):
        if ready():
            break
        time.sleep(0.05)
    else:
        process.kill()
        raise AssertionError("the process never got there: " + "".join(process.communicate()))
    process.send_signal(sent)
    out, err = process.communicate(timeout=60)
    return Done(out, err, process.returncode)
