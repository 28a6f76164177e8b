"""The one queue in front of all loaded models: as wide as the machine allows, one generation per model at a time.

Nothing ever waits inside the engine, where a request cannot be stopped. Models are loaded when first asked for, and
the least recently used idle ones make room when the memory budget would be passed.
"""

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from auritas.gateway.adapters.engine_session import Engine, Load
from auritas.kernel.errors import UnavailableError


class NoMemoryError(UnavailableError):
    """A model is larger than the whole budget."""

    code = "memory_budget"

    def __init__(self, name: str, needed: int, budget: int) -> None:
        super().__init__(
            f"{name} needs about {needed} MiB of memory and the budget for models is {budget} MiB.",
            remedy="Raise the budget if the machine has the memory, or use a smaller model.",
        )


class HostClosedError(UnavailableError):
    """The models were shut down while a request was waiting."""

    code = "models_closed"

    def __init__(self) -> None:
        super().__init__("The embedded models have been shut down.", remedy="Ask again after a restart.")


@dataclass(frozen=True, slots=True)
class LocalModel:
    """A model on this machine. locate: checks its file and returns it. memory_mib: resident size once loaded.

    keep: a folder where the engine may keep what it has read of the stable beginnings of prompts.
    """

    name: str
    digest: str
    window: int
    memory_mib: int
    locate: Callable[[], Path]
    keep: Path | None = None


@dataclass(eq=False, slots=True)
class Work:
    """One request. take: gets the engine's version and a chunk, returns True to stop. end: gets the error or None.

    prefix: a request for the stable beginning of the prompt alone, if it has one.
    """

    model: LocalModel
    body: Mapping[str, Any]
    take: Callable[[str, Mapping[str, Any]], bool]
    end: Callable[[BaseException | None], None]
    prefix: Mapping[str, Any] | None = None
    stop: threading.Event = field(default_factory=threading.Event)


@dataclass(eq=False, slots=True)
class _Loaded:
    model: LocalModel
    engine: Engine | None = None
    used: int = 0


class EngineQueue:
    """Runs work on loaded models. start: loads one. width: generations at once. budget_mib: memory of all models."""

    def __init__(
        self, start: Callable[[Load], Engine], *, width: int, threads: int, window: int, budget_mib: int
    ) -> None:
        self._start = start
        self._width = width
        self._threads = threads
        self._window = window
        self._budget = budget_mib
        self._changed = threading.Condition()
        self._waiting: list[Work] = []
        self._running: dict[str, Work] = {}
        self._loaded: dict[str, _Loaded] = {}
        self._workers: list[threading.Thread] = []
        self._turn = 0
        self._closed = False

    @property
    def loaded(self) -> tuple[str, ...]:
        """Names of the models in memory, least recently used first."""
        with self._changed:
            return tuple(
                one.model.name for one in sorted(self._loaded.values(), key=lambda one: one.used) if one.engine
            )

    @property
    def busy(self) -> int:
        """How many generations are running or waiting."""
        with self._changed:
            return len(self._running) + len(self._waiting)

    def submit(self, work: Work) -> None:
        """Queue work. Raises HostClosedError, or NoMemoryError for a model that can never fit."""
        if work.model.memory_mib > self._budget:
            raise NoMemoryError(work.model.name, work.model.memory_mib, self._budget)
        with self._changed:
            if self._closed:
                raise HostClosedError
            self._waiting.append(work)
            if len(self._workers) < self._width:
                name = f"auritas-model-{len(self._workers)}"
                # Daemon threads, because the interpreter would wait for others before it calls close.
                self._workers.append(threading.Thread(target=self._serve, name=name, daemon=True))
                self._workers[-1].start()
            self._changed.notify()

    def withdraw(self, work: Work) -> None:
        """Stop work: at once while it waits, within one batch or token while it runs."""
        work.stop.set()
        with self._changed:
            if work in self._waiting:
                self._waiting.remove(work)

    def unload(self, name: str) -> None:
        """Free a model's memory if it is loaded; waits for the generation that it is busy with."""
        with self._changed:
            self._changed.wait_for(lambda: name not in self._running)
            gone = self._loaded.pop(name, None)
        _close([gone] if gone else [])

    def close(self) -> None:
        """Stop everything, wait for it, and free the memory. Safe to call twice."""
        with self._changed:
            self._closed = True
            waiting, self._waiting = self._waiting, []
            for work in self._running.values():
                work.stop.set()
            self._changed.notify_all()
        for work in waiting:
            work.end(HostClosedError())
        for worker in self._workers:
            worker.join()
        with self._changed:
            gone, self._loaded = list(self._loaded.values()), {}
        _close(gone)

    def _serve(self) -> None:
        while (work := self._next()) is not None:
            error: BaseException | None = None
            try:
                self._run(work)
            except BaseException as raised:  # noqa: BLE001  carried to the one who asked
                error = raised
            with self._changed:
                del self._running[work.model.name]
                self._changed.notify_all()
            work.end(error)

    def _run(self, work: Work) -> None:
        engine = self._engine(work.model)

        def take(chunk: Mapping[str, Any]) -> bool:
            return work.stop.is_set() or work.take(engine.version, chunk)

        if work.prefix is not None and not work.stop.is_set():
            engine.prepare(work.prefix, take)
        if not work.stop.is_set():
            engine.generate(work.body, take)

    def _next(self) -> Work | None:
        """Wait for work that can run, and mark its model as busy; None when everything is over."""
        with self._changed:
            while not self._closed:
                for work in self._waiting:
                    if work.model.name not in self._running and self._fits(work.model):
                        self._waiting.remove(work)
                        self._running[work.model.name] = work
                        return work
                self._changed.wait()
            return None

    def _fits(self, model: LocalModel) -> bool:
        """Return whether the model fits beside the busy ones, loaded or about to be, once every idle one has left."""
        busy = sum(work.model.memory_mib for work in self._running.values())
        return busy + model.memory_mib <= self._budget

    def _engine(self, model: LocalModel) -> Engine:
        """Return the model's engine, loading it in the room that idle models leave."""
        with self._changed:
            self._turn += 1
            mine = self._loaded.setdefault(model.name, _Loaded(model))
            mine.used = self._turn
            leaving = self._leaving()
        _close(leaving)
        if mine.engine is None:
            try:
                window = min(self._window, model.window)
                load = Load(model.locate(), window, self._threads, model.digest, model.keep)
                mine.engine = self._start(load)
            except BaseException:
                with self._changed:
                    self._loaded.pop(model.name, None)
                raise
        return mine.engine

    def _leaving(self) -> list[_Loaded]:
        """Take out idle models, least recently used first, until the rest fits."""
        leaving = []
        idle = sorted((o for n, o in self._loaded.items() if n not in self._running), key=lambda one: one.used)
        total = sum(one.model.memory_mib for one in self._loaded.values())
        for one in idle:
            if total <= self._budget:
                break
            total -= one.model.memory_mib
            leaving.append(self._loaded.pop(one.model.name))
        return leaving


def _close(leaving: list[_Loaded]) -> None:
    for one in leaving:
        if one.engine:
            one.engine.close()
            one.engine = None
