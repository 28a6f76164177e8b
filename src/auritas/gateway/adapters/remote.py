"""A model behind an HTTP address: one adapter for every protocol, which the dialect puts into words."""

import json
from collections.abc import AsyncGenerator
from contextlib import aclosing

import httpx2

from auritas.gateway.adapters.dialects import Dialect
from auritas.gateway.adapters.frames import drain, frames, text_of
from auritas.gateway.adapters.http import Errand, Http, request
from auritas.gateway.adapters.reply import Bound, Reply
from auritas.gateway.deadline import within
from auritas.gateway.errors import DeadlinePassed, FailureKind, KeyMissing, ProviderFailed, PurposeMissing
from auritas.gateway.model import Endpoint, Keys, Purpose
from auritas.gateway.policy.complaints import Complaint, as_error, complaint
from auritas.gateway.policy.retry import retry_after_seconds
from auritas.kernel.clock import Clock
from auritas.kernel.model import ModelCard, Params, Part, Prompt, Text
from auritas.kernel.ports import ModelPort

_OK = 200
_ERROR_BODY_BYTES = 64 * 1024
_MOST_SIMPLIFICATIONS = 8


class _Misunderstood(Exception):  # noqa: N818  a signal inside this module, never shown
    def __init__(self, said: Complaint) -> None:
        super().__init__(said.message)
        self.said = said


class RemoteModel:
    """A model at an address. Ask it through `bound`: without a purpose nothing is sent."""

    def __init__(self, endpoint: Endpoint, dialect: Dialect, http: Http, keys: Keys, clock: Clock) -> None:
        self.endpoint = endpoint
        self._dialect = dialect
        self._http = http
        self._keys = keys
        self._clock = clock

    @property
    def card(self) -> ModelCard:
        return self.endpoint.card

    def bound(self, purpose: Purpose) -> ModelPort:
        """Return the model whose every send carries `purpose`."""
        return Bound(self.card, purpose, self.answer_for)

    async def answer(self, prompt: Prompt, params: Params) -> AsyncGenerator[Part, None]:
        """Refuse: a call that does not say why it is made is never sent."""
        del prompt, params
        raise PurposeMissing
        yield  # the port wants a generator

    async def answer_for(self, prompt: Prompt, params: Params, purpose: Purpose) -> AsyncGenerator[Part, None]:
        """Stream the reply within its deadline, in the simplest dialect that the provider was found to need."""

        def passed() -> DeadlinePassed:
            return DeadlinePassed(self.endpoint.name, params.deadline_s)

        until = self._clock.monotonic() + params.deadline_s
        async with aclosing(within(self._understood(prompt, params, purpose), until, self._clock, passed)) as parts:
            async for part in parts:
                yield part

    async def _understood(self, prompt: Prompt, params: Params, purpose: Purpose) -> AsyncGenerator[Part, None]:
        dialect = self._dialect
        for _ in range(_MOST_SIMPLIFICATIONS):
            try:
                async with aclosing(self._asked(dialect, prompt, params, purpose)) as parts:
                    async for part in parts:
                        yield part
            except _Misunderstood as error:
                simpler = dialect.simpler(error.said, params)
                if simpler is None:
                    raise as_error(self.endpoint, error.said) from None
                dialect = self._dialect = simpler
            else:
                return
        raise ProviderFailed(f"{self.endpoint.name} understands no form of the request.", kind=FailureKind.GARBLED)

    async def _asked(
        self, dialect: Dialect, prompt: Prompt, params: Params, purpose: Purpose
    ) -> AsyncGenerator[Part, None]:
        key = await self._key()
        outgoing = request(
            "POST",
            self.endpoint.base_url.rstrip("/") + dialect.path,
            headers=dialect.headers(key),
            content=json.dumps(dialect.body(prompt, params), ensure_ascii=False).encode(errors="replace"),
            timeout_s=params.deadline_s,
        )
        reply = Reply(dialect.reading(), self._clock)
        async with self._http.stream(outgoing, Errand(self.endpoint.name, purpose)) as response:
            if response.status_code != _OK:
                await self._refused(response, key)
            async with aclosing(frames(response, self.endpoint.name)) as parts:
                async for data in parts:
                    text = reply.feed(data)
                    if text:
                        yield Text(text)
                    if reply.reading.done:
                        await drain(parts)
                        break
        yield reply.finished(prompt, params)

    async def _key(self) -> str | None:
        ref = self.endpoint.key_ref
        if ref is None:
            return None
        key = await self._keys.reveal(ref)
        if key is None:
            raise KeyMissing(self.endpoint.name, ref)
        return key

    async def _refused(self, response: httpx2.Response, key: str | None) -> None:
        hint = retry_after_seconds(response.headers.get("retry-after"), self._clock.now())
        body = await text_of(response, _ERROR_BODY_BYTES)
        said = complaint(response.status_code, body, hint, key)
        if said.about_the_request:
            raise _Misunderstood(said)
        raise as_error(self.endpoint, said)
