"""The calculator as a member of the council: a ModelPort that speaks only when the question is its own."""

import asyncio
import json
from collections.abc import AsyncGenerator, Mapping
from datetime import UTC, date, tzinfo

from auritas.gateway.adapters.calculator_units import PintUnits
from auritas.gateway.calculator import Abstention, Calculation, Units, calculate
from auritas.gateway.embedded_prompt import EXPLANATION_CHARACTERS
from auritas.kernel.clock import Clock
from auritas.kernel.model import Finished, FinishReason, ModelCard, Params, Part, Prompt, Provenance, Text, Usage
from auritas.kernel.text import one_line

_ENGINE = "calculator 1"
_FIELDS = ("answer", "explanation", "domains")
_DOMAINS = ("mathematics",)


class CalculatorModel:
    """Answers with the JSON object that embedded members write, {answer, explanation, domains}, or abstains.

    zone: whose today it is. A schema that asks for another form than that object is not ours to fill: it abstains.
    """

    card = ModelCard("calculator", "builtin", local=True, digest="builtin:calculator:1")

    def __init__(self, clock: Clock, *, zone: tzinfo = UTC, units: Units | None = None) -> None:
        self._clock = clock
        self._zone = zone
        self._units = units or PintUnits()

    async def answer(self, prompt: Prompt, params: Params) -> AsyncGenerator[Part, None]:
        started = self._clock.monotonic()
        # in a thread, because the first conversion loads the units; the work itself is bounded and cannot hang
        result = await asyncio.to_thread(self._result, prompt, params)
        elapsed = (self._clock.monotonic() - started) * 1000
        provenance = Provenance(engine=_ENGINE, model_digest=self.card.digest)
        if isinstance(result, Abstention):
            yield Finished(FinishReason.ABSTAINED, Usage(total_ms=elapsed), provenance)
            return
        yield Text(_json(result))
        yield Finished(FinishReason.STOP, Usage(first_token_ms=elapsed, total_ms=elapsed), provenance)

    def calculate(self, question: str) -> Calculation | Abstention:
        """Return the answer to a question that is the calculator's own, or why it is not."""
        return calculate(question, self._units, self._today)

    def _result(self, prompt: Prompt, params: Params) -> Calculation | Abstention:
        if not _wants_answer(params):
            return Abstention("The form that is asked for is not ours.")
        return self.calculate(prompt.question)

    def _today(self) -> date:
        return self._clock.now().astimezone(self._zone).date()


def _wants_answer(params: Params) -> bool:
    if params.schema is None:
        return True
    properties = params.schema.get("properties")
    return isinstance(properties, Mapping) and set(_FIELDS) >= set(properties) and "answer" in properties


def _json(result: Calculation) -> str:
    fields = (result.answer, one_line(result.explanation, EXPLANATION_CHARACTERS), _DOMAINS)
    return json.dumps(dict(zip(_FIELDS, fields, strict=True)), ensure_ascii=False)
