"""A run followed to its end by one request: for protocols that answer when everything is done."""

from collections.abc import AsyncGenerator

from auritas.app.chatting import Replied
from auritas.app.runs import Run, RunDesk, RunState
from auritas.kernel.errors import UnavailableError
from auritas.kernel.events import Event

HEARTBEAT_S = 10.0
"""After so long without news a beat is due, so that nobody on the way takes the connection for dead."""


class RunFailedError(UnavailableError):
    """A question failed, with the code that it failed with."""

    def __init__(self, code: str, message: str, remedy: str) -> None:
        super().__init__(message, remedy=remedy)
        self.code = code  # type: ignore[misc]  # of this error, not of all


class Following:
    """Gathers the reply of a run. Whoever stops following stops the run: nobody would hear the end of it."""

    def __init__(self, desk: RunDesk, run: Run) -> None:
        self._desk, self._run = desk, run
        self.replied = Replied()

    async def beats(self) -> AsyncGenerator[None, None]:
        """Yield whenever nothing was heard for a while; return at the end. Raises RunFailedError."""
        reader, heard = self._desk.join(self._run.id), 0
        try:
            while self._run.running:
                await reader.wait(HEARTBEAT_S)
                reader.take()  # it only wakes us: the run itself holds all that happened
                if heard == len(self._run.frames):
                    yield
                heard = self._hear(heard)
            self._hear(heard)
        finally:
            self._desk.leave(reader)
            if self._run.running:
                self._desk.stop(self._run.id)
        self._require_done()

    async def end(self) -> Replied:
        """Wait for the end and return the reply. Raises RunFailedError."""
        async for _ in self.beats():
            pass
        return self.replied

    def _hear(self, heard: int) -> int:
        for frame in self._run.frames[heard:]:
            if isinstance(frame.event, Event):
                self.replied.take(frame.event)
        return len(self._run.frames)

    def _require_done(self) -> None:
        failed = self._run.problem
        if failed is not None:
            raise RunFailedError(failed.code, failed.message, failed.remedy)
        if self._run.state is RunState.STOPPED:
            raise RunFailedError("stopped", "The question was stopped.", "Ask it again.")
