"""What is answered to a request that gets no further."""

import json
import math
from dataclasses import dataclass

from starlette.types import Message, Send

from auritas.kernel.errors import AuritasError
from auritas.server.errors import document_at, status_of

Headers = tuple[tuple[bytes, bytes], ...]


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a request stops here."""

    status: int
    code: str
    message: str
    remedy: str
    headers: Headers = ()

    async def send(self, send: Send, path: str, *, with_body: bool = True) -> None:
        """Answer with the body that every error at `path` has; to HEAD without it."""
        body = json.dumps(document_at(path, self.status, self.code, self.message, self.remedy)).encode()
        headers = [
            (b"content-type", b"application/json"),
            (b"content-length", str(len(body)).encode()),
            *self.headers,
        ]
        start: Message = {"type": "http.response.start", "status": self.status, "headers": headers}
        await send(start)
        await send({"type": "http.response.body", "body": body if with_body else b""})


MISDIRECTED = Refusal(
    421,
    "misdirected",
    "This server does not go by the name in the request.",
    "Open it by the address that it printed, or by a new one: auritas open",
)
FOREIGN = Refusal(
    403,
    "foreign_page",
    "Another page sent this request, and only the pages of this server may.",
    "Programs leave out Origin and Sec-Fetch-Site and show a token; there is no way in for other web pages.",
)
NOT_LET_IN = Refusal(
    401,
    "not_let_in",
    "Nothing that lets you in came with this request, or it has ended.",
    "In a browser: open the one-time address that `auritas open` prints. A program shows a token of "
    "`auritas tokens create` as Authorization: Bearer.",
    ((b"www-authenticate", b'Bearer realm="auritas"'),),
)


def from_error(error: AuritasError) -> Refusal:
    """Return what is answered where the guard itself meets an error."""
    return Refusal(status_of(error), error.code, error.message, error.remedy)


def too_often(wait_s: float) -> Refusal:
    """Return what is answered while a limit is used up."""
    seconds = max(1, math.ceil(wait_s))
    return Refusal(
        429,
        "too_often",
        "That was more than this server takes in a minute.",
        f"Try again in {seconds} s.",
        ((b"retry-after", str(seconds).encode()),),
    )


def too_large(at_most: int) -> Refusal:
    """Return what is answered to a body that is too large."""
    return Refusal(413, "too_large", f"The body is larger than {at_most:,} bytes.", "Send less at a time.")
