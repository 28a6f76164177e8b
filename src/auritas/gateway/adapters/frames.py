"""Reads the body of a reply as a sequence of JSON texts, whichever way the server sends them."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import suppress

import httpx2

from auritas.gateway.errors import FailureKind, NotAnEndpoint, ProviderFailed
from auritas.gateway.sse import EventStream, EventTooLargeError

MAX_BODY_BYTES = 64 * 1024 * 1024
_DRAIN_S = 0.25
"""After its last event a server closes the body at once; one that does not is not waited for."""

_EVENT_STARTS = (b"data", b"event", b"id", b"retry", b":")
_LONGEST_START = 5


async def frames(response: httpx2.Response, name: str) -> AsyncGenerator[str, None]:
    """Yield the data of each server-sent event, or a plain JSON body as one item.

    The body decides, not its declared type: servers in use mislabel both. Raises NotAnEndpoint when it is neither,
    ProviderFailed when it is too large.
    """
    chunks = _limited(response.aiter_bytes(), name)
    head = b""
    async for chunk in chunks:
        head = (head + chunk).removeprefix(b"\xef\xbb\xbf").lstrip()
        if len(head) >= _LONGEST_START or head[:1] in {b"{", b"["}:
            break
    if head[:1] in {b"{", b"["}:
        yield (head + b"".join([chunk async for chunk in chunks])).decode(errors="replace")
        return
    if head and not head.startswith(_EVENT_STARTS):
        raise NotAnEndpoint(
            f"What answers {name} is a page or something else, not a model.", remedy="Check the model's base URL."
        )
    try:
        async for data in _events(head, chunks):
            yield data
    except EventTooLargeError:
        raise ProviderFailed(f"{name} sent an event without end.", kind=FailureKind.GARBLED) from None


async def text_of(response: httpx2.Response, limit: int) -> str:
    """Return at most `limit` bytes of a body as text; what cannot be read any more is left out."""
    body = b""
    with suppress(httpx2.HTTPError):
        async for chunk in response.aiter_bytes():
            body += chunk
            if len(body) >= limit:
                break
    return body[:limit].decode(errors="replace")


async def drain(parts: AsyncGenerator[str, None]) -> None:
    """Read the little that follows the last event, so that the connection can be used again."""
    with suppress(TimeoutError):
        async with asyncio.timeout(_DRAIN_S):
            async for _ in parts:
                pass


async def _events(head: bytes, chunks: AsyncIterator[bytes]) -> AsyncGenerator[str, None]:
    events = EventStream()
    for data in events.feed(head):
        yield data
    async for chunk in chunks:
        for data in events.feed(chunk):
            yield data
    for data in events.close():
        yield data


async def _limited(chunks: AsyncIterator[bytes], name: str) -> AsyncGenerator[bytes, None]:
    size = 0
    async for chunk in chunks:
        size += len(chunk)
        if size > MAX_BODY_BYTES:
            raise ProviderFailed(f"{name} sent a reply without end.", kind=FailureKind.GARBLED)
        yield chunk
