"""Having a model write its recovery prompt: asked twice at most, and never left empty."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from auritas.gateway.errors import BadStructure
from auritas.gateway.model import Purpose
from auritas.kernel.errors import UnavailableError
from auritas.kernel.model import ModelCard, Params, Prompt, Usage
from auritas.memory.recovery.model import Material
from auritas.memory.recovery.prompts import REPLY_TOKENS, SCHEMA, recovery_prompt, text_of, trajectory_in
from auritas.memory.writing import ATTEMPTS, SECOND_TEMPERATURE, Asker, Scribe

WHY: Final = "write a recovery prompt"
_DEADLINE_S: Final = 120.0


class UnusableRecoveryError(UnavailableError):
    """A model wrote nothing that the material bears out."""

    code = "unusable_recovery"

    def __init__(self, seat: str) -> None:
        super().__init__(
            f"{seat} wrote no recovery prompt that can be used; the one before it stays.",
            remedy="Try again later: auritas recovery make",
        )


@dataclass(frozen=True, slots=True)
class RecoveryWriter:
    """Asks models for recovery prompts. It keeps nothing. prepare: plugins' last word on a prompt."""

    asker: Asker
    prepare: Callable[[Prompt], Prompt] = lambda prompt: prompt

    async def write(self, card: ModelCard, material: Material) -> tuple[str, Usage]:
        """Return the text of the model's prompt and what it took. Without past conversations nobody is asked.

        Raises UnusableRecoveryError and what the gateway raises.
        """
        if not material.talks:
            return text_of(material, ""), Usage()
        prompt = self.prepare(recovery_prompt(card, material))
        params = Params(max_tokens=REPLY_TOKENS, schema=SCHEMA, deadline_s=_DEADLINE_S)
        usage = Usage()
        for attempt in range(ATTEMPTS):
            if attempt:
                params = replace(params, temperature=SECOND_TEMPERATURE, seed=attempt)
            reply, took = await self._said(card, prompt, params)
            usage = usage.plus(took)
            if trajectory := trajectory_in(reply, material):
                return text_of(material, trajectory), usage
        raise UnusableRecoveryError(card.name)

    async def _said(self, card: ModelCard, prompt: Prompt, params: Params) -> tuple[str, Usage]:
        try:
            return await Scribe(self.asker).reply(card, prompt, params, Purpose(WHY))
        except BadStructure:  # the gateway has asked for the form twice already
            raise UnusableRecoveryError(card.name) from None
