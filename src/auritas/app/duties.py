"""What a process that lives long does by itself: each duty beats, is noticed when it dies, and begins anew."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from auritas.kernel.clock import Clock
from auritas.kernel.diagnostics import Diagnostics
from auritas.kernel.tasks import Spawner

FIRST_BACKOFF_S, LONGEST_BACKOFF_S = 1.0, 300.0
"""A duty that fails again and again is tried again after twice the time, and at least every five minutes."""
LATE = timedelta(seconds=30)
"""Beyond its interval; a beat that is older belongs to a duty that hangs."""
ENDING_S = 2.0
"""Seconds that duties may take to end; what a thread does is finished by it alone."""


def always() -> bool:
    """Whether a duty is due that looks for itself whether there is anything to do."""
    return True


@dataclass(frozen=True, slots=True)
class Duty:
    """Work that recurs. every: between two looks. due: whether there is anything to do; it may block for an instant.

    patience: how long one piece of it may take before it counts as hanging. waits: whether it rests while a person
    has paused what the program does by itself.
    """

    name: str
    every: timedelta
    work: Callable[[], Awaitable[object]]
    due: Callable[[], bool] = always
    patience: timedelta = timedelta(minutes=10)
    waits: bool = True


@dataclass(slots=True)
class Switch:
    """Whether a person has paused the duties that can wait; it lives as long as the process."""

    paused: bool = False


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """How one duty stands.

    at: its last sign of life. failures: in a row; error: the type of the last one, empty when it went well since.
    fresh: whether the sign of life is as young as it must be.
    """

    name: str
    at: datetime
    age_s: float
    failures: int
    error: str
    fresh: bool

    @property
    def ok(self) -> bool:
        """Whether the duty is alive and its last round went well."""
        return self.fresh and not self.failures


@dataclass(slots=True)
class _Pulse:
    at: datetime
    monotonic: float
    working: bool = False
    failures: int = 0
    error: str = ""


@dataclass(slots=True)
class Duties:
    """Keeps duties going. They live in one event loop, from `start` to `aclose`."""

    duties: Sequence[Duty]
    spawner: Spawner
    clock: Clock
    diagnostics: Callable[[], Diagnostics | None]
    ending: Sequence[Callable[[], Awaitable[None]]] = ()
    switch: Switch = field(default_factory=Switch)
    _pulses: dict[str, _Pulse] = field(default_factory=dict)
    _tasks: list["asyncio.Task[None]"] = field(default_factory=list)

    def start(self, rest_s: float = 0.0) -> None:
        """Begin all of them; again changes nothing. rest_s: seconds after which those begin that may wait."""
        if self._tasks:
            return
        for duty in self.duties:
            self._pulses[duty.name] = _Pulse(self.clock.now(), self.clock.monotonic())
            self._tasks.append(self.spawner.spawn(f"duty {duty.name}", self._keep(duty, rest_s if duty.waits else 0.0)))

    async def aclose(self) -> None:
        """End all of them, and wait for a short while until they have ended."""
        tasks, self._tasks = self._tasks, []
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks, timeout=ENDING_S)
            for end in self.ending:
                await end()

    def heartbeats(self) -> tuple[Heartbeat, ...]:
        """Return how each duty stands."""
        return tuple(self._heartbeat(duty) for duty in self.duties if duty.name in self._pulses)

    def _heartbeat(self, duty: Duty) -> Heartbeat:
        pulse = self._pulses[duty.name]
        age = self.clock.monotonic() - pulse.monotonic
        pause = duty.patience if pulse.working else duty.every
        waits = max(pause, timedelta(seconds=_backoff(pulse.failures)))
        fresh = age <= (waits + LATE).total_seconds()
        return Heartbeat(duty.name, pulse.at, age, pulse.failures, pulse.error, fresh)

    async def _keep(self, duty: Duty, rest_s: float) -> None:
        """Let a duty live, and begin it anew after each death."""
        pulse = self._pulses[duty.name]
        if rest_s:
            await self.clock.sleep(rest_s)
        while True:
            try:
                await self._live(duty, pulse)
            except Exception as error:  # noqa: BLE001  noted, told by `heartbeats`, and tried again
                pulse.failures += 1
                pulse.error = type(error).__name__
                self._note(duty, error)
            self._beat(pulse, working=False)
            await self.clock.sleep(_backoff(pulse.failures))

    async def _live(self, duty: Duty, pulse: _Pulse) -> None:
        while True:
            self._beat(pulse, working=True)
            if self._wanted(duty) and await asyncio.to_thread(duty.due):
                await duty.work()
            pulse.failures, pulse.error = 0, ""
            self._beat(pulse, working=False)
            await self.clock.sleep(duty.every.total_seconds())

    def _wanted(self, duty: Duty) -> bool:
        return not (duty.waits and self.switch.paused)

    def _beat(self, pulse: _Pulse, *, working: bool) -> None:
        pulse.at, pulse.monotonic, pulse.working = self.clock.now(), self.clock.monotonic(), working

    def _note(self, duty: Duty, error: Exception) -> None:
        diagnostics = self.diagnostics()
        if diagnostics is not None:
            diagnostics.trouble(duty.name, error)


def _backoff(failures: int) -> float:
    """Return the seconds after so many failures in a row."""
    return 0.0 if not failures else float(min(FIRST_BACKOFF_S * 2 ** min(failures - 1, 16), LONGEST_BACKOFF_S))


def ailing(heartbeats: Iterable[Heartbeat]) -> tuple[Heartbeat, ...]:
    """Return those that do not do what they should."""
    return tuple(each for each in heartbeats if not each.ok)
