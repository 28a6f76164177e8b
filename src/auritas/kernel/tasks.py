"""Concurrency has one owner: tasks are spawned here and nowhere else."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import Any, Protocol, TypeVar

T = TypeVar("T")
_ENOUGH = object()


class Spawner(Protocol):
    """The only starter of concurrent work."""

    def spawn(self, name: str, work: Coroutine[Any, Any, T]) -> "asyncio.Task[T]":
        """Start `work` and return its task, which the caller awaits or cancels."""


class TaskSpawner:
    """Starts asyncio tasks and keeps a reference, so that none is collected while it runs."""

    def __init__(self) -> None:
        self._running: set[asyncio.Task[Any]] = set()

    def spawn(self, name: str, work: Coroutine[Any, Any, T]) -> "asyncio.Task[T]":
        task = asyncio.get_running_loop().create_task(work, name=name)  # the one owner of task creation
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return task


class SerialSpawner:
    """Runs tasks strictly one after another in the order of spawning: a deterministic double."""

    def __init__(self) -> None:
        self._last: asyncio.Task[Any] | None = None

    def spawn(self, name: str, work: Coroutine[Any, Any, T]) -> "asyncio.Task[T]":
        before = self._last

        async def after() -> T:
            if before is not None:
                await asyncio.wait([before])
            return await work

        self._last = asyncio.get_running_loop().create_task(after(), name=name)
        return self._last


class Hurry:
    """Tells work under way that whoever waits for it wants what there is by now. It lives in one event loop."""

    def __init__(self) -> None:
        self.called = False
        self._heard_by: set[Callable[[], None]] = set()

    def call(self) -> None:
        """Wait for nothing more; calling twice is fine."""
        self.called = True
        for act in tuple(self._heard_by):
            act()

    @contextmanager
    def heard(self, act: Callable[[], None]) -> Iterator[None]:
        """Do `act` when the call comes, or at once where it has come already, until the block ends."""
        self._heard_by.add(act)
        if self.called:
            act()
        try:
            yield
        finally:
            self._heard_by.discard(act)


async def merge(
    spawner: Spawner, streams: Sequence[AsyncIterator[T]], hurry: Hurry | None = None
) -> AsyncGenerator[T, None]:
    """Yield items of all streams as they arrive; the order within one stream is kept.

    An error in any stream ends the merge and is raised. Closing the merge closes every stream, which is how a
    cancellation reaches the work behind it. hurry: when it is called the merge ends after what has arrived by then.
    """
    queue: asyncio.Queue[tuple[bool, Any]] = asyncio.Queue()
    tasks = [spawner.spawn(f"merge-{index}", _pump(stream, queue)) for index, stream in enumerate(streams)]
    try:
        open_streams = len(tasks)
        with hurry.heard(lambda: queue.put_nowait((False, _ENOUGH))) if hurry else nullcontext():
            while open_streams:
                is_item, value = await queue.get()
                if is_item:
                    yield value
                elif value is _ENOUGH:
                    break
                elif value is not None:
                    raise value
                else:
                    open_streams -= 1
    finally:
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)


async def _pump(stream: AsyncIterator[Any], queue: "asyncio.Queue[tuple[bool, Any]]") -> None:
    """Queue the items of a stream, then how it ended: with None or with an error."""
    try:
        async for item in stream:
            queue.put_nowait((True, item))
        queue.put_nowait((False, None))
    except Exception as error:  # noqa: BLE001  carried to the consumer, which raises it
        queue.put_nowait((False, error))
    finally:
        if isinstance(stream, AsyncGenerator):
            await stream.aclose()
