"""The embedded models: one host for the process, one port for each model."""

import asyncio
import atexit
import os
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from auritas.gateway.adapters.engine_queue import EngineQueue, LocalModel, Work
from auritas.gateway.adapters.engine_reply import Reply, beginning, request
from auritas.gateway.adapters.engine_session import Engine, Load, Session
from auritas.kernel.clock import Clock
from auritas.kernel.model import FinishReason, ModelCard, Params, Part, Prompt, Text
from auritas.kernel.randomness import Entropy

_MIB = 1024 * 1024
_SHARE_OF_MEMORY = 0.6
_FALLBACK_MIB = 4096


@dataclass(frozen=True, slots=True)
class HostSettings:
    """How the host uses the machine.

    threads: of one generation; one is best, because two on a busy machine slow each other down by an order of
    magnitude. cores: what the host may use in all. memory_mib: for all loaded models. window: tokens of context.
    """

    threads: int = 1
    cores: int = os.cpu_count() or 1
    memory_mib: int = 0
    window: int = 4096

    @property
    def width(self) -> int:
        """Generations at once."""
        return max(1, self.cores // self.threads)

    @property
    def budget_mib(self) -> int:
        """The memory for models: as set, or else a share of the machine's."""
        return self.memory_mib or int(_physical_mib() * _SHARE_OF_MEMORY)


class ModelHost:
    """The one place in a process where embedded models live. Create one, close it at the end."""

    def __init__(
        self,
        entropy: Entropy,
        clock: Clock,
        settings: HostSettings | None = None,
        start: Callable[[Load], Engine] | None = None,
    ) -> None:
        settings = settings or HostSettings()
        self.clock = clock
        self.window = settings.window
        self.queue = EngineQueue(
            start or (lambda load: Session(load, entropy)),
            width=settings.width,
            threads=settings.threads,
            window=settings.window,
            budget_mib=settings.budget_mib,
        )
        # A generation that is still running while the interpreter ends would abort it.
        atexit.register(self.queue.close)

    def model(self, model: LocalModel) -> "EmbeddedModel":
        """Return the port of a model; nothing is loaded before its first question."""
        return EmbeddedModel(self, model)

    @property
    def loaded(self) -> tuple[str, ...]:
        """Names of the models in memory, least recently used first."""
        return self.queue.loaded

    def unload(self, name: str) -> None:
        """Free a model's memory, for example before its file is removed."""
        self.queue.unload(name)

    def close(self) -> None:
        """Stop every generation, wait for it and free all memory."""
        atexit.unregister(self.queue.close)
        self.queue.close()


class EmbeddedModel:
    """One model of the host as a ModelPort."""

    def __init__(self, host: ModelHost, model: LocalModel) -> None:
        self._host = host
        self._model = model
        self.card = ModelCard(
            name=model.name,
            provider="embedded",
            local=True,
            digest=model.digest,
            window=min(model.window, host.window),
            grammar=True,
        )

    async def answer(self, prompt: Prompt, params: Params) -> AsyncGenerator[Part, None]:
        """Stream the reply. After the deadline the last part says so, and the work stops within one batch or token."""
        clock, queue = self._host.clock, self._host.queue
        started, first_ms = clock.monotonic(), None
        stream = _Stream(self._model, prompt, params)
        queue.submit(stream.work)
        try:
            while (part := await stream.next()) is not None:
                if first_ms is None and isinstance(part, Text):
                    first_ms = (clock.monotonic() - started) * 1000
                yield part
            reason = FinishReason.DEADLINE if stream.late else None
            yield stream.reply.finished(first_ms, (clock.monotonic() - started) * 1000, reason)
        finally:
            queue.withdraw(stream.work)


class _Stream:
    """Carries parts from the thread that generates to the loop that asked, until the end, an error or the deadline."""

    def __init__(self, model: LocalModel, prompt: Prompt, params: Params) -> None:
        self.reply = Reply(params, model.digest)
        self.work = Work(model, request(prompt, params), self._take, self._end, beginning(prompt))
        self.late = False
        self._loop = asyncio.get_running_loop()
        self._limit = self._loop.time() + params.deadline_s
        self._arrived: asyncio.Queue[Part | BaseException | None] = asyncio.Queue()

    async def next(self) -> Part | None:
        """Return the next part, or None at the end and after the deadline. Raises what the work raised."""
        try:
            async with asyncio.timeout_at(self._limit):
                arrived = await self._arrived.get()
        except TimeoutError:
            self.late = True
            return None
        if isinstance(arrived, BaseException):
            raise arrived
        return arrived

    def _take(self, engine: str, chunk: Mapping[str, Any]) -> bool:
        """Translate a chunk, in the engine's thread, into which nothing may be raised. Return whether to stop."""
        try:
            self.reply.engine = engine
            for part in self.reply.take(chunk):
                self._send(part)
        except Exception as error:  # noqa: BLE001  carried to the one who asked
            self._send(error)
            return True
        return False

    def _end(self, error: BaseException | None) -> None:
        self._send(error)

    def _send(self, item: Part | BaseException | None) -> None:
        with suppress(RuntimeError):  # the loop has gone, and with it whoever asked
            self._loop.call_soon_threadsafe(self._arrived.put_nowait, item)


def _physical_mib() -> int:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // _MIB
    except (AttributeError, OSError, ValueError):
        return _FALLBACK_MIB
