"""What goes into a model and what comes out of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from auritas.kernel.canonical import Json

MICROS_PER_UNIT = 1_000_000
"""Money is held in integer millionths of the currency unit."""


BUILTIN = "builtin"
"""Provider of a member that is a part of this program: it computes, costs nothing, and is no model."""


class Role(StrEnum):
    """Who speaks."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"
    """Whoever ran a tool that a model asked for. No conversation of ours holds such a message."""


class FinishReason(StrEnum):
    """Why a reply ended."""

    STOP = "stop"
    LENGTH = "length"
    DEADLINE = "deadline"
    FILTERED = "filtered"
    ABSTAINED = "abstained"
    """The model says that the question is not its own: no grade, no vote."""


@dataclass(frozen=True, slots=True)
class Image:
    """A picture as a person attached it. media_type: image/png, image/jpeg, image/webp or image/gif."""

    media_type: str
    content: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Tool:
    """A function that whoever asks can run for a model. This program never runs one.

    parameters: a JSON Schema. strict: whether arguments must follow it to the letter; None leaves that to the model.
    """

    name: str
    description: str = ""
    parameters: Mapping[str, Json] = field(default_factory=dict)
    strict: bool | None = None


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A model's wish that a tool be run. arguments: JSON, as the model wrote it, so perhaps none."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation. images: for models that see; others never get a message that has some.

    calls: the tools that an assistant asked for. call_id: of the call that a tool answers.
    """

    role: Role
    content: str
    images: tuple[Image, ...] = ()
    calls: tuple[ToolCall, ...] = ()
    call_id: str = ""


@dataclass(frozen=True, slots=True)
class Prompt:
    """A conversation whose last message the model answers. Put stable text first: engines cache the prefix."""

    messages: tuple[Message, ...]

    @property
    def question(self) -> str:
        """The newest message of the user."""
        return next((m.content for m in reversed(self.messages) if m.role is Role.USER), "")


@dataclass(frozen=True, slots=True)
class Params:
    """How to answer.

    max_tokens: new tokens at most. temperature: 0 is greedy. seed: None lets the engine choose. schema: a JSON Schema
    that the text must satisfy. deadline_s: seconds for the whole call, after which the work is stopped.
    logprobs: ask for the probability margin where the engine has it. tools: that the model may ask for; tool_choice:
    `auto`, `none`, `required` or the name of one, empty for the model's own way. more: further fields of the OpenAI
    protocol. Tools and further fields are only for models whose card says that they take them.
    """

    max_tokens: int = 400
    temperature: float = 0.0
    seed: int | None = 0
    schema: Mapping[str, Json] | None = None
    deadline_s: float = 120.0
    stop: tuple[str, ...] = ()
    logprobs: bool = False
    tools: tuple[Tool, ...] = ()
    tool_choice: str = ""
    more: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Price:
    """Millionths of a currency unit per million tokens: the number that providers print, times 10^6."""

    input_micros_per_mtok: int = 0
    output_micros_per_mtok: int = 0

    def cost(self, tokens_in: int, tokens_out: int) -> int:
        """Return the micro-units for one call, rounded up, so that a budget is never undercounted."""
        total = tokens_in * self.input_micros_per_mtok + tokens_out * self.output_micros_per_mtok
        return -(-total // MICROS_PER_UNIT)


@dataclass(frozen=True, slots=True)
class ModelCard:
    """Who a model is.

    name: the name a person uses. provider: `embedded`, `builtin` or the name of a preset or host. local: nothing
    leaves the machine. digest: hash of the weights, or the provider's model id. window: context size in tokens.
    """

    name: str
    provider: str
    local: bool
    digest: str = ""
    window: int = 4096
    price: Price = Price()
    grammar: bool = False
    """Whether the engine constrains output to a schema while it writes."""
    tools: bool = False
    """Whether it takes tools, and further fields in the form of the OpenAI protocol."""
    sees: bool = False
    """Whether it takes pictures."""


@dataclass(frozen=True, slots=True)
class Provenance:
    """What is needed to replay an answer: engine and its version, weights, seed, sampling, grammar digest."""

    engine: str = ""
    model_digest: str = ""
    seed: int | None = None
    temperature: float = 0.0
    grammar_digest: str = ""


@dataclass(frozen=True, slots=True)
class Usage:
    """What one call took. Tokens are the provider's count where it gives one. cost_micros: see MICROS_PER_UNIT."""

    tokens_in: int = 0
    tokens_out: int = 0
    cost_micros: int = 0
    first_token_ms: float | None = None
    total_ms: float = 0.0

    def plus(self, later: "Usage") -> "Usage":
        """Return what two calls took together; the first token is that of the first call that had one."""
        return Usage(
            tokens_in=self.tokens_in + later.tokens_in,
            tokens_out=self.tokens_out + later.tokens_out,
            cost_micros=self.cost_micros + later.cost_micros,
            first_token_ms=self.first_token_ms if self.first_token_ms is not None else later.first_token_ms,
            total_ms=self.total_ms + later.total_ms,
        )


@dataclass(frozen=True, slots=True)
class Text:
    """A piece of the reply, in order."""

    text: str


@dataclass(frozen=True, slots=True)
class Prefill:
    """The model is reading the prompt: tokens read so far, and in all."""

    done: int
    total: int


@dataclass(frozen=True, slots=True)
class Finished:
    """The last part of every reply that did not raise."""

    reason: FinishReason
    usage: Usage
    provenance: Provenance = field(default_factory=Provenance)
    margin: float | None = None
    """Smallest gap in log-probability between the chosen token and the runner-up, where asked for and known."""


Part: TypeAlias = Text | Prefill | ToolCall | Finished
