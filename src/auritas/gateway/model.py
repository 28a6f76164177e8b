"""What the gateway speaks about: why something is sent, what was sent, what it may cost, and where models live."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Protocol, runtime_checkable

from auritas.kernel.canonical import Json
from auritas.kernel.errors import InvalidError
from auritas.kernel.model import ModelCard, Price
from auritas.kernel.ports import ModelPort


@dataclass(frozen=True, slots=True)
class Purpose:
    """Why something leaves the machine, and on behalf of which question. Nothing is sent without one."""

    why: str
    query_id: str | None = None
    conversation_id: str | None = None

    def __post_init__(self) -> None:
        if not self.why.strip():
            raise InvalidError("A purpose says why something is sent.")


@dataclass(frozen=True, slots=True)
class Outbound:
    """A request that is about to be sent.

    host: name with its port, where the scheme's own is not used. url: without its query. bytes_out: size on the wire
    as HTTP/1.1, headers included. content: what the ledger commits to; it is hashed with a salt and never stored.
    """

    method: str
    host: str
    url: str
    bytes_out: int
    content: bytes
    loopback: bool
    model: str
    purpose: Purpose

    def __repr__(self) -> str:
        return f"Outbound({self.method} {self.url}, {self.bytes_out} bytes)"


@dataclass(frozen=True, slots=True)
class EgressRecord:
    """One line of the egress ledger. status: what came back (an HTTP status, `no answer`), None while unknown."""

    id: str
    at: datetime
    method: str
    host: str
    url: str
    model: str
    why: str
    query_id: str | None
    conversation_id: str | None
    bytes_out: int
    commitment: bytes
    loopback: bool
    status: str | None
    audit_seq: int | None


class EgressLedger(Protocol):
    """Where each outbound request is written before it is sent."""

    async def record(self, outbound: Outbound) -> str:
        """Commit one record with its audit entry and return its id. When this raises, nothing may be sent."""

    async def settle(self, record_id: str, status: str) -> None:
        """Note what came back. The audit entry stays as it is: it speaks of the sending."""


class Keys(Protocol):
    """Where the keys of providers are kept. They are read for each call and held no longer than that."""

    async def reveal(self, ref: str) -> str | None:
        """Return the key named `ref`, or None when there is none."""


class SchemaCheck(Protocol):
    """Checks a value against a JSON Schema."""

    def problem(self, schema: Json, value: Json) -> str | None:
        """Return one sentence about the first violation, or None when the value satisfies the schema."""


@dataclass(frozen=True, slots=True)
class Spend:
    """Tokens read and written, and money in micro-units."""

    tokens: int = 0
    micros: int = 0

    def __add__(self, other: "Spend") -> "Spend":
        return Spend(self.tokens + other.tokens, self.micros + other.micros)

    def __sub__(self, other: "Spend") -> "Spend":
        return Spend(self.tokens - other.tokens, self.micros - other.micros)


@dataclass(frozen=True, slots=True)
class Budget:
    """What models that are not local may use. None is no limit; money is in micro-units."""

    tokens_per_question: int | None = None
    tokens_per_day: int | None = None
    micros_per_question: int | None = None
    micros_per_day: int | None = None

    def __post_init__(self) -> None:
        limits = (self.tokens_per_question, self.tokens_per_day, self.micros_per_question, self.micros_per_day)
        if any(limit is not None and limit < 0 for limit in limits):
            raise InvalidError("A budget is zero or more.")


class SpendLedger(Protocol):
    """Keeps what each day has cost, across restarts."""

    async def spent(self, day: str) -> Spend:
        """Return what was spent on `day`, an ISO date."""

    async def add(self, day: str, spend: Spend) -> None:
        """Add to what was spent on `day`."""


class EndpointKind(StrEnum):
    """Which protocol a model elsewhere speaks; the values are those of the column models.kind."""

    OPENAI = "openai"
    ANTHROPIC = "anthropic"
    ANY_LLM = "any_llm"


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A model that lives at an address.

    base_url: up to and without `/chat/completions` or `/v1/messages`. key_ref: name of its key, None when it needs
    none. local: the address is this machine.
    """

    name: str
    kind: EndpointKind
    provider: str
    base_url: str
    model_id: str
    key_ref: str | None = None
    window: int = 8192
    price: Price = field(default_factory=Price)
    local: bool = False
    newer_limit: bool = False
    """Whether the provider wants `max_completion_tokens` from the first call on."""
    sees: bool = False
    """Whether it takes pictures."""

    @property
    def card(self) -> ModelCard:
        """Who answers there."""
        return ModelCard(
            name=self.name,
            provider=self.provider,
            local=self.local,
            digest=self.model_id,
            window=self.window,
            price=self.price,
            tools=self.kind is EndpointKind.OPENAI,
            sees=self.sees,
        )


@dataclass(frozen=True, slots=True)
class StoredEndpoint:
    """A model that the user added: whether it may be asked, and since when it is there (as `kernel.clock` writes)."""

    endpoint: Endpoint
    enabled: bool
    added_at: str

    @property
    def priced(self) -> bool:
        """Whether a price is known; without one, calls to a model elsewhere count as costing nothing."""
        return self.endpoint.local or self.endpoint.price != Price()


@runtime_checkable
class Purposeful(Protocol):
    """A model that sends something and therefore answers only on behalf of a purpose."""

    def bound(self, purpose: Purpose) -> ModelPort:
        """Return the same model, whose every send carries `purpose`."""
