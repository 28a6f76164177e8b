"""The long tail of providers through the optional library `any-llm-sdk`, imported when a model of it is first asked.

The library brings its own clients, so one egress record is written before each call and names the provider, not each
connection; its own retries are switched off where the provider's client knows the option.
"""

import json
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping
from contextlib import aclosing
from importlib import import_module
from typing import Any, Protocol
from urllib.parse import urlsplit

from auritas.gateway.adapters.addressed import AddressedModel
from auritas.gateway.adapters.http import is_loopback
from auritas.gateway.adapters.openai import ChatCompletions, ChatReading
from auritas.gateway.adapters.reply import Reply
from auritas.gateway.errors import ExtraMissing, FailureKind, ProviderFailed
from auritas.gateway.model import EgressLedger, Endpoint, Keys, Outbound, Purpose
from auritas.gateway.policy.complaints import as_error, complaint
from auritas.kernel.clock import Clock
from auritas.kernel.errors import AuritasError
from auritas.kernel.model import Params, Part, Prompt, Text

_STATUS = {
    "RateLimitError": 429,
    "AuthenticationError": 401,
    "MissingApiKeyError": 401,
    "InsufficientFundsError": 402,
    "ModelNotFoundError": 404,
    "ContextLengthExceededError": 413,
    "InvalidRequestError": 400,
    "UnsupportedParameterError": 400,
    "UnsupportedProviderError": 404,
    "GatewayTimeoutError": 504,
    "UpstreamProviderError": 502,
    "ProviderError": 502,
}


class Completion(Protocol):
    """The one function of the library that is used: `any_llm.acompletion`."""

    async def __call__(self, **request: Any) -> Any:
        """Return an asynchronous iterator of chunks, or a whole completion."""


def installed() -> Completion:
    """Return the library's function. Raises ExtraMissing when it is not installed."""
    try:
        library = import_module("any_llm")
    except ImportError:
        raise ExtraMissing("A model of this provider", "any-llm") from None
    found: Completion = library.acompletion
    return found


class AnyLlmModel(AddressedModel):
    """A model that any-llm reaches. `endpoint.provider` is the library's name of the provider."""

    def __init__(
        self,
        endpoint: Endpoint,
        ledger: EgressLedger,
        keys: Keys,
        clock: Clock,
        library: Callable[[], Completion] = installed,
    ) -> None:
        super().__init__(endpoint, keys, clock)
        self._ledger = ledger
        self._library = library

    async def _asked(self, prompt: Prompt, params: Params, purpose: Purpose) -> AsyncGenerator[Part, None]:
        complete, key = self._library(), await self._key()
        request = ChatCompletions(self.endpoint).body(prompt, params)
        record = await self._ledger.record(self._outbound(request, purpose))
        reply, status = Reply(ChatReading(self.endpoint), self._clock), "no answer"
        try:
            found = await _called(complete, _arguments(self.endpoint, request, key, params.deadline_s))
            async with aclosing(_chunks(found)) as chunks:
                async for data in chunks:
                    status = "answered"
                    text = reply.feed(data)
                    if text:
                        yield Text(text)
        except (AuritasError, GeneratorExit):
            raise
        except Exception as error:  # noqa: BLE001  each provider brings exceptions of its own; all become ours
            raise _ours(self.endpoint, error, key) from None
        finally:
            await self._ledger.settle(record, status)
        yield reply.finished(prompt, params)

    def _outbound(self, request: Mapping[str, Any], purpose: Purpose) -> Outbound:
        content = json.dumps(request, ensure_ascii=False).encode(errors="replace")
        host = (
            urlsplit(self.endpoint.base_url).netloc if self.endpoint.base_url else f"any-llm:{self.endpoint.provider}"
        )
        return Outbound(
            method="POST",
            host=host,
            url=self.endpoint.base_url.partition("?")[0] or host,
            bytes_out=len(content),
            content=content,
            loopback=is_loopback(urlsplit(self.endpoint.base_url).hostname or ""),
            model=self.endpoint.name,
            purpose=purpose,
        )


def _arguments(endpoint: Endpoint, request: Mapping[str, Any], key: str | None, seconds: float) -> Mapping[str, Any]:
    """Return the library's arguments. The key is always given: without one it would look into the environment."""
    given = {name: value for name, value in request.items() if name != "model"}
    return {
        **given,
        "model": endpoint.model_id,
        "provider": endpoint.provider,
        "api_key": key or "none",
        "api_base": endpoint.base_url or None,
        "timeout": seconds,
        "reasoning_effort": None,
    }


async def _called(complete: Completion, arguments: Mapping[str, Any]) -> Any:
    """Call without retries of the client's own: each sending is a decision of the gateway and stands in the ledger."""
    try:
        return await complete(**arguments, client_args={"max_retries": 0})
    except TypeError as error:
        if "max_retries" not in str(error):
            raise
    return await complete(**arguments)


async def _chunks(found: Any) -> AsyncGenerator[str, None]:
    if not isinstance(found, AsyncIterator):
        yield found.model_dump_json()
        return
    try:
        async for chunk in found:
            yield chunk.model_dump_json()
    finally:
        close = getattr(found, "aclose", None) or getattr(found, "close", None)
        if close is not None:
            await close()


def _ours(endpoint: Endpoint, error: Exception, key: str | None) -> AuritasError:
    name = type(error).__name__
    status = getattr(error, "status_code", None) or _STATUS.get(name)
    message = str(getattr(error, "message", None) or error)
    hint = getattr(error, "retry_after", None)
    seconds = float(hint) if isinstance(hint, str) and hint.isdigit() else None
    said = complaint(status or 0, json.dumps({"error": {"message": message}}), seconds, key)
    if status is not None:
        return as_error(endpoint, said)
    kind = FailureKind.UNREACHABLE if isinstance(error, OSError) or "Connection" in name else FailureKind.GARBLED
    kind = FailureKind.TIMEOUT if "Timeout" in name else kind
    return ProviderFailed(f"{endpoint.provider} failed for {endpoint.name} ({name}): {said.message}", kind=kind)
