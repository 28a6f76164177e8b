"""Whoever follows what runs: each has a queue of its own, and one that is too slow is given a snapshot instead."""

import asyncio
from collections import deque
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from auritas.app.runs import Frame

BEHIND = 4_096
"""Frames that a reader may lag behind before it is given a snapshot instead."""


class Reader:
    """Whoever follows the desk.

    lost: frames were dropped because it read too slowly, so it needs a snapshot. ended: the one run it follows is over.
    closed: the desk closes.
    """

    def __init__(self, run_id: str | None) -> None:
        self.run_id = run_id
        self.frames: deque[Frame] = deque()
        self.lost = False
        self.closed = False
        self.ended = False
        self._news = asyncio.Event()

    def put(self, frame: "Frame") -> None:
        """Hand over a frame; one too many empties the queue."""
        if self.run_id is not None and frame.run != self.run_id:
            return
        if len(self.frames) >= BEHIND:
            self.frames.clear()
            self.lost = True
        self.frames.append(frame)
        self._news.set()

    def close(self) -> None:
        """Tell the reader that nothing more will come."""
        self.closed = True
        self._news.set()

    async def wait(self, timeout_s: float) -> None:
        """Wait for news, or for so long."""
        try:
            await asyncio.wait_for(self._news.wait(), timeout_s)
        except TimeoutError:
            return
        self._news.clear()

    def take(self) -> Sequence["Frame"]:
        """Return what has come since the last call."""
        taken = tuple(self.frames)
        self.frames.clear()
        self.lost = False
        return taken
