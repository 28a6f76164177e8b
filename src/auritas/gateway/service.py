"""The gateway: one way to ask any model, with deadline, retries, breaker, budget and the form that was asked for."""

from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TypeGuard

from auritas.gateway.breakers import Breakers
from auritas.gateway.deadline import within
from auritas.gateway.errors import (
    BadStructure,
    DeadlinePassed,
    FailureKind,
    ModelDegraded,
    ModelMissing,
    ProviderFailed,
)
from auritas.gateway.model import Budget, Purpose, Purposeful, SchemaCheck, Spend, SpendLedger
from auritas.gateway.policy.breaker import BreakerEvent, BreakerRule
from auritas.gateway.policy.budget import ceiling, estimate
from auritas.gateway.policy.retry import RetryRule, wait_before
from auritas.gateway.policy.structure import asked_again, bare, problem
from auritas.gateway.spending import MemorySpend, Reservation, Spending
from auritas.kernel.clock import Clock
from auritas.kernel.model import Finished, FinishReason, ModelCard, Params, Part, Prompt, Text, ToolCall, Usage
from auritas.kernel.ports import ModelPort
from auritas.kernel.randomness import Rng

_FORM_ATTEMPTS = 2


@dataclass(frozen=True, slots=True)
class Limits:
    """How patient and how generous the gateway is."""

    retry: RetryRule = field(default_factory=RetryRule)
    breaker: BreakerRule = field(default_factory=BreakerRule)
    budget: Budget = field(default_factory=Budget)


@dataclass(frozen=True, slots=True)
class _Call:
    """One call: who is asked, how, why, and until when (seconds of the monotonic clock)."""

    model: ModelPort
    params: Params
    purpose: Purpose
    until: float

    @property
    def name(self) -> str:
        return self.model.card.name


class Gateway:
    """Asks models by name.

    models: read at each call, so a model added to the mapping can be asked at once. spending: where the cost of a day
    is kept; only models that are not local are counted.
    """

    def __init__(
        self,
        models: Mapping[str, ModelPort],
        *,
        clock: Clock,
        rng: Rng,
        check: SchemaCheck,
        spending: SpendLedger | None = None,
        limits: Limits | None = None,
    ) -> None:
        self._models = models
        self._clock = clock
        self._rng = rng
        self._check = check
        self._limits = limits or Limits()
        self._breakers = Breakers(clock, self._limits.breaker)
        self._spending = Spending(self._limits.budget, spending or MemorySpend(), clock)

    def cards(self) -> tuple[ModelCard, ...]:
        """Return who can be asked."""
        return tuple(model.card for model in self._models.values())

    def card(self, name: str) -> ModelCard:
        """Return who `name` is. Raises ModelMissing."""
        return self._model(name).card

    def degraded(self) -> tuple[str, ...]:
        """Return the names of models that failed too often and are left alone or only probed."""
        return self._breakers.degraded()

    async def spent_today(self) -> Spend:
        """Return what models that are not local have taken today (UTC)."""
        return await self._spending.today()

    async def answer(self, name: str, prompt: Prompt, params: Params, purpose: Purpose) -> AsyncGenerator[Part, None]:
        """Stream the reply of `name`; the last part is Finished.

        A failure that may pass is retried while no text has been yielded. With `params.schema`, a model whose engine
        has a grammar streams as it is; of any other the whole reply is held back, checked, asked for once more if it
        is wrong, and yielded as one text. Closing the generator stops the work.

        Raises ModelMissing, ModelDegraded (at once, nothing is sent), BudgetSpent (likewise), DeadlinePassed,
        ProviderFailed (after the last retry), ProviderRefused, ProviderRejected, BadStructure.
        """
        call = _Call(self._model(name), params, purpose, self._clock.monotonic() + params.deadline_s)
        formed = params.schema is not None and not call.model.card.grammar
        async with aclosing(self._formed(call, prompt) if formed else self._retried(call, prompt)) as parts:
            async for part in parts:
                yield part

    def _model(self, name: str) -> ModelPort:
        if name not in self._models:
            raise ModelMissing(name, sorted(self._models))
        return self._models[name]

    async def _formed(self, call: _Call, prompt: Prompt) -> AsyncGenerator[Part, None]:
        usage, asked, why, called = Usage(), prompt, "", False
        for _ in range(_FORM_ATTEMPTS):
            reply, end = "", None
            async with aclosing(self._retried(call, asked)) as parts:
                async for part in parts:
                    match part:
                        case Text():
                            reply += part.text
                        case Finished():
                            end = part
                        case _:
                            called = called or isinstance(part, ToolCall)
                            yield part
            end = _required(call.name, end)
            usage = usage.plus(end.usage)
            found = problem(self._check, call.params.schema, bare(reply))
            if found is None or called or end.reason in {FinishReason.FILTERED, FinishReason.ABSTAINED}:
                yield Text(bare(reply))
                yield replace(end, usage=usage)
                return
            why, asked = found, asked_again(prompt, reply, found)
        raise BadStructure(call.name, why)

    async def _retried(self, call: _Call, prompt: Prompt) -> AsyncGenerator[Part, None]:
        failures = 0
        while True:
            spoken = False
            try:
                async with aclosing(self._counted(call, prompt)) as parts:
                    async for part in parts:
                        spoken = spoken or isinstance(part, Text | ToolCall)
                        yield part
            except ProviderFailed as error:
                failures += 1
                wait = wait_before(self._limits.retry, failures, error.retry_after, self._rng.uniform())
                if wait is None or spoken or not self._worth_waiting(call, wait):
                    raise
            else:
                return
            await self._clock.sleep(wait)

    def _worth_waiting(self, call: _Call, wait: float) -> bool:
        return self._clock.monotonic() + wait < call.until and self._breakers.permits(call.name)

    async def _counted(self, call: _Call, prompt: Prompt) -> AsyncGenerator[Part, None]:
        reservation = await self._reserve(call, prompt)
        reply, end, event = "", None, BreakerEvent.ABANDONED
        try:
            ticket = self._breakers.begin(call.name)
        except ModelDegraded:
            await self._settle(reservation, Spend())
            raise
        try:
            async with aclosing(self._timed(call, prompt)) as parts:
                async for part in parts:
                    if isinstance(part, Finished):
                        end = part
                        continue
                    reply += part.text if isinstance(part, Text) else ""
                    yield part
            end = _required(call.name, end)
            event = BreakerEvent.SUCCEEDED
        except ProviderFailed:
            event = BreakerEvent.FAILED
            raise
        finally:
            self._breakers.end(call.name, ticket, event)
            await self._settle(reservation, _taken(call, prompt, reply, end))
        # Only now: whoever stops listening at the end finds the call booked and its connection free.
        yield end

    async def _timed(self, call: _Call, prompt: Prompt) -> AsyncGenerator[Part, None]:
        model = call.model.bound(call.purpose) if _is_purposeful(call.model) else call.model

        def passed() -> DeadlinePassed:
            return DeadlinePassed(call.name, call.params.deadline_s)

        left = max(call.until - self._clock.monotonic(), 0.0)
        stream = model.answer(prompt, replace(call.params, deadline_s=left))
        async with aclosing(within(stream, call.until, self._clock, passed)) as parts:
            async for part in parts:
                if isinstance(part, Finished) and part.reason is FinishReason.DEADLINE:
                    raise DeadlinePassed(call.name, call.params.deadline_s, part.usage)
                yield part

    async def _reserve(self, call: _Call, prompt: Prompt) -> Reservation | None:
        card = call.model.card
        if card.local:
            return None
        return await self._spending.reserve(call.name, call.purpose, ceiling(prompt, call.params, card.price))

    async def _settle(self, reservation: Reservation | None, spend: Spend) -> None:
        if reservation is not None:
            await self._spending.settle(reservation, spend)


def _is_purposeful(model: ModelPort) -> TypeGuard[Purposeful]:
    return _is_purposeful_kind(type(model))


@cache
def _is_purposeful_kind(kind: type) -> bool:
    # A protocol compares every attribute each time it is asked; a class does not change.
    return issubclass(kind, Purposeful)


def _required(name: str, end: Finished | None) -> Finished:
    if end is None:
        raise ProviderFailed(f"The reply of {name} has no end.", kind=FailureKind.CUT)
    return end


def _taken(call: _Call, prompt: Prompt, reply: str, end: Finished | None) -> Spend:
    """What the call took: as counted, else an estimate of what was written before it was stopped."""
    if end is not None:
        return Spend(end.usage.tokens_in + end.usage.tokens_out, end.usage.cost_micros)
    return estimate(prompt, reply, call.model.card.price) if reply else Spend()
