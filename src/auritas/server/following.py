"""A run followed to its end by one request: for protocols that answer when everything is done."""

from collections.abc import AsyncGenerator, Sequence

from auritas.app.attaching import StoppedThereError, error_of
from auritas.app.chatting import Replied
from auritas.app.runs import Frame, Problem, Run, RunDesk, RunState
from auritas.kernel.clock import Clock
from auritas.kernel.errors import AuritasError, UnavailableError
from auritas.kernel.events import Event

HEARTBEAT_S = 10.0
"""A beat is due so often: until the end nothing else is sent, and nobody shall take the connection for dead."""


class RunFailedError(UnavailableError):
    """A question failed with a code that no class of errors has."""

    def __init__(self, code: str, message: str, remedy: str) -> None:
        super().__init__(message, remedy=remedy)
        self.code = code  # type: ignore[misc]  # of this error, not of all


class Following:
    """Gathers the reply of a run. Whoever stops following stops the run: nobody would hear the end of it."""

    def __init__(self, desk: RunDesk, run: Run, clock: Clock) -> None:
        self._desk, self._run, self._clock = desk, run, clock
        self.replied = Replied()

    async def beats(self) -> AsyncGenerator[None, None]:
        """Yield every `HEARTBEAT_S`, however much is said; return at the end. Raises what the run ended with."""
        reader, heard, now = self._desk.join(self._run.id), 0, self._clock.monotonic
        frames = self._run.frames  # the run itself may be forgotten at its end, before we look
        due = now() + HEARTBEAT_S
        try:
            while self._run.running:
                await reader.wait(max(0.0, due - now()))
                reader.take()  # it only wakes us: its frames hold all that happened
                heard = self._hear(frames, heard)
                if now() >= due:
                    yield
                    due = now() + HEARTBEAT_S
            self._hear(frames, heard)
        finally:
            self._desk.leave(reader)
            if self._run.running:
                self._desk.stop(self._run.id)
        self._require_done()

    async def end(self) -> Replied:
        """Wait for the end and return the reply. Raises what the run ended with."""
        async for _ in self.beats():
            pass
        return self.replied

    def _hear(self, frames: Sequence[Frame], heard: int) -> int:
        for frame in frames[heard:]:
            if isinstance(frame.event, Event):
                self.replied.take(frame.event)
        return len(frames)

    def _require_done(self) -> None:
        failed = self._run.problem
        if failed is not None:
            raise _as_it_was(failed)
        if self._run.state is RunState.STOPPED:
            raise StoppedThereError


def _as_it_was(problem: Problem) -> AuritasError:
    """Return the error that a run ended with: its class says whose fault it was."""
    error = error_of(problem.code, problem.message, problem.remedy)
    if error.code == problem.code:
        return error
    return RunFailedError(problem.code, problem.message, problem.remedy)
