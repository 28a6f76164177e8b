"""A model behind an HTTP address: one adapter for every protocol, which the dialect puts into words."""

import json
from collections.abc import AsyncGenerator
from contextlib import aclosing

import httpx2

from auritas.gateway.adapters.addressed import AddressedModel
from auritas.gateway.adapters.dialects import Dialect
from auritas.gateway.adapters.frames import drain, frames, text_of
from auritas.gateway.adapters.http import Errand, Http, request
from auritas.gateway.adapters.reply import Reply
from auritas.gateway.errors import FailureKind, ProviderFailed
from auritas.gateway.model import Endpoint, Keys, Purpose
from auritas.gateway.policy.complaints import Complaint, as_error, complaint
from auritas.gateway.policy.retry import retry_after_seconds
from auritas.kernel.clock import Clock
from auritas.kernel.model import Params, Part, Prompt, Text

_OK = 200
_ERROR_BODY_BYTES = 64 * 1024
_MOST_SIMPLIFICATIONS = 8


class _Misunderstood(Exception):  # noqa: N818  a signal inside this module, never shown
    def __init__(self, said: Complaint) -> None:
        super().__init__(said.message)
        self.said = said


class RemoteModel(AddressedModel):
    """A model that speaks one of the HTTP dialects, in the simplest form that its provider was found to need."""

    def __init__(self, endpoint: Endpoint, dialect: Dialect, http: Http, keys: Keys, clock: Clock) -> None:
        super().__init__(endpoint, keys, clock)
        self._dialect = dialect
        self._http = http

    async def _asked(self, prompt: Prompt, params: Params, purpose: Purpose) -> AsyncGenerator[Part, None]:
        dialect = self._dialect
        for _ in range(_MOST_SIMPLIFICATIONS):
            try:
                async with aclosing(self._sent(dialect, prompt, params, purpose)) as parts:
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

    async def _sent(
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
        for call in reply.reading.calls.values():
            yield call
        yield reply.finished(prompt, params)

    async def _refused(self, response: httpx2.Response, key: str | None) -> None:
        hint = retry_after_seconds(response.headers.get("retry-after"), self._clock.now())
        body = await text_of(response, _ERROR_BODY_BYTES)
        said = complaint(response.status_code, body, hint, key)
        if said.about_the_request:
            raise _Misunderstood(said)
        raise as_error(self.endpoint, said)
