"""Having a model write something for later: its whole reply, and what it took."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass
from typing import Final, Protocol

from auritas.gateway.model import Purpose
from auritas.kernel.model import Finished, ModelCard, Params, Part, Prompt, Text, Usage

ATTEMPTS: Final = 2
SECOND_TEMPERATURE: Final = 0.4
"""Of the second attempt: a greedy model would write the same again."""


class Asker(Protocol):
    """Whoever puts a prompt to a model by name: the gateway."""

    def answer(self, name: str, prompt: Prompt, params: Params, purpose: Purpose) -> AsyncGenerator[Part, None]:
        """Stream the reply of the model called `name`."""


@dataclass(frozen=True, slots=True)
class Scribe:
    """Puts a prompt to a model and waits for all of the reply."""

    asker: Asker

    async def reply(self, card: ModelCard, prompt: Prompt, params: Params, purpose: Purpose) -> tuple[str, Usage]:
        """Return what the model wrote and what it took. Raises what the gateway raises."""
        pieces, usage = [], Usage()
        async with aclosing(self.asker.answer(card.name, prompt, params, purpose)) as parts:
            async for part in parts:
                match part:
                    case Text():
                        pieces.append(part.text)
                    case Finished():
                        usage = part.usage
        return "".join(pieces), usage
