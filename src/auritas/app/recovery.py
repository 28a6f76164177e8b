"""Recovery prompts: written by models that were used, now and then, and by hand."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from auritas.council.model import Member
from auritas.kernel.clock import Clock
from auritas.kernel.diagnostics import Diagnostics
from auritas.kernel.errors import NotFoundError, RefusedError, nearest
from auritas.kernel.model import BUILTIN, ModelCard
from auritas.kernel.ports import Store
from auritas.memory.adapters.note_jobs_sql import SqlJobs
from auritas.memory.adapters.recovery_sql import SqlRecovery
from auritas.memory.recovery.model import RecoveryPrompt
from auritas.memory.recovery.prompts import headed
from auritas.memory.recovery.service import RecoveryWriter
from auritas.memory.recovery.staleness import is_stale, says_something
from auritas.store import Unit

if TYPE_CHECKING:
    from auritas.app.model_parts import ModelParts

JOB: Final = "recovery.prompts"
EVERY: Final = timedelta(minutes=15)
HOLD: Final = timedelta(minutes=5)
"""Longer than one model may take for its prompt, twice asked."""
DUTY: Final = "recovery prompt"
"""What a failure is noted under."""
AUTO, OFF = "auto", "off"


class NobodyToRecoverError(NotFoundError):
    """Nobody of this name writes a recovery prompt."""

    code = "no_such_seat"


class RecoveryOvertakenError(RefusedError):
    """What a prompt was written from is not there any more."""

    code = "overtaken"


class NothingToRecoverError(RefusedError):
    """There is nothing to write from."""

    code = "nothing_to_recover"


@dataclass(frozen=True, slots=True)
class RecoveryView:
    """How one seat's prompt stands. prompt: None when it never wrote one."""

    seat: str
    local: bool
    prompt: RecoveryPrompt | None
    stale: bool


@dataclass(frozen=True, slots=True)
class Recovery:
    """The use cases behind `auritas recovery`, and what asking needs of them.

    mode: auto, manual or off. elsewhere: models that are not on this machine may write by themselves, too.
    """

    store: Store[Unit]
    records: SqlRecovery
    jobs: SqlJobs
    writer: RecoveryWriter
    members: Callable[[], Sequence[Member]]
    diagnostics: Diagnostics
    clock: Clock
    mode: str = AUTO
    elsewhere: bool = False

    def texts_for(self, unit: Unit, seats: Sequence[str]) -> Mapping[str, str]:
        """Return what each seat is told in a new conversation, under its header; stale and absent ones are missing."""
        prompts = {} if self.mode == OFF else self.records.prompts(unit, seats)
        if not prompts:
            return {}
        remembered, now = self.records.current_hash(unit), self.clock.now()
        return {seat: headed(each.text) for seat, each in prompts.items() if not is_stale(each, remembered, now)}

    def forget(self, unit: Unit) -> None:
        """Remove every prompt, in the unit that erases what may stand in one."""
        self.records.forget(unit)

    def due(self) -> bool:
        """Return whether fifteen minutes have passed; only reads."""
        if self.mode != AUTO:
            return False
        with self.store.read() as unit:
            return self.jobs.is_due(unit, JOB) is not False

    async def run_due(self) -> tuple[RecoveryPrompt, ...]:
        """Have stale prompts written anew by models that were used since; never raises for a prompt."""
        if not self.due() or not self._claim():
            return ()
        try:
            found = [await self._attempt(card) for card in self._wanting()]
        finally:
            with self.store.unit() as unit:
                self.jobs.set_next(unit, JOB, EVERY)
                self.jobs.release(unit, JOB)
        return tuple(prompt for prompt in found if prompt is not None)

    async def make(self, seat: str) -> RecoveryPrompt:
        """Have a seat write its prompt now, stale or not.

        Raises NobodyToRecoverError, NothingToRecoverError, RecoveryOvertakenError, UnusableRecoveryError and what the
        gateway raises.
        """
        return await self._write(self._card(seat), by="user")

    def list(self) -> tuple[RecoveryView, ...]:
        """Return how every seat's prompt stands."""
        with self.store.read() as unit:
            return tuple(self._view(unit, card) for _, card in sorted(self._cards().items()))

    def show(self, seat: str) -> RecoveryView:
        """Return how one seat's prompt stands. Raises NobodyToRecoverError."""
        card = self._card(seat)
        with self.store.read() as unit:
            return self._view(unit, card)

    def _wanting(self) -> tuple[ModelCard, ...]:
        # An embedded model is never told its prompt, which it would read for half a minute: see `recollection`.
        used = [card for card in self._cards().values() if not card.grammar]
        cards = [card for card in used if card.local or self.elsewhere]
        with self.store.read() as unit:
            now_hash = self.records.current_hash(unit)
            return tuple(card for card in cards if self._wants(unit, card.name, now_hash))

    def _wants(self, unit: Unit, seat: str, now_hash: str) -> bool:
        prompt = self.records.prompt(unit, seat)
        stale = prompt is None or is_stale(prompt, now_hash, self.clock.now())
        return stale and self.records.used_since(unit, seat, prompt.generated_at if prompt else None)

    async def _attempt(self, card: ModelCard) -> RecoveryPrompt | None:
        try:
            self._claim()
            return await self._write(card, by="system")
        except Exception as error:  # noqa: BLE001  the prompt before it stays, and the other models go on
            self.diagnostics.trouble(DUTY, error)
            return None

    async def _write(self, card: ModelCard, *, by: str) -> RecoveryPrompt:
        with self.store.read() as unit:
            material, now_hash = self.records.material(unit, card.name), self.records.current_hash(unit)
        if not says_something(material):
            raise NothingToRecoverError(
                f"There is nothing yet that {card.name} could write from.",
                remedy='Ask something first, or tell it something: on the page Memory, or by auritas memory add "…"',
            )
        text, usage = await self.writer.write(card, material)
        prompt = RecoveryPrompt(card.name, text, self.clock.now(), now_hash)
        with self.store.unit() as unit:
            if not self.records.still_there(unit, material):
                raise RecoveryOvertakenError(
                    f"What {card.name} wrote from was changed or deleted meanwhile, so it was not kept.",
                    remedy="Try again; in a terminal: auritas recovery make",
                )
            self.records.put(unit, prompt, usage, by=by)
        return prompt

    def _claim(self) -> bool:
        with self.store.unit() as unit:
            return self.jobs.claim(unit, JOB, HOLD)

    def _cards(self) -> dict[str, ModelCard]:
        return {m.seat.name: m.card for m in self.members() if m.card.provider != BUILTIN}

    def _card(self, seat: str) -> ModelCard:
        cards = self._cards()
        if seat not in cards:
            hint = f"{nearest(seat, list(cards))} In the council: {', '.join(sorted(cards)) or 'nobody'}."
            raise NobodyToRecoverError(f"No model named {seat!r} writes a recovery prompt.", remedy=hint.strip())
        return cards[seat]

    def _view(self, unit: Unit, card: ModelCard) -> RecoveryView:
        prompt = self.records.prompt(unit, card.name)
        stale = prompt is None or is_stale(prompt, self.records.current_hash(unit), self.clock.now())
        return RecoveryView(card.name, card.local, prompt, stale)


def recovery_over(parts: "ModelParts") -> Recovery:
    """Return the use cases of recovery prompts over the parts of a composition."""
    return Recovery(
        store=parts.store,
        records=SqlRecovery(parts.log, parts.clock),
        jobs=SqlJobs(parts.clock, parts.ids.new()),
        writer=RecoveryWriter(parts.gateway, parts.hooks.prepare_prompt),
        members=parts.roster.members,
        diagnostics=parts.diagnostics,
        clock=parts.clock,
        mode=parts.settings.recovery,
        elsewhere=parts.settings.notes_elsewhere,
    )
