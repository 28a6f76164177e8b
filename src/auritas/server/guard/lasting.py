"""Answers that last: an event stream ends soon after whoever follows it is no longer let in."""

import asyncio
from collections.abc import Callable

from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOOK_AGAIN_S = 2.0
"""Seconds after which a revoked token, a browser that was signed out or a wiped store has no stream any more."""


class Lasting:
    """One request whose caller is looked at again and again while the answer lasts.

    still: whether the caller is let in. It is asked only once the request has come whole and the application listens
    for a hang-up, which streams alone do; they are told of one, and end as they do when a reader leaves.
    """

    def __init__(self, receive: Receive, send: Send, still: Callable[[], bool], every_s: float = LOOK_AGAIN_S) -> None:
        self._receive, self._send, self._still, self._every_s = receive, send, still, every_s
        self._whole = self._ended = self._begun = self._over = False

    async def answer(self, app: ASGIApp, scope: Scope) -> None:
        """Let `app` answer. A stream that is cut off here ends properly, so that no client waits for the rest."""
        await app(scope, self._received, self._sent)
        if self._ended and self._begun and not self._over:
            await self._send({"type": "http.response.body", "body": b""})

    async def _received(self) -> Message:
        message = await self._next()
        self._whole = self._whole or not message.get("more_body", False)
        return message

    async def _next(self) -> Message:
        if not self._whole:
            return await self._receive()
        while True:
            try:
                return await asyncio.wait_for(self._receive(), self._every_s)
            except TimeoutError:
                if not self._still():
                    self._ended = True
                    return {"type": "http.disconnect"}

    async def _sent(self, message: Message) -> None:
        await self._send(message)
        self._begun = True
        self._over = message["type"] == "http.response.body" and not message.get("more_body", False)
