"""What runs just now, and its events: numbered, kept for whoever joins late, and followed by any number of readers."""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Callable, Iterable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from auritas.app.partings import Parted
from auritas.app.readers import Reader
from auritas.app.run_errors import BusyError, NobodyAnsweredError, NoRunError
from auritas.kernel.clock import Clock
from auritas.kernel.diagnostics import Diagnostics
from auritas.kernel.errors import AuritasError, UsageError
from auritas.kernel.events import Acknowledged, AnswerDone, AskStarted, Event
from auritas.kernel.ids import Ids
from auritas.kernel.tasks import Hurry, Spawner

KEPT = timedelta(minutes=10)
"""How long the events of a run can still be read after it has ended."""
CHANGES = 256
"""Changes that are kept for readers who lost their connection; whoever missed more gets a snapshot, and loads anew."""
FRAMES = 500_000
"""Frames of all runs that are kept, about 100 MB; beyond that those that ended give way before their time."""
AT_ONCE = 16
"""Runs of one person at a time; models are few, and one more question would only wait in the dark."""
TROUBLE = "a run"
ASK = "ask"
"""The kind of runs that hold words of a person; all others tell only how far they are."""


class RunState(StrEnum):
    """How far a run is."""

    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    STOPPED = "stopped"


@dataclass(frozen=True, slots=True)
class Problem:
    """Why something failed: a stable code, a sentence, and what to do."""

    code: str
    message: str
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class RunStarted:
    """A run has begun. text: what was asked, as it was written."""

    kind: str
    text: str
    conversation_id: str | None


@dataclass(frozen=True, slots=True)
class RunEnded:
    """A run is over: done, failed with a problem, or stopped by a person."""

    state: RunState
    problem: Problem | None = None


@dataclass(frozen=True, slots=True)
class RunForgotten:
    """A run is gone, since what it was about was deleted: nobody shows it any more."""


@dataclass(frozen=True, slots=True)
class Changed:
    """Something that pages show is different now. what: memory, conversations, projects, models and the like."""

    what: str


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run has come. what: it does; done, total: in its own steps, total 0 while unknown; note: in words."""

    what: str
    done: int
    total: int
    note: str = ""


WorkEvent = Event | Progress
"""What the work of a run yields."""
RunEvent = WorkEvent | RunStarted | RunEnded | RunForgotten | Changed


@dataclass(frozen=True, slots=True)
class Frame:
    """One event of one run; `id` grows without end, across restarts too. run: empty for what belongs to none."""

    id: int
    run: str
    event: RunEvent


@dataclass(slots=True)
class Run:
    """One piece of work and its events so far.

    forgotten: nothing of it is kept any more. fleeting: nothing of it is kept once it is over.
    """

    id: str
    kind: str
    text: str
    started_at: datetime
    conversation_id: str | None = None
    query_id: str | None = None
    state: RunState = RunState.RUNNING
    ended_at: datetime | None = None
    problem: Problem | None = None
    frames: list[Frame] = field(default_factory=list)
    forgotten: bool = False
    fleeting: bool = False

    @property
    def running(self) -> bool:
        """Whether it is not over."""
        return self.state is RunState.RUNNING


Work = Callable[[], AsyncGenerator[WorkEvent, None]]


class RunDesk:
    """Starts runs, keeps their events until ten minutes after they end, and hands them to whoever follows.

    It lives in one event loop; every method but `changed` and `forget` is called there.
    """

    def __init__(self, clock: Clock, ids: Ids, spawner: Spawner, diagnostics: Diagnostics) -> None:
        self.frames_at_most, self._changes_forgotten_to = FRAMES, 0
        self._clock, self._ids, self._spawner, self._diagnostics = clock, ids, spawner, diagnostics
        # Ids grow across restarts, so that a resumed reader is never taken for one of this process.
        self.first_id = int(clock.now().timestamp() * 1_000_000)
        self._next = self.first_id
        self._runs: dict[str, Run] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._hurries: dict[str, Hurry] = {}
        self._readers: set[Reader] = set()
        self._changes: deque[Frame] = deque(maxlen=CHANGES)
        self._loop: asyncio.AbstractEventLoop | None = None
        self.forgotten_to = self.first_id
        """Frames with smaller ids cannot be replayed."""

    # --- running ---------------------------------------------------------------------------------------------------

    def start(
        self,
        kind: str,
        text: str,
        work: Work,
        *,
        conversation_id: str | None = None,
        after: Callable[[Sequence[WorkEvent]], Any] | None = None,
        hurry: Hurry | None = None,
    ) -> Run:
        """Begin `work` and return its run at once. after: awaited with the last events when it is done.

        hurry: what `conclude` calls, where the work listens to it. Raises BusyError while too much runs.
        """
        self._loop = asyncio.get_running_loop()
        self._forget_old()
        if sum(run.running for run in self._runs.values()) >= AT_ONCE:
            raise BusyError(f"{AT_ONCE} questions are being answered already.", remedy="Wait for one, or stop one.")
        run = Run(self._ids.new(), kind, text, self._clock.now(), conversation_id)
        self._runs[run.id] = run
        if hurry is not None:
            self._hurries[run.id] = hurry
        self._emit(run, RunStarted(kind, text, conversation_id))
        task = self._spawner.spawn(f"run {run.id}", self._work(run, work, after))
        self._tasks[run.id] = task
        task.add_done_callback(lambda _: self._over(run))
        return run

    def _over(self, run: Run) -> None:
        self._tasks.pop(run.id, None)
        self._hurries.pop(run.id, None)
        if run.running:  # it was stopped before it had begun
            self._end(run, RunState.STOPPED)

    async def _work(self, run: Run, work: Work, after: Callable[[Sequence[WorkEvent]], Any] | None) -> None:
        last: deque[WorkEvent] = deque(maxlen=4)
        try:
            async with aclosing(work()) as events:
                async for event in events:
                    last.append(event)
                    self._note(run, event)
                    self._emit(run, event)
            self._end(run, RunState.DONE)
        except asyncio.CancelledError:
            self._end(run, RunState.STOPPED)
            return
        except AuritasError as error:
            self._end(run, RunState.FAILED, Problem(error.code, error.message, error.remedy))
            return
        except Exception as error:  # noqa: BLE001  a run that fails is told to whoever follows it, and is noted
            self._diagnostics.trouble(TROUBLE, error)
            remedy = "Ask again. What was confirmed stands; auritas doctor checks everything."
            self._end(run, RunState.FAILED, Problem("bug", "Something unexpected happened inside Auritas.", remedy))
            return
        if after is not None:
            await self._afterwards(after, tuple(last))

    async def _afterwards(self, after: Callable[[Sequence[WorkEvent]], Any], last: Sequence[WorkEvent]) -> None:
        try:
            await after(last)
        except Exception as error:  # noqa: BLE001  the answer stands; what follows it is made up for later
            self._diagnostics.trouble(TROUBLE, error)

    def _note(self, run: Run, event: WorkEvent) -> None:
        if isinstance(event, AskStarted):
            run.query_id = event.query_id
        if isinstance(event, AskStarted | Acknowledged) and event.conversation_id:
            run.conversation_id = event.conversation_id

    def _end(self, run: Run, state: RunState, problem: Problem | None = None) -> None:
        run.state, run.problem, run.ended_at = state, problem, self._clock.now()
        self._emit(run, RunEnded(state, problem))
        if run.forgotten or run.fleeting:
            self._let_go(run)
        self.changed("conversations")

    def stop(self, run_id: str) -> Run:
        """Stop a run; one that is over stays as it is. Raises NoRunError."""
        run = self.get(run_id)
        task = self._tasks.get(run_id)
        if task is not None and run.running:
            task.cancel()
        return run

    def conclude(self, run_id: str) -> Run:
        """Let a question end with what members have answered by now; a run that is over stays as it is.

        Raises NoRunError, NobodyAnsweredError while there is no answer, and UsageError for work of another kind.
        """
        run = self.get(run_id)
        if not run.running:
            return run
        hurry = self._hurries.get(run_id)
        if hurry is None:
            raise UsageError("Only a question ends with what was answered by now.", remedy="Stop this, or wait for it.")
        if not any(isinstance(each.event, AnswerDone) and each.event.answer.votes for each in run.frames):
            raise NobodyAnsweredError
        hurry.call()
        return run

    def goes_on(self, run_id: str) -> bool:
        """Whether a run is not over; one that was forgotten is."""
        run = self._runs.get(run_id)
        return run is not None and run.running

    def get(self, run_id: str) -> Run:
        """Return a run that goes on or ended a short while ago. Raises NoRunError."""
        self._forget_old()
        try:
            return self._runs[run_id]
        except KeyError:
            raise NoRunError(run_id) from None

    def runs(self) -> tuple[Run, ...]:
        """Return every run that can still be followed, oldest first."""
        self._forget_old()
        return tuple(self._runs.values())

    def _forget_old(self) -> None:
        now = self._clock.now()
        kept = sum(len(run.frames) for run in self._runs.values())
        for run in tuple(self._runs.values()):
            if run.ended_at is not None and (run.ended_at + KEPT < now or kept > self.frames_at_most):
                kept -= len(run.frames)
                self._drop(run)

    def _drop(self, run: Run) -> None:
        if run.frames:
            self.forgotten_to = max(self.forgotten_to, run.frames[-1].id)
        self._runs.pop(run.id, None)

    # --- forgetting ------------------------------------------------------------------------------------------------

    def forget(self, parted: Parted) -> None:
        """Keep nothing of what was deleted: its runs are stopped and gone at once; may be called from any thread.

        Which questions repeat words that were erased from memory cannot be told for certain: those that are answered
        already are all gone from here (their answers stand in their conversations), the others when they are over.
        """
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._forget, parted)

    def _forget(self, parted: Parted) -> None:
        for run in tuple(self._runs.values()):
            if run.conversation_id in parted.conversations:
                self._let_go(run)
            elif parted.words and run.kind == ASK:
                run.fleeting = True
                if not run.running:
                    self._let_go(run)

    def _let_go(self, run: Run) -> None:
        """Drop a run with its frames and tell everybody, once it is over; one that goes on is stopped."""
        self._drop(run)
        run.forgotten = True
        run.frames = []  # not emptied: whoever awaits the answer of this very run still reads the last of it
        task = self._tasks.get(run.id)
        if run.running and task is not None:
            task.cancel()
        else:
            self._remember(Frame(self._id(), run.id, RunForgotten()))

    # --- following -------------------------------------------------------------------------------------------------

    def changed(self, what: str) -> None:
        """Tell every reader that something shown on pages is different now; may be called from any thread."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._change, what)

    def _change(self, what: str) -> None:
        self._remember(Frame(self._id(), "", Changed(what)))

    def _remember(self, frame: Frame) -> None:
        if len(self._changes) == CHANGES:
            self._changes_forgotten_to = self._changes[0].id
        self._changes.append(frame)
        self._tell(frame)

    def _emit(self, run: Run, event: WorkEvent | RunStarted | RunEnded) -> None:
        frame = Frame(self._id(), run.id, event)
        if not run.forgotten:
            run.frames.append(frame)
        self._tell(frame)

    def _tell(self, frame: Frame) -> None:
        for reader in self._readers:
            reader.put(frame)

    def _id(self) -> int:
        self._next += 1
        return self._next

    @property
    def last_id(self) -> int:
        """The id of the newest frame."""
        return self._next

    def since(self, after: int, run_id: str | None = None) -> tuple[Frame, ...] | None:
        """Return the frames after `after`, or None where some of them are gone, or `after` is not one of ours."""
        if not self.forgotten_to <= after <= self._next:
            return None
        if run_id is not None:
            run = self._runs.get(run_id)
            return None if run is None else tuple(_after(run.frames, after))
        if after < self._changes_forgotten_to:
            return None
        frames = [frame for run in self._runs.values() for frame in _after(run.frames, after)]
        return tuple(sorted([*frames, *_after(self._changes, after)], key=lambda frame: frame.id))

    def join(self, run_id: str | None = None) -> Reader:
        """Follow everything from now on, or one run."""
        self._loop = asyncio.get_running_loop()
        reader = Reader(run_id)
        self._readers.add(reader)
        return reader

    def leave(self, reader: Reader) -> None:
        """Follow no longer."""
        self._readers.discard(reader)

    @property
    def readers(self) -> int:
        """How many follow."""
        return len(self._readers)

    async def aclose(self) -> None:
        """Stop every run, keep nothing of any, and let every reader go."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)
        self._runs.clear()
        self._changes.clear()
        for reader in self._readers:
            reader.close()


def _after(frames: Iterable[Frame], after: int) -> Iterable[Frame]:
    return (frame for frame in frames if frame.id > after)
