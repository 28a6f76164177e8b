"""Pausing what the server of a home does by itself, from another process of the same person."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from auritas.app.attaching import attached, error_of
from auritas.app.presence import NoServerError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from auritas.gateway.adapters.attached import Attached

_DUTIES = "/api/v1/duties"


async def paused(home: Path) -> bool:
    """Whether the duties of the server of `home` rest. Raises NoServerError and what the server says."""
    return await _said(home, lambda server: server.get(_DUTIES))


async def pause(home: Path, *, wish: bool) -> bool:
    """Let the duties of the server of `home` rest, or go on; return what is so now. Raises as `paused` does."""
    return await _said(home, lambda server: server.post(_DUTIES, {"paused": wish}))


async def _said(home: Path, talk: "Callable[[Attached], Awaitable[Any]]") -> bool:
    from auritas.gateway.adapters.attached import Refusal

    server = attached(home)
    if server is None:
        raise NoServerError
    try:
        return bool((await talk(server))["paused"])
    except Refusal as refused:
        raise error_of(refused.code, refused.message, refused.remedy, refused.status) from None
    finally:
        await server.aclose()
