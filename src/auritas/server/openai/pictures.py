"""Pictures in a chat: read from the request itself, and never fetched from an address."""

import base64
import binascii
import re
from collections.abc import Sequence

from pydantic import BaseModel, Field

from auritas.app.shapes.files import LARGEST_PICTURE_BYTES, PICTURES_AT_ONCE, UnreadableFileError, picture_of
from auritas.kernel.model import Image
from auritas.server.openai.problems import UnsupportedError

BODY_AT_MOST = 32_000_000
"""Bytes of a request with its pictures, which base64 makes larger by a third."""
_URL = re.compile(r"data:image/[a-z0-9.+-]{1,40};base64,", re.IGNORECASE)
_HOW = "Send a PNG, JPEG, WebP or GIF as data:image/png;base64,…"


class PictureSaid(BaseModel):
    """A picture as a data URL (RFC 2397)."""

    url: str = Field(max_length=BODY_AT_MOST)


def pictures_of(said: Sequence[PictureSaid], at: int) -> tuple[Image, ...]:
    """Return the pictures of message `at`. Raises UnsupportedError for addresses, and for what is no picture."""
    require_few(said, at)
    return tuple(_picture(each.url, f"messages.{at}.content") for each in said)


def require_few(pictures: Sequence[object], at: int) -> None:
    """Raise UnsupportedError for more than one message takes; what a user says in a row is one message."""
    if len(pictures) > PICTURES_AT_ONCE:
        raise UnsupportedError(
            f"One message takes {PICTURES_AT_ONCE} pictures.",
            param=f"messages.{at}.content",
            remedy="Send the others with the next one.",
        )


def _picture(url: str, param: str) -> Image:
    begins = _URL.match(url)
    if begins is None:
        raise UnsupportedError(
            f"Message {param.split('.')[1]} names a picture by an address, and nothing is fetched from addresses here.",
            param=param,
            remedy=_HOW,
        )
    if (len(url) - begins.end()) * 3 // 4 > LARGEST_PICTURE_BYTES:
        raise UnsupportedError(
            f"A picture has more than {LARGEST_PICTURE_BYTES // 10**6} MB.", param=param, remedy="Make it smaller."
        )
    try:
        return picture_of(base64.b64decode(url[begins.end() :], validate=True))
    except (binascii.Error, ValueError):
        raise UnsupportedError("A picture is no base64.", param=param, remedy=_HOW) from None
    except UnreadableFileError as error:
        raise UnsupportedError(error.message, param=param, remedy=_HOW) from None
