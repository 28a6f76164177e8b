"""A command that uses the running server instead of loading every model a second time."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from auritas.app.frames import read
from auritas.app.presence import Presence, is_served, require_running, running
from auritas.app.runs import Changed, Progress, RunEnded, RunEvent, RunForgotten, RunStarted, RunState
from auritas.kernel.answers import AccuracyLevel
from auritas.kernel.clock import Clock
from auritas.kernel.errors import (
    AuritasError,
    NotFoundError,
    RefusedError,
    UnavailableError,
    UsageError,
)
from auritas.kernel.events import Acknowledged, AskFinished, Event
from auritas.kernel.trace import Section, SectionTitle

if TYPE_CHECKING:
    from auritas.gateway.adapters.attached import Attached

WIPES_WITHIN_S, ENDS_WITHIN_S = 10.0, 8.0
"""Seconds that a server may take to destroy everything, and then to end: two of them are for the pages open at it."""
_LOOK_S = 0.1
_RUNS = "/api/v1/runs"
_NOT_LET_IN = frozenset({401, 403, 421, 423})
"""Answers of a server that is locked, or does not know this home's token: the command does without it."""
_KINDS: dict[int, type[AuritasError]] = {404: NotFoundError, 409: RefusedError, 422: UsageError}


class ServerAwayError(UnavailableError):
    """No server can be used just now."""

    code = "server_away"


class StoppedThereError(UnavailableError):
    """The server or a person at its page has stopped the question."""

    code = "stopped"

    def __init__(self) -> None:
        super().__init__("The question was stopped at the server.", remedy="Ask it again.")


class NoPageError(RefusedError):
    """The server listens where no browser can."""

    code = "no_page"

    def __init__(self, unix: str) -> None:
        super().__init__(
            f"The server listens on the socket {unix}, which no browser can open.",
            remedy="Stop it and serve on a port: auritas serve",
        )


def attached(home: Path) -> "Attached | None":
    """Return a connection to the server of `home`, or None where none runs; nothing is sent yet."""
    presence = running(home)
    return None if presence is None else _connect(home, presence)


def _connect(home: Path, presence: Presence) -> "Attached":
    from auritas.app.install_token import InstallToken
    from auritas.gateway.adapters.attached import Attached
    from auritas.kernel.randomness import SystemEntropy

    token = InstallToken(home, SystemEntropy()).read_or_make()
    return Attached(presence.url, token, unix=presence.unix, certificate=presence.certificate)


async def one_time_address(home: Path) -> str:
    """Return an address that lets one browser in, once. Raises NoServerError, NoPageError and what the server says."""
    from auritas.gateway.adapters.attached import Refusal

    presence = require_running(home)
    if presence.unix is not None:
        raise NoPageError(presence.unix)
    server = _connect(home, presence)
    try:
        said = await server.post("/api/v1/handover", {})
    except Refusal as refused:
        raise error_of(refused.code, refused.message, refused.remedy, refused.status) from None
    finally:
        await server.aclose()
    return f"{presence.url}{said['path']}"


@dataclass(frozen=True, slots=True)
class WipedThere:
    """What a server has destroyed when it was told to. removed: files; see `store.panic.Wiped`."""

    removed: int = 0
    keyring_left: bool = False


async def wiped_there(home: Path, clock: Clock) -> WipedThere:
    """Let the server of `home` destroy everything, and wait until it has ended; nothing where none can be told."""
    from auritas.gateway.adapters.attached import BrokenOffError, OutOfReachError, Refusal

    server, done = attached(home), WipedThere()
    if server is None:
        return done
    try:
        with suppress(OutOfReachError, BrokenOffError, Refusal, TimeoutError):
            async with asyncio.timeout(WIPES_WITHIN_S):
                said = await server.post("/api/v1/keeping/panic", {"word": "DESTROY"})
                done = WipedThere(int(said["removed"]), bool(said["keyring_left"]))
    finally:
        await server.aclose()
    until = clock.monotonic() + ENDS_WITHIN_S
    while done.removed and is_served(home) and clock.monotonic() < until:
        await clock.sleep(_LOOK_S)
    return done


async def begin(server: "Attached", text: str, *, level: AccuracyLevel, conversation_id: str | None = None) -> str:
    """Give the server a message and return the id of its run.

    Raises ServerAwayError where the server cannot be used, and then nothing was asked; else what it says.
    """
    from auritas.gateway.adapters.attached import OutOfReachError, Refusal

    try:
        message = {"text": text, "level": level.value, "conversation_id": conversation_id}
        return str((await server.post(_RUNS, message))["id"])
    except OutOfReachError as error:
        raise ServerAwayError(error.message, remedy=error.remedy) from None
    except Refusal as refused:
        if refused.status in _NOT_LET_IN:
            raise ServerAwayError(refused.message, remedy=refused.remedy) from None
        raise error_of(refused.code, refused.message, refused.remedy, refused.status) from None


async def followed(server: "Attached", run_id: str) -> AsyncGenerator[Event, None]:
    """Yield the events of a run as `Auritas.ask` would, then let go of the server; leaving early stops the run.

    Raises what the run ended with.
    """
    over = False
    try:
        async with aclosing(_told(server, run_id)) as frames:
            async for event in frames:
                match event:
                    case RunEnded():
                        over = True
                        _require_done(event)
                    case RunStarted() | RunForgotten() | Changed() | Progress():
                        continue
                    case _:
                        # What follows the last event of a question is the server's own business.
                        over = over or isinstance(event, AskFinished | Acknowledged)
                        yield event
    finally:
        if not over:
            await _stop(server, run_id)
        await server.aclose()


async def reasons_there(home: Path, question: str) -> tuple[Section, ...]:
    """Return the reasons of a question as the server of `home` tells them. Raises NoServerError and what it says."""
    from auritas.gateway.adapters.attached import Refusal

    server = _connect(home, require_running(home))
    try:
        said = await server.get(f"/api/v1/questions/{question}/why")
    except Refusal as refused:
        raise error_of(refused.code, refused.message, refused.remedy, refused.status) from None
    finally:
        await server.aclose()
    return tuple(Section(SectionTitle(each["title"]), tuple(each["lines"])) for each in said["sections"])


def _require_done(end: RunEnded) -> None:
    if end.problem is not None:
        raise error_of(end.problem.code, end.problem.message, end.problem.remedy)
    if end.state is RunState.STOPPED:
        raise StoppedThereError


async def _told(server: "Attached", run_id: str) -> AsyncGenerator[RunEvent, None]:
    """Yield each event once: a snapshot, which the server sends to whoever reads too slowly, repeats some."""
    last = -1
    async with aclosing(server.frames(f"{_RUNS}/{run_id}/events?after=0")) as frames:
        async for data in frames:
            for told in read(data):
                if told.id > last:
                    last = told.id
                    yield told.event


async def _stop(server: "Attached", run_id: str) -> None:
    from auritas.gateway.adapters.attached import BrokenOffError, OutOfReachError, Refusal

    with suppress(
        OutOfReachError, BrokenOffError, Refusal
    ):  # a run that is over, or a server that is: there is nothing to stop
        await server.delete(f"{_RUNS}/{run_id}")


def error_of(code: str, message: str, remedy: str, status: int = 503) -> AuritasError:
    """Return the error that a code names, as if it had been raised here: its class decides how a command ends."""
    import auritas.app.talking  # noqa: F401  every error of a question is defined once this is loaded

    kind = next((each for each in _kinds(AuritasError) if each.code == code), None) or _KINDS.get(
        status, UnavailableError
    )
    error = kind.__new__(kind)
    AuritasError.__init__(error, message, remedy=remedy)
    return error


def _kinds(base: type[AuritasError]) -> list[type[AuritasError]]:
    return [each for kind in base.__subclasses__() for each in (kind, *_kinds(kind))]
