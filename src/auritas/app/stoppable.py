"""Work in a thread that ends when nobody wants it any more: a thread cannot be cancelled, it can only be told."""

import asyncio
import threading
from collections.abc import Callable
from typing import TypeVar

R = TypeVar("R")


class StoppedError(Exception):
    """Raised inside work that nobody waits for any more, so that a thread ends at its next step."""


async def in_thread(work: Callable[[threading.Event], R]) -> R:
    """Do `work` in a thread; when this is cancelled, set the event that the work looks at, and wait until it ends."""
    stopped = threading.Event()
    job = asyncio.get_running_loop().run_in_executor(None, work, stopped)
    try:
        return await asyncio.shield(job)
    except asyncio.CancelledError:
        stopped.set()
        await asyncio.wait([job])
        if not job.cancelled():
            job.exception()  # what it says about being stopped is heard, and nothing more
        raise
