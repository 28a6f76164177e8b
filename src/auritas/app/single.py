"""One model asked directly, past the council: nothing is stored, what leaves is recorded, and budgets hold."""

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from auritas.app.roster import Roster
from auritas.gateway.errors import ModelMissing
from auritas.gateway.model import Purpose
from auritas.gateway.service import Gateway
from auritas.kernel.clock import Clock
from auritas.kernel.model import BUILTIN, ModelCard, Params, Part, Prompt

if TYPE_CHECKING:
    from auritas.app.program_parts import ProgramParts

FRESH_S = 5.0
"""Until a model that was added or removed elsewhere is noticed here: looking takes milliseconds."""
_PURPOSE = Purpose("a program asked this model directly")


@dataclass
class SingleModels:
    """Models by name, looked up without reading the store for each request."""

    roster: Roster
    gateway: Gateway
    clock: Clock
    _looked_at: float | None = None

    async def cards(self) -> tuple[ModelCard, ...]:
        """Return the models that can be asked, by name."""
        await self._refresh()
        return tuple(sorted(self._askable(), key=lambda card: card.name))

    async def card(self, name: str) -> ModelCard:
        """Return who `name` is. Raises ModelMissing, also for what is no model, such as the calculator."""
        await self._refresh()
        found = next((card for card in self._askable() if card.name == name), None)
        if found is None:
            raise ModelMissing(name, sorted(card.name for card in self._askable()))
        return found

    def answer(self, name: str, prompt: Prompt, params: Params) -> AsyncGenerator[Part, None]:
        """Stream the reply of `name`; raises what `Gateway.answer` raises."""
        return self.gateway.answer(name, prompt, params, _PURPOSE)

    def _askable(self) -> list[ModelCard]:
        return [card for card in self.gateway.cards() if card.provider != BUILTIN]

    async def _refresh(self) -> None:
        now = self.clock.monotonic()
        if self._looked_at is None or now - self._looked_at > FRESH_S:
            self._looked_at = now
            await asyncio.to_thread(self.roster.members)


def single_models_over(parts: "ProgramParts") -> SingleModels:
    """Put the use case together over an open store."""
    return SingleModels(parts.roster, parts.gateway, parts.clock)
