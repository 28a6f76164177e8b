"""The process that serves: it takes its post, binds its address, and lets nothing open keep it from stopping."""

import asyncio
import logging
import resource
import signal
import socket
from collections.abc import Awaitable, Callable, Generator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

import uvicorn

from auritas.app.duties import Duties
from auritas.app.house_duties import duties_of
from auritas.app.household import Household
from auritas.app.install_token import InstallToken
from auritas.app.presence import Presence, held, here
from auritas.app.settings import Settings
from auritas.kernel.clock import Clock, SystemClock
from auritas.kernel.errors import EXIT_INTERRUPTED
from auritas.kernel.randomness import SystemEntropy
from auritas.server.app import behind_guard, routes
from auritas.server.listening import Binding, bound

if TYPE_CHECKING:
    from starlette.types import ASGIApp

CLOSING_S = 1
"""Seconds that open answers may take when the server stops; with the streams closed first it ends within three."""
CUT_OFF_S = 0.2
"""Seconds in which answers that were cut off may end."""
GONE_S = 2.0
"""Seconds for which a server whose stores were destroyed still says so: open pages ask it why their stream ended."""
REST_S = 3.0
"""Seconds that duties leave to the page of whoever has just started the program: they load models and tables."""
_FILES = 65_536
"""Open files that are enough for ten thousand streams."""
_TROUBLE = "server"


@dataclass(frozen=True, slots=True)
class Serving:
    """A server that has begun. one_time: an address that lets a browser in once; None while the store is locked."""

    presence: Presence
    one_time: str | None
    notices: tuple[str, ...] = ()


Announce = Callable[[Serving], None]
"""Told once, when the server answers."""


def run(
    settings: Settings,
    binding: Binding,
    announce: Announce,
    destroyed: Callable[[], object] = bool,
    *,
    clock: Clock | None = None,
) -> int:
    """Serve until a signal comes, or everything is destroyed; return the exit code: 0, or 130 after Ctrl-C.

    destroyed: called at the end where everything was. Raises AlreadyServingError, what `listening.bound` raises for an
    address that cannot be had, what `Household.open` and `Post.announce` raise, and what `destroyed` does.
    """
    clock = clock or SystemClock()
    raise_file_limit()
    InstallToken(settings.home, SystemEntropy()).read_or_make()  # before anybody looks for it
    with held(settings.home, clock) as post, bound(binding) as listener:
        presence = here(listener.url, clock, unix=binding.unix, certificate=binding.certificate)
        household = Household(settings)
        household.open()
        server = Server(household, duties_of(household, clock), listener.sockets, binding, clock)

        def begun() -> None:
            post.announce(presence)
            announce(Serving(presence, server.one_time(listener.url), _notices(household)))

        try:
            with _handlers_kept():
                code = asyncio.run(server.serve(begun))
        finally:
            household.close()
            if household.gone:
                post.leave_nothing()
    if household.gone:
        destroyed()
    return code


class Server:
    """The application, its duties and its sockets, from the first request to the last."""

    def __init__(
        self,
        household: Household,
        duties: Duties,
        sockets: Sequence[socket.socket],
        binding: Binding,
        clock: Clock,
    ) -> None:
        self._household, self._duties = household, duties
        self._sockets = list(sockets)
        self._app = routes(household, duties)
        guarded = behind_guard(self._app, names=binding.names, clock=clock)
        self._engine = _Engine(_config(guarded, binding), self._let_go)
        self._signal: int | None = None
        household.wiped = self._end_soon

    async def serve(self, begun: Callable[[], None]) -> int:
        """Serve until `stop` is called, a signal comes or everything is destroyed; return the exit code.

        Raises what `begun` raises.
        """
        loop = asyncio.get_running_loop()
        for each in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(each, self.stop, each)
        self._engine.begun = begun
        with _noted_by(self._household):
            self._duties.start(REST_S)
            try:
                await self._engine.serve(self._sockets)
                if self._engine.failed is not None:
                    raise self._engine.failed
            finally:
                await self._let_go()
                for each in (signal.SIGINT, signal.SIGTERM):
                    loop.remove_signal_handler(each)
        return EXIT_INTERRUPTED if self._signal == signal.SIGINT else 0

    def stop(self, number: int = signal.SIGTERM) -> None:
        """End serving; said twice, without waiting for anybody."""
        self._engine.force_exit = self._engine.should_exit
        self._engine.should_exit = True
        self._signal = number

    def _end_soon(self) -> None:
        asyncio.get_running_loop().call_later(GONE_S, self.stop)

    def one_time(self, url: str) -> str | None:
        """Return an address that lets one browser in, once; None while the store is locked."""
        return None if self._household.locked else f"{url}{self._app.state.handover.path()}"

    async def _let_go(self) -> None:
        """Stop what runs and end every stream: only then does nobody wait for anything."""
        await self._duties.aclose()
        await self._household.aclose()


class _Engine(uvicorn.Server):
    """The server beneath, which leaves signals to us and lets go of the streams before it waits for them."""

    def __init__(self, config: uvicorn.Config, let_go: Callable[[], Awaitable[None]]) -> None:
        super().__init__(config)
        self._let_go = let_go
        self.begun: Callable[[], None] = lambda: None
        self.failed: Exception | None = None
        """What `begun` has raised; then the server has ended in good order."""

    @contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if not self.started:
            return
        try:
            self.begun()
        except Exception as error:  # noqa: BLE001  raised once everything is closed
            self.failed, self.should_exit = error, True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for server in self.servers:
            server.close()
        try:
            await self._let_go()
        finally:  # what fails there, on a full disk, must not leave the application half closed
            await super().shutdown(sockets)
        if self.server_state.tasks:  # what was cut off ends here, where its errors are noted and not printed
            await asyncio.wait(self.server_state.tasks, timeout=CUT_OFF_S)


def _config(app: "ASGIApp", binding: Binding) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        http="h11",
        ws="none",
        lifespan="on",
        loop="asyncio",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=CLOSING_S,
        ssl_certfile=binding.certificate,
        ssl_keyfile=binding.key,
    )


def _notices(household: Household) -> tuple[str, ...]:
    return () if household.locked else household.main.notices


def raise_file_limit() -> None:
    """Let the process hold as many open files as it may: each stream is one."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _FILES if hard == resource.RLIM_INFINITY else min(_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


@contextmanager
def _handlers_kept() -> Generator[None, None, None]:
    # The event loop leaves the defaults behind, by which a second signal would cut the closing of the store short.
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class _Noting(logging.Handler):
    """Passes errors of the server beneath on as type and place; their text may hold what a person wrote."""

    def __init__(self, household: Household) -> None:
        super().__init__(logging.ERROR)
        self._household = household

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        if isinstance(error, Exception) and not self._household.locked:  # what was cut off is none
            self._household.main.diagnostics.trouble(_TROUBLE, error)


@contextmanager
def _noted_by(household: Household) -> Generator[None, None, None]:
    logger, handler = logging.getLogger("uvicorn.error"), _Noting(household)
    logger.addHandler(handler)
    logger.propagate = False
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.propagate = True
