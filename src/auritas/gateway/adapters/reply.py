"""What all adapters to models elsewhere share: a reply while it arrives, and a model bound to the reason for asking."""

from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass

from auritas.gateway.adapters.dialects import Reading
from auritas.gateway.errors import FailureKind, ProviderFailed
from auritas.gateway.model import Purpose
from auritas.gateway.policy.budget import BYTES_PER_TOKEN
from auritas.kernel.clock import Clock
from auritas.kernel.model import Finished, ModelCard, Params, Part, Prompt, Provenance, Usage

_MS = 1_000.0


@dataclass(frozen=True, slots=True)
class Bound:
    """A model together with the reason for asking it: a ModelPort whose every send carries the purpose."""

    card: ModelCard
    purpose: Purpose
    ask: Callable[[Prompt, Params, Purpose], AsyncGenerator[Part, None]]

    def answer(self, prompt: Prompt, params: Params) -> AsyncGenerator[Part, None]:
        return self.ask(prompt, params, self.purpose)


class Reply:
    """One reply while it arrives: its text and its times."""

    def __init__(self, reading: Reading, clock: Clock) -> None:
        self.reading = reading
        self._clock = clock
        self._began = clock.monotonic()
        self._first_ms: float | None = None
        self._said: list[str] = []

    def feed(self, data: str) -> str:
        """Take one frame and return the text in it."""
        text = self.reading.feed(data)
        if text:
            self._first_ms = self._elapsed_ms() if self._first_ms is None else self._first_ms
            self._said.append(text)
        return text

    def finished(self, prompt: Prompt, params: Params) -> Finished:
        """Return the last part, with estimates where the provider gave no count."""
        reading, endpoint = self.reading, self.reading.endpoint
        if reading.finish is None:
            raise ProviderFailed(f"The reply of {endpoint.name} was cut off.", kind=FailureKind.CUT)
        tokens_in, tokens_out, cost = reading.tokens_in, reading.tokens_out, reading.cost_micros
        if tokens_in is None:
            tokens_in = sum(_tokens(message.content) for message in prompt.messages)
        if tokens_out is None:
            tokens_out = _tokens("".join(self._said))
        if cost is None:
            cost = endpoint.price.cost(tokens_in, tokens_out)
        usage = Usage(tokens_in, tokens_out, cost, self._first_ms, self._elapsed_ms())
        served = reading.served or endpoint.model_id
        origin = Provenance(endpoint.provider, served, params.seed, params.temperature)
        return Finished(reading.finish, usage, origin, reading.margin)

    def _elapsed_ms(self) -> float:
        return (self._clock.monotonic() - self._began) * _MS


def _tokens(text: str) -> int:
    return -(-len(text.encode(errors="replace")) // BYTES_PER_TOKEN)
