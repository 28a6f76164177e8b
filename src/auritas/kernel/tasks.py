"""Concurrency has one owner: tasks are spawned here and nowhere else."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Coroutine, Sequence
from typing import Any, Protocol, TypeVar

T = TypeVar("T")


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


async def merge(spawner: Spawner, streams: Sequence[AsyncIterator[T]]) -> AsyncGenerator[T, None]:
    """Yield items of all streams as they arrive; the order within one stream is kept.

    An error in any stream ends the merge and is raised. Closing the merge closes every stream, which is how a
    cancellation reaches the work behind it.
    """
    queue: asyncio.Queue[tuple[bool, Any]] = asyncio.Queue()

    async def pump(stream: AsyncIterator[T]) -> None:
        try:
            async for item in stream:
                queue.put_nowait((True, item))
            queue.put_nowait((False, None))
        except Exception as error:  # noqa: BLE001  carried to the consumer, which raises it
            queue.put_nowait((False, error))
        finally:
            if isinstance(stream, AsyncGenerator):
                await stream.aclose()

    tasks = [spawner.spawn(f"merge-{index}", pump(stream)) for index, stream in enumerate(streams)]
    try:
        open_streams = len(tasks)
        while open_streams:
            is_item, value = await queue.get()
            if is_item:
                yield value
                continue
            if value is not None:
                raise value
            open_streams -= 1
    finally:
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)
