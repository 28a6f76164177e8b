"""Work that tells how far it has come, as events of a run."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable

from auritas.app.runs import Progress
from auritas.app.stoppable import StoppedError
from auritas.kernel.tasks import Spawner

PERCENT = 100
"""Steps of one part of the work that are told at most: a page shows no finer ones."""


class Steps:
    """The newest step of some work, handed from whichever thread does it to the event loop that made this.

    A step that nobody has taken yet is replaced by the next: a slow reader misses steps, never the newest.
    """

    def __init__(self, what: str) -> None:
        self._what = what
        self._loop = asyncio.get_running_loop()
        self._news = asyncio.Event()
        self._newest: Progress | None = None
        self._told: tuple[str, int] | None = None
        self._stopped = False

    def __call__(self, done: int, total: int = 0, note: str = "") -> None:
        """Tell a step; total 0: nobody knows how many there will be. Raises StoppedError after `stop`."""
        if self._stopped:
            raise StoppedError
        place = (note, done * PERCENT // total if total else done)
        if place != self._told:
            self._told, self._newest = place, Progress(self._what, done, total, note)
            self._loop.call_soon_threadsafe(self._news.set)

    def stop(self) -> None:
        """Let the work end at its next step."""
        self._stopped = True

    def wake(self) -> None:
        """Let whoever waits look again."""
        self._news.set()

    async def next(self) -> Progress | None:
        """Wait for the next step and return it; None when it was only woken."""
        await self._news.wait()
        self._news.clear()
        newest, self._newest = self._newest, None
        return newest


async def told(what: str, work: Callable[[Steps], Awaitable[str]], spawner: Spawner) -> AsyncGenerator[Progress, None]:
    """Do `work` and yield its steps, at the end one whose note is the sentence that it returns; raises as it does."""
    steps = Steps(what)

    async def run() -> str:
        return await work(steps)

    task = spawner.spawn(what, run())
    task.add_done_callback(lambda _: steps.wake())
    last = Progress(what, 0, 0)
    try:
        while not task.done():
            if step := await steps.next():
                last = step
                yield step
        yield Progress(what, last.total or last.done, last.total or last.done, task.result())
    finally:
        steps.stop()
        if not task.done():
            task.cancel()
            await asyncio.wait([task])
