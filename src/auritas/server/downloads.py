"""Texts that a person keeps as files: named safely, never taken for a page, and sent while they are written."""

from collections.abc import Iterable, Iterator
from urllib.parse import quote

from starlette.responses import Response, StreamingResponse

from auritas.kernel.text import one_line

PIECE_CHARACTERS = 65_536
"""Of text sent at a time: each piece costs a change of threads."""
NAME_CHARACTERS = 60
_TYPES = {"md": "text/markdown; charset=utf-8", "json": "application/json"}


def headers_of(name: str, ending: str) -> dict[str, str]:
    """Return the headers of a file that is called `name` by a person (RFC 6266, RFC 8187)."""
    words = "".join(c if c.isalnum() else " " for c in one_line(name, NAME_CHARACTERS))
    plain = "-".join("".join(c if c.isascii() else " " for c in words).split()) or "auritas"
    full = "-".join(words.split()) or "auritas"
    named = f"attachment; filename=\"{plain}.{ending}\"; filename*=UTF-8''{quote(full)}.{ending}"
    return {"content-disposition": named, "x-content-type-options": "nosniff", "cache-control": "no-store"}


def streamed(pieces: Iterable[str], name: str, ending: str) -> StreamingResponse:
    """Answer with a text that is being written."""
    return StreamingResponse(_gathered(pieces), media_type=_TYPES[ending], headers=headers_of(name, ending))


def whole(text: str, name: str, ending: str) -> Response:
    """Answer with a text that is there."""
    return Response(text.encode(), media_type=_TYPES[ending], headers=headers_of(name, ending))


def _gathered(pieces: Iterable[str]) -> Iterator[bytes]:
    held: list[str] = []
    size = 0
    for piece in pieces:
        held.append(piece)
        size += len(piece)
        if size >= PIECE_CHARACTERS:
            yield "".join(held).encode()
            held, size = [], 0
    yield "".join(held).encode()
