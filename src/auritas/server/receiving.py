"""Bodies that are files: taken as they come, and refused where they are larger than what is allowed."""

from collections.abc import Callable, Mapping
from typing import Any

from fastapi.concurrency import run_in_threadpool
from starlette.requests import Request

from auritas.app.shapes.files import TooLargeError
from auritas.kernel.errors import InvalidError

PIECE_BYTES = 1 << 20
"""Of a body that is handed on at a time: each piece costs a change of threads."""


async def received(request: Request, take: Callable[[bytes], None], most: int) -> None:
    """Hand the body of a request to `take`, in another thread, piece by piece.

    Raises TooLargeError beyond `most` bytes, and InvalidError for an empty body.
    """
    held, size = bytearray(), 0
    async for chunk in request.stream():
        size += len(chunk)
        if size > most:
            raise TooLargeError(most)
        held += chunk
        if len(held) >= PIECE_BYTES:
            await run_in_threadpool(take, bytes(held))
            held.clear()
    if not size:
        raise InvalidError("The file is empty.", remedy="Send it as the body of the request.")
    await run_in_threadpool(take, bytes(held))


def takes(kinds: Mapping[str, object]) -> dict[str, Any]:
    """Return what the OpenAPI document says of such a body: the types it may have, each with an example."""
    content = {kind: {"schema": _schema(kind), "example": example} for kind, example in kinds.items()}
    return {"requestBody": {"required": True, "content": content}}


def _schema(kind: str) -> dict[str, Any]:
    return {} if kind == "application/json" else {"type": "string", "format": "binary"}
