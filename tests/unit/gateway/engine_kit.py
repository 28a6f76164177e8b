"""A scripted engine behind the real queue and host: it writes what it is told, and stops where it is told."""

import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from auritas.gateway.adapters.embedded import EmbeddedModel, HostSettings, ModelHost
from auritas.gateway.adapters.engine_queue import LocalModel
from auritas.gateway.adapters.engine_session import Load
from auritas.kernel.clock import SystemClock
from auritas.kernel.model import Message, Prompt, Role
from auritas.kernel.randomness import SystemEntropy

HELLO = Prompt((Message(Role.USER, "Hello?"),))


def token(text: str, **more: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "finish_reason": None, "delta": {"content": text}, **more}]}


def reading(done: int, total: int) -> dict[str, Any]:
    return {
        "choices": [{"delta": {"role": "assistant", "content": None}}],
        "prompt_progress": {"total": total, "cache": 0, "processed": done, "time_ms": 1},
    }


def ending(reason: str = "stop", tokens_in: int = 5, tokens_out: int = 2) -> dict[str, Any]:
    return {
        "choices": [{"finish_reason": reason, "index": 0, "delta": {}}],
        "timings": {"cache_n": 1, "prompt_n": tokens_in - 1, "predicted_n": tokens_out},
    }


SHORT = (reading(0, 5), reading(5, 5), token("Hel"), token("lo."), ending())


@dataclass
class ScriptedEngine:
    """Sends chunks; between two of them it waits for the gate, so that a test decides how far it gets."""

    load: Load
    desk: "Desk"
    version: str = "scripted 1"

    def prepare(self, prefix: Mapping[str, Any], take: Callable[[Mapping[str, Any]], bool]) -> None:
        del take
        self.desk.prepared.append(prefix)

    def generate(self, body: Mapping[str, Any], take: Callable[[Mapping[str, Any]], bool]) -> None:
        name = self.load.path.name
        self.desk.started(name)
        try:
            for chunk in self.desk.script:
                self.desk.gate.wait(10)
                if take(chunk):
                    return
                self.desk.sent += 1
                if self.desk.sent == self.desk.hold_after:
                    self.desk.gate.clear()
                    self.desk.held.set()
        finally:
            self.desk.ended(name)

    def close(self) -> None:
        self.desk.closed.append(self.load.path.name)


@dataclass
class Desk:
    """Starts scripted engines and remembers what they did. hold_after: chunks after which the gate closes by itself."""

    script: Iterable[Mapping[str, Any]] = SHORT
    hold_after: int = 0
    held: threading.Event = field(default_factory=threading.Event)
    fails: Exception | None = None
    gate: threading.Event = field(default_factory=threading.Event)
    loaded: list[str] = field(default_factory=list)
    closed: list[str] = field(default_factory=list)
    prepared: list[Mapping[str, Any]] = field(default_factory=list)
    running: list[str] = field(default_factory=list)
    most_at_once: int = 0
    twice_on_one: bool = False
    sent: int = 0
    quiet: threading.Event = field(default_factory=threading.Event)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self.gate.set()

    def start(self, load: Load) -> ScriptedEngine:
        if self.fails:
            raise self.fails
        self.loaded.append(load.path.name)
        return ScriptedEngine(load, self)

    def started(self, name: str) -> None:
        with self._lock:
            self.quiet.clear()
            self.twice_on_one |= name in self.running
            self.running.append(name)
            self.most_at_once = max(self.most_at_once, len(self.running))

    def ended(self, name: str) -> None:
        with self._lock:
            self.running.remove(name)
            if not self.running:
                self.quiet.set()

    def host(self, *, cores: int = 2, memory_mib: int = 1000) -> ModelHost:
        settings = HostSettings(threads=1, cores=cores, memory_mib=memory_mib)
        return ModelHost(SystemEntropy(), SystemClock(), settings, self.start)


def model(host: ModelHost, name: str = "a", memory_mib: int = 100) -> EmbeddedModel:
    return host.model(LocalModel(name, f"digest-{name}", 4096, memory_mib, lambda: Path(name)))
