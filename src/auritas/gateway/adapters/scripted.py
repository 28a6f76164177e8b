"""A model that says what it was told to say: the test double for everything that asks models."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from auritas.gateway.errors import FailureKind, ProviderFailed
from auritas.kernel.clock import Clock, SystemClock
from auritas.kernel.errors import AuritasError
from auritas.kernel.model import Finished, FinishReason, ModelCard, Params, Part, Prompt, Text, Usage


@dataclass(frozen=True, slots=True)
class Wait:
    """Pass `seconds` on the clock."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Hang:
    """Wait for ever, until closed or cancelled."""


@dataclass(frozen=True, slots=True)
class Disconnect:
    """Break off in the middle."""


Step: TypeAlias = str | Wait | Hang | Disconnect | AuritasError | Part
Script: TypeAlias = Sequence[Step]


@dataclass
class ScriptedModel:
    """Plays one script per call; the last script is repeated. `reply` computes a script from the prompt instead.

    calls: what it was asked, in order. running, closed: calls under way, and calls that have ended in any way, so that
    a test can see that a cancellation arrived.
    """

    name: str
    scripts: Sequence[Script] = ((),)
    reply: Callable[[Prompt], Script] | None = None
    clock: Clock = field(default_factory=SystemClock)
    local: bool = True
    card: ModelCard = field(init=False)
    base: ModelCard | None = None
    calls: list[tuple[Prompt, Params]] = field(default_factory=list)
    running: int = 0
    closed: int = 0

    def __post_init__(self) -> None:
        self.card = self.base or ModelCard(self.name, "scripted", local=self.local, digest=f"scripted:{self.name}")

    async def answer(self, prompt: Prompt, params: Params) -> AsyncGenerator[Part, None]:
        self.calls.append((prompt, params))
        script = self.reply(prompt) if self.reply else self.scripts[min(len(self.calls), len(self.scripts)) - 1]
        self.running += 1
        try:
            said = ""
            for step in script:
                match step:
                    case str():
                        said += step
                        yield Text(step)
                    case Text() | Finished():
                        yield step
                    case _:
                        await self._act(step)
            if not any(isinstance(step, Finished) for step in script):
                yield self._finished(prompt, said)
        finally:
            self.running -= 1
            self.closed += 1

    async def _act(self, step: Step) -> None:
        match step:
            case Wait():
                await self.clock.sleep(step.seconds)
            case Hang():
                await asyncio.Event().wait()
            case Disconnect():
                raise ProviderFailed(f"{self.name} was cut off.", kind=FailureKind.CUT)
            case AuritasError():
                raise step

    def _finished(self, prompt: Prompt, said: str) -> Finished:
        tokens_in = sum(len(message.content.split()) for message in prompt.messages)
        tokens_out = len(said.split())
        cost = self.card.price.cost(tokens_in, tokens_out)
        return Finished(FinishReason.STOP, Usage(tokens_in, tokens_out, cost, first_token_ms=0.0))
