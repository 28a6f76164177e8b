"""The guard: a request passes the lines of defence in their order, or is answered here."""

from collections.abc import Collection
from dataclasses import dataclass

from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from auritas.app.access import LOCAL, Caller
from auritas.app.access import Scope as Allowed
from auritas.app.household import Household
from auritas.app.install_token import InstallToken
from auritas.kernel.clock import Clock, SystemClock
from auritas.kernel.errors import AuritasError
from auritas.kernel.randomness import Entropy, SystemEntropy
from auritas.server.caller import CALLER, ForbiddenError
from auritas.server.guard import refusals
from auritas.server.guard.bodies import announced, counted
from auritas.server.guard.credentials import Shown, cookie_name, shown
from auritas.server.guard.doors import BODY_AT_MOST, Door, Doors
from auritas.server.guard.handover import Handover
from auritas.server.guard.head import answer_head
from auritas.server.guard.headers import with_headers
from auritas.server.guard.hosts import LOOPBACK, is_ours
from auritas.server.guard.lasting import Lasting
from auritas.server.guard.origins import SAFE, is_welcome, own_origin
from auritas.server.guard.rates import Limiter, RateClass, Rates, address_of
from auritas.server.guard.refusals import Refusal
from auritas.server.guard.request import Request

NONCE = "auritas.nonce"
"""Where the guard leaves the nonce of an answer in the ASGI scope."""
_NONCE_BYTES = 16
_INSTALL = Caller("install", LOCAL, frozenset({Allowed.ADMIN}))


@dataclass(frozen=True, slots=True)
class Passed:
    """A request that may go on. caller: None at an open door."""

    door: Door | None
    caller: Caller | None


class Guard:
    """Pure ASGI middleware around the whole application."""

    def __init__(
        self,
        app: ASGIApp,
        household: Household,
        doors: Doors,
        *,
        names: Collection[str] = LOOPBACK,
        proxies: Collection[str] = (),
        rates: Rates | None = None,
        clock: Clock | None = None,
        entropy: Entropy | None = None,
    ) -> None:
        self._app, self._household, self._doors = app, household, doors
        self._names, self._proxies = frozenset(names), frozenset(proxies)
        self._limiter = Limiter(rates or Rates())
        self._clock, self._entropy = clock or SystemClock(), entropy or SystemEntropy()
        self._install = InstallToken(household.settings.home, self._entropy)
        self._cookie = cookie_name(household.settings.home)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or answer it."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            await self._http(scope, receive, send)
        else:  # there are no web sockets here
            await send({"type": "websocket.close", "code": 1008})

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        nonce = self._entropy.token(_NONCE_BYTES).hex()

        async def secured(message: Message) -> None:
            await send(with_headers(message, nonce))

        head = scope["method"] == "HEAD"
        verdict = self._verdict(Request(scope))
        if isinstance(verdict, Refusal):
            await verdict.send(secured, scope["path"], with_body=not head)
            return
        inner: Scope = {**scope, NONCE: nonce}
        if verdict.caller is not None:
            inner[CALLER] = verdict.caller
        at_most = verdict.door.body_at_most if verdict.door else BODY_AT_MOST
        if head:
            await answer_head(self._app, inner, secured)
        else:
            await self._pass(inner, counted(receive, at_most), secured, at_most)

    async def _pass(self, scope: Scope, receive: Receive, send: Send, at_most: int) -> None:
        request, caller = Request(scope), scope.get(CALLER)
        try:
            if caller is None:
                await self._app(scope, receive, send)
            else:
                await Lasting(receive, send, lambda: self._still(request, caller)).answer(self._app, scope)
        except HTTPException as error:  # from a mounted application that let the counter's error through
            if error.status_code != refusals.too_large(at_most).status:
                raise
            await refusals.too_large(at_most).send(send, request.path)

    # --- the lines, in their order -----------------------------------------------------------------------------------

    def _verdict(self, request: Request) -> Passed | Refusal:
        if not is_ours(request.all(b"host"), self._names, request.port, request.scheme):
            return refusals.MISDIRECTED
        door = self._doors.at(request.path, request.method)
        if self._foreign(request, door):
            return refusals.FOREIGN
        try:
            caller = self._let_in(request, door)
        except AuritasError as error:
            return refusals.from_error(error)
        if isinstance(caller, Refusal):
            return caller
        return self._limited(request, door, caller) or self._too_large(request, door) or Passed(door, caller)

    def _foreign(self, request: Request, door: Door | None) -> bool:
        """Whether another page wants to change something or follow a stream; preflights are all turned away."""
        if request.method == "OPTIONS":
            return True
        if request.method in SAFE and not (door and door.stream) and not request.wants_stream:
            return False
        own = own_origin(request.scheme, request.first(b"host"))
        return not is_welcome(request.all(b"sec-fetch-site"), request.all(b"origin"), own)

    def _let_in(self, request: Request, door: Door | None) -> Caller | Refusal | None:
        if door is not None and door.open:
            return self._known(request) if door.looks else None
        what = self._shown(request)
        caller = self._who(what)
        if caller is _INSTALL:
            return caller
        if caller is None:
            return self._turned_away(request, what)
        _require(caller, door)
        return caller

    def _shown(self, request: Request) -> Shown | None:
        return shown(request.all(b"authorization"), request.all(b"cookie"), self._cookie)

    def _known(self, request: Request) -> Caller | None:
        """Return who calls at a door that lets everybody through; nobody where the store is locked."""
        try:
            return self._who(self._shown(request))
        except AuritasError:
            return None

    def _still(self, request: Request, caller: Caller) -> bool:
        """Whether what a request has shown still lets the same caller in."""
        try:
            found = self._who(self._shown(request))
        except AuritasError:
            return False
        return found is not None and found.id == caller.id

    def _who(self, what: Shown | None) -> Caller | None:
        """Return who shows this, None for nobody who is let in. Raises LockedError and GoneError."""
        if what is not None and what.bearer and any(self._install.matches(secret) for secret in what.secrets):
            return _INSTALL
        self._household.require_open()
        return self._caller(what)

    def _caller(self, what: Shown | None) -> Caller | None:
        if what is None:
            return None
        found = (self._household.access.check(secret) for secret in what.secrets)
        # A browser's session is no token for programs, and the other way round.
        return next((caller for caller in found if caller is not None and caller.session is not what.bearer), None)

    def _turned_away(self, request: Request, what: Shown | None) -> Refusal:
        how = "missing" if what is None else "bearer" if what.bearer else "cookie"
        self._household.access.refused(how)
        if what is None:
            return refusals.NOT_LET_IN
        address = address_of(request.client, request.all(b"x-forwarded-for"), self._proxies)
        wait_s = self._limiter.wait_s(address, RateClass.FAILURES, self._clock.monotonic())
        return refusals.too_often(wait_s) if wait_s else refusals.NOT_LET_IN

    def _limited(self, request: Request, door: Door | None, caller: Caller | None) -> Refusal | None:
        if caller is None:
            return None
        kind = door.rate(request.method) if door else RateClass.READS
        wait_s = self._limiter.wait_s(caller.id, kind, self._clock.monotonic())
        return refusals.too_often(wait_s) if wait_s else None

    def _too_large(self, request: Request, door: Door | None) -> Refusal | None:
        at_most = door.body_at_most if door else BODY_AT_MOST
        length = announced(request.all(b"content-length"))
        return None if 0 <= length <= at_most else refusals.too_large(at_most)


def _require(caller: Caller, door: Door | None) -> None:
    """Hold the rule of a door before anything is counted; routes hold it once more. Raises ForbiddenError."""
    if door is None:
        return
    needed = door.scope if door.ruled else Allowed.ADMIN
    if needed is not None and not caller.may(needed):
        raise ForbiddenError(needed)


def guarded(
    app: FastAPI,
    household: Household,
    *,
    names: Collection[str] = LOOPBACK,
    proxies: Collection[str] = (),
    rates: Rates | None = None,
    clock: Clock | None = None,
    entropy: Entropy | None = None,
) -> ASGIApp:
    """Return `app` behind its guard.

    names: those by which the server may be called, in small letters, IPv6 addresses in brackets. proxies: addresses of
    proxies whose X-Forwarded-For counts. rates: how often each caller may ask. `app.state.handover` makes one-time
    addresses from then on.
    """
    app.state.handover = Handover(clock, entropy)
    return Guard(
        app,
        household,
        Doors(app),
        names=names,
        proxies=proxies,
        rates=rates,
        clock=clock,
        entropy=entropy,
    )
