"""The long tail of providers, through a stand-in for the library's one function."""

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import Any

import pytest
from tests.unit.gateway.doubles import KEY, WHY, MemoryEgress, MemoryKeys, ask, endpoint, heard

from auritas.gateway.adapters.anyllm import AnyLlmModel, Completion, installed
from auritas.gateway.errors import (
    DeadlinePassed,
    ExtraMissing,
    FailureKind,
    KeyMissing,
    ProviderFailed,
    ProviderRefused,
    PurposeMissing,
)
from auritas.gateway.model import EndpointKind
from auritas.kernel.clock import SystemClock
from auritas.kernel.model import Params

pytestmark = pytest.mark.anyio


@dataclass
class Chunk:
    frame: dict[str, Any]

    def model_dump_json(self) -> str:
        return json.dumps(self.frame)


def word(text: str, finish: str | None = None) -> Chunk:
    return Chunk({"model": "big-1", "choices": [{"delta": {"content": text}, "finish_reason": finish}]})


class RateLimitError(Exception):
    """Named as the library's."""

    retry_after = "4"


class AuthenticationError(Exception):
    """Named as the library's."""


@dataclass
class Library:
    """Gives chunks, a whole completion, or raises."""

    gives: Any
    asked: list[dict[str, Any]] = field(default_factory=list)

    async def __call__(self, **request: Any) -> Any:
        self.asked.append(request)
        if isinstance(self.gives, Exception):
            raise self.gives
        return self._stream() if isinstance(self.gives, list) else self.gives

    async def _stream(self) -> AsyncIterator[Chunk]:
        for item in self.gives:
            if item is None:
                await asyncio.Event().wait()
            if isinstance(item, Exception):
                raise item
            yield item


def model(library: Completion, egress: MemoryEgress | None = None, key: str | None = KEY) -> AnyLlmModel:
    where = endpoint("", kind=EndpointKind.ANY_LLM, provider="cohere", key_ref="store:cohere")
    keys = MemoryKeys({"store:cohere": key} if key else {})
    return AnyLlmModel(where, egress or MemoryEgress(), keys, SystemClock(), lambda: library)


async def test_a_stream_of_the_library_is_a_reply():
    """Chunks become text; provider, model and key are given, never left to the environment."""
    egress = MemoryEgress()
    library = Library([word("Can"), word("berra", "stop")])
    got = await heard(model(library, egress).bound(WHY).answer(ask(), Params()))
    assert got.text == "Canberra"
    (request,) = library.asked
    assert (request["provider"], request["model"], request["api_key"]) == ("cohere", "m-1", KEY)
    (record,) = egress.records
    assert (record.host, record.purpose, record.loopback) == ("any-llm:cohere", WHY, False)
    assert egress.statuses == {"1": "answered"}


async def test_a_whole_completion_is_a_reply_too():
    """A provider that cannot stream is asked all the same."""
    whole = Chunk(
        {
            "choices": [{"message": {"content": "Canberra"}, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 3, "completion_tokens": 1},
        }
    )
    got = await heard(model(Library(whole)).bound(WHY).answer(ask(), Params()))
    assert (got.text, got.end.usage.tokens_in) == ("Canberra", 3)


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (AuthenticationError(f"bad {KEY}"), ProviderRefused),
        (RateLimitError("slow"), ProviderFailed),
        (OSError("no route"), ProviderFailed),
    ],
)
async def test_errors_of_the_library_become_ours(error: Exception, expected: type[Exception]):
    """Each has its type, at the start and in the middle, and none shows the key."""
    for gives in (error, [word("Can"), error]):
        with pytest.raises(expected) as caught:
            await heard(model(Library(gives)).bound(WHY).answer(ask(), Params()))
        assert KEY not in str(caught.value)


async def test_a_hint_when_to_come_back_is_kept():
    """Retry-After survives the library."""
    with pytest.raises(ProviderFailed) as caught:
        await heard(model(Library(RateLimitError("slow"))).bound(WHY).answer(ask(), Params()))
    assert (caught.value.kind, caught.value.retry_after) == (FailureKind.LIMITED, 4.0)


async def test_the_deadline_holds():
    """A library that hangs is left."""
    egress = MemoryEgress()
    with pytest.raises(DeadlinePassed):
        await heard(model(Library([word("Can"), None]), egress).bound(WHY).answer(ask(), Params(deadline_s=0.05)))
    assert egress.statuses == {"1": "answered"}


async def test_nothing_is_asked_without_purpose_key_or_ledger():
    """The library is not called when one of them is missing."""
    library = Library([word("x", "stop")])
    with pytest.raises(PurposeMissing):
        await heard(model(library).answer(ask(), Params()))
    with pytest.raises(KeyMissing):
        await heard(model(library, key=None).bound(WHY).answer(ask(), Params()))
    with pytest.raises(OSError, match="full"):
        await heard(model(library, MemoryEgress(refuse=OSError("full"))).bound(WHY).answer(ask(), Params()))
    assert not library.asked


async def test_the_clients_own_retries_are_switched_off():
    """Each sending is listed, so none may be hidden; a client that does not know the option is called without it."""
    library = Library([word("x", "stop")])
    await heard(model(library).bound(WHY).answer(ask(), Params()))
    assert library.asked[0]["client_args"] == {"max_retries": 0}

    async def older(**request: Any) -> Any:
        if "client_args" in request:
            msg = "unexpected keyword argument 'max_retries'"
            raise TypeError(msg)
        return await library(**request)

    assert (await heard(model(older).bound(WHY).answer(ask(), Params()))).text == "x"


@pytest.mark.skipif(find_spec("any_llm") is not None, reason="any-llm is installed here")
async def test_the_missing_library_is_named():
    """Without the optional part there is a sentence with the command that installs it."""
    with pytest.raises(ExtraMissing, match="any-llm"):
        installed()
