"""Sixth line: how much a request may bring. What it announces is looked at first; what comes is counted, too."""

from starlette.exceptions import HTTPException
from starlette.types import Message, Receive

_TOO_LARGE = 413


def announced(lengths: list[str]) -> int:
    """Return the announced length of a body, 0 where none is; -1 for what cannot be one."""
    if not lengths:
        return 0
    if len(set(lengths)) != 1 or not lengths[0].isascii() or not lengths[0].isdigit():
        return -1
    return int(lengths[0][:20])


def counted(receive: Receive, at_most: int) -> Receive:
    """Return `receive` that raises HTTPException 413 once more than `at_most` bytes have come."""
    came = 0

    async def counting() -> Message:
        nonlocal came
        message = await receive()
        came += len(message.get("body", b""))
        if came > at_most:
            raise HTTPException(_TOO_LARGE, f"The body is larger than {at_most:,} bytes.")
        return message

    return counting
