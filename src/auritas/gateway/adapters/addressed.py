"""What every model at an address shares: it answers only on behalf of a purpose, within its deadline, with its key."""

from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator
from contextlib import aclosing

from auritas.gateway.adapters.reply import Bound
from auritas.gateway.deadline import within
from auritas.gateway.errors import DeadlinePassed, KeyMissing, PurposeMissing
from auritas.gateway.model import Endpoint, Keys, Purpose
from auritas.kernel.clock import Clock
from auritas.kernel.model import ModelCard, Params, Part, Prompt
from auritas.kernel.ports import ModelPort


class AddressedModel(ABC):
    """A model at an address. Ask it through `bound`: without a purpose nothing is sent."""

    def __init__(self, endpoint: Endpoint, keys: Keys, clock: Clock) -> None:
        self.endpoint = endpoint
        self._keys = keys
        self._clock = clock

    @property
    def card(self) -> ModelCard:
        return self.endpoint.card

    def bound(self, purpose: Purpose) -> ModelPort:
        """Return the model whose every send carries `purpose`."""
        return Bound(self.card, purpose, self.answer_for)

    async def answer(self, prompt: Prompt, params: Params) -> AsyncGenerator[Part, None]:
        """Refuse: a call that does not say why it is made is never sent."""
        del prompt, params
        raise PurposeMissing
        yield  # the port wants a generator

    async def answer_for(self, prompt: Prompt, params: Params, purpose: Purpose) -> AsyncGenerator[Part, None]:
        """Stream the reply within its deadline."""

        def passed() -> DeadlinePassed:
            return DeadlinePassed(self.endpoint.name, params.deadline_s)

        until = self._clock.monotonic() + params.deadline_s
        async with aclosing(within(self._asked(prompt, params, purpose), until, self._clock, passed)) as parts:
            async for part in parts:
                yield part

    @abstractmethod
    def _asked(self, prompt: Prompt, params: Params, purpose: Purpose) -> AsyncGenerator[Part, None]:
        """Stream the reply, however long it takes."""

    async def _key(self) -> str | None:
        """Return the key, read now and held no longer than the call. Raises KeyMissing."""
        ref = self.endpoint.key_ref
        key = None if ref is None else await self._keys.reveal(ref)
        if ref is not None and key is None:
            raise KeyMissing(self.endpoint.name, ref)
        return key
