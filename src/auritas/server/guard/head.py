"""HEAD, mended once for all routes: what GET would begin its answer with, and no body."""

import asyncio

from starlette.types import ASGIApp, Message, Scope, Send

HEAD = "auritas.head"
"""Set in the ASGI scope, for a GET that uses something up."""


async def answer_head(app: ASGIApp, scope: Scope, send: Send) -> None:
    """Run GET, pass its beginning on, and hang up, so that an event stream ends there, too."""
    began, asked = asyncio.Event(), False

    async def receive() -> Message:
        nonlocal asked
        if not asked:
            asked = True
            return {"type": "http.request", "body": b"", "more_body": False}
        await began.wait()
        return {"type": "http.disconnect"}

    async def only_head(message: Message) -> None:
        if message["type"] == "http.response.start":
            await send(message)
            await send({"type": "http.response.body", "body": b""})
            began.set()

    # Up to 2.3 of the ASGI specification a streaming answer listens for the hang-up.
    older = {**scope.get("asgi", {}), "spec_version": "2.3"}
    await app({**scope, "method": "GET", "asgi": older, HEAD: True}, receive, only_head)
