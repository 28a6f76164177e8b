"""The duties of a house: for every open store of a person, and for the models that they share."""

import asyncio
import threading
from collections.abc import Awaitable, Callable, Iterator, Sequence
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Final

from auritas.app.compose import Auritas
from auritas.app.duties import Duties, Duty, Switch
from auritas.app.household import Household
from auritas.app.keeping import while_wanted
from auritas.app.stoppable import StoppedError, in_thread
from auritas.kernel.clock import Clock
from auritas.kernel.tasks import Spawner, TaskSpawner

if TYPE_CHECKING:
    from auritas.kernel.diagnostics import Diagnostics

SECOND, MINUTE, HOUR = timedelta(seconds=1), timedelta(minutes=1), timedelta(hours=1)
QUIET: Final = timedelta(seconds=20)
"""So long nobody must have asked anything before models are used for what nobody waits for."""
EMBEDDING_S: Final = 1.0
"""Seconds of embedding in a row, after which others may have the processor."""
LOOK_S: Final = 0.5
"""How often it is looked whether somebody asks, while models are used for what nobody waits for."""
MODELS: Final = timedelta(hours=1)
"""Patience with work of models: one note takes the largest of them minutes."""


def duties_of(household: Household, clock: Clock, spawner: Spawner | None = None) -> Duties:
    """Return the duties of a household. While it is locked they have nothing to do."""
    own = spawner or TaskSpawner()
    switch = Switch()
    house = _House(household, clock, own, switch)
    return Duties(house.duties(), own, clock, house.diagnostics, ending=(house.end_indexing,), switch=switch)


class _House:
    def __init__(self, household: Household, clock: Clock, spawner: Spawner, switch: Switch | None = None) -> None:
        self._household = household
        self._switch = switch or Switch()
        self._clock = clock
        self._spawner = spawner
        self._indexing: dict[str, asyncio.Task[None]] = {}

    def diagnostics(self) -> "Diagnostics | None":
        return None if self._household.locked else self._household.main.diagnostics

    def duties(self) -> Sequence[Duty]:
        in_thread, idle = self._each_in_thread, self._each_when_idle
        return (
            # It works only when something was said, which must be found at once: it goes on while the others rest.
            Duty("search index", 5 * SECOND, self._index, waits=False),
            Duty("vectors of messages", 15 * SECOND, in_thread(self._embed)),
            Duty("council's weights", MINUTE, in_thread(lambda one, _: one.learning.refit_if_due())),
            Duty(
                "tree of domains", MINUTE, in_thread(lambda one, stopped: one.domains.job.run_if_due(_wanted(stopped)))
            ),
            Duty("daily root", 10 * MINUTE, in_thread(lambda one, _: one.upkeep.run_due())),
            Duty("temporary conversations", HOUR, in_thread(lambda one, _: one.temporary.sweep())),
            Duty("daily backup", HOUR, in_thread(_back_up), patience=HOUR),
            Duty("self-tests", MINUTE, self._self_test, self._untested, MODELS),
            Duty("hand-off notes", MINUTE, idle(_notes), self._any(lambda one: one.notes.due()), MODELS),
            Duty("recovery prompts", MINUTE, idle(_recovery), self._any(lambda one: one.recovery.due()), MODELS),
            Duty("reviewers' checks", 10 * MINUTE, idle(_check_reviewers), patience=MODELS),
        )

    # --- whose ------------------------------------------------------------------------------------------------------

    def _open(self) -> Iterator[tuple[str, Auritas]]:
        yield from self._household.open_stores()

    def _any(self, due: Callable[[Auritas], bool]) -> Callable[[], bool]:
        return lambda: any(due(one) for _, one in self._open())

    def _each_in_thread(self, work: Callable[[Auritas, threading.Event], object]) -> Callable[[], Awaitable[None]]:
        """Return a duty whose threads are told when it ends, and are waited for: nobody else closes their store."""
        return lambda: self._for_each(lambda one: in_thread(partial(work, one)))

    def _each_when_idle(self, work: Callable[[Auritas], Awaitable[object]]) -> Callable[[], Awaitable[None]]:
        return lambda: self._for_each(lambda one: self._while_quiet(lambda: work(one)))

    async def _for_each(self, work: Callable[[Auritas], Awaitable[object]]) -> None:
        """Do `work` for each open store; what fails for one keeps it from no other, and is told at the end."""
        failed: Exception | None = None
        for _, one in self._open():
            try:
                await work(one)
            except Exception as error:  # noqa: BLE001  raised below
                failed = failed or error
        if failed is not None:
            raise failed

    # --- models, when nobody waits for them -----------------------------------------------------------------------

    def _asked_lately(self) -> bool:
        now = self._clock.now()
        runs = (run for desk in self._household.desks for run in desk.runs())
        return any(run.ended_at is None or run.ended_at + QUIET > now for run in runs)

    def _quiet(self) -> bool:
        return not self._switch.paused and not self._asked_lately()

    async def _while_quiet(self, work: Callable[[], Awaitable[object]]) -> None:
        """Do `work` unless somebody asks or pauses, and give it up as soon as somebody does: it is begun anew later."""
        if not self._quiet():
            return
        task = self._spawner.spawn("idle work", _of(work))
        try:
            while not task.done() and self._quiet():
                await asyncio.wait([task], timeout=LOOK_S)
        finally:
            task.cancel()
            await asyncio.wait([task])
        if not task.cancelled():
            task.result()

    def _untested(self) -> bool:
        if self._household.locked:
            return False
        return any(model.self_test is None for model in self._household.main.embedded.installed())

    async def _self_test(self) -> None:
        main = self._household.main
        for model in main.embedded.installed():
            if model.self_test is None:
                name = model.port.card.name
                await self._while_quiet(partial(main.embedded.self_test, name))
        for desk in self._household.desks:
            desk.changed("models")

    # --- the index --------------------------------------------------------------------------------------------------

    async def _index(self) -> None:
        """See that each open store has a living worker; one that has died is told, and replaced at the next look."""
        for owner, one in self._open():
            task = self._indexing.get(owner)
            if task is not None and not task.done():
                continue
            self._indexing[owner] = one.indexing.run(self._spawner)
            if task is not None and not task.cancelled():
                task.result()

    async def end_indexing(self) -> None:
        """Let the workers of the index give their job up."""
        tasks = list(self._indexing.values())
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    def _embed(self, one: Auritas, stopped: threading.Event) -> None:
        until = self._clock.monotonic() + EMBEDDING_S
        while not stopped.is_set() and one.recall.embed_missing() and self._clock.monotonic() < until:
            pass


async def _of(work: Callable[[], Awaitable[object]]) -> object:
    return await work()


def _back_up(one: Auritas, stopped: threading.Event) -> None:
    if one.log.appended:
        one.keeping.back_up_daily(while_wanted(stopped))


def _wanted(stopped: threading.Event) -> Callable[[], None]:
    def still() -> None:
        if stopped.is_set():
            raise StoppedError

    return still


async def _notes(one: Auritas) -> None:
    if one.notes.due():
        await one.notes.run_due()


async def _recovery(one: Auritas) -> None:
    await one.recovery.run_due()


async def _check_reviewers(one: Auritas) -> None:
    for member in one.roster.members():
        await one.reviewers.check_if_due(member)
