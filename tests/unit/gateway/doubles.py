"""Doubles and short forms that the tests of the gateway share."""

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field

from auritas.gateway.adapters.http import Http
from auritas.gateway.adapters.openai import ChatCompletions
from auritas.gateway.adapters.remote import RemoteModel
from auritas.gateway.model import Endpoint, EndpointKind, Keys, Outbound, Purpose
from auritas.kernel.clock import Clock, SystemClock
from auritas.kernel.model import Finished, Message, Part, Prompt, Role, Text

WHY = Purpose("answer a question", query_id="q-1", conversation_id="c-1")
KEY = "sk-test-0123456789-canary"


def ask(text: str = "What is the capital of Australia?") -> Prompt:
    return Prompt((Message(Role.USER, text),))


@dataclass
class MemoryEgress:
    """A ledger in a list; `refuse` makes recording fail."""

    records: list[Outbound] = field(default_factory=list)
    statuses: dict[str, str] = field(default_factory=dict)
    refuse: Exception | None = None

    async def record(self, outbound: Outbound) -> str:
        if self.refuse:
            raise self.refuse
        self.records.append(outbound)
        return str(len(self.records))

    async def settle(self, record_id: str, status: str) -> None:
        self.statuses[record_id] = status


@dataclass
class MemoryKeys:
    kept: Mapping[str, str] = field(default_factory=dict)
    reads: int = 0

    async def reveal(self, ref: str) -> str | None:
        self.reads += 1
        return self.kept.get(ref)


def endpoint(url: str, **changes: object) -> Endpoint:
    fields: dict[str, object] = {
        "name": "remote",
        "kind": EndpointKind.OPENAI,
        "provider": "somebody",
        "base_url": url,
        "model_id": "m-1",
        **changes,
    }
    return Endpoint(**fields)  # type: ignore[arg-type]


def openai(
    url: str, http: Http, *, keys: Keys | None = None, clock: Clock | None = None, **changes: object
) -> RemoteModel:
    where = endpoint(url, **changes)
    return RemoteModel(where, ChatCompletions(where), http, keys or MemoryKeys(), clock or SystemClock())


@dataclass(frozen=True)
class Heard:
    """Everything that a stream gave."""

    text: str
    parts: tuple[Part, ...]
    end: Finished


async def heard(stream: AsyncIterator[Part]) -> Heard:
    parts = [part async for part in stream]
    end = parts[-1]
    assert isinstance(end, Finished)
    return Heard("".join(part.text for part in parts if isinstance(part, Text)), tuple(parts), end)
