"""The one HTTP client of the process: pooled, created on first use, unable to send what is not written down first."""

import asyncio
import ipaddress
import logging
import ssl
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from http.cookiejar import CookieJar, DefaultCookiePolicy
from weakref import WeakKeyDictionary

import httpx2

from auritas import __version__
from auritas.gateway.errors import FailureKind, ProviderFailed, PurposeMissing
from auritas.gateway.model import EgressLedger, Outbound, Purpose
from auritas.kernel.errors import AuritasError, UsageError
from auritas.kernel.tasks import TaskSpawner

CONNECT_S = 10.0
"""An address that has not answered the first packets by then is out of reach."""

NO_ANSWER = "no answer"

_ERRAND = "auritas.errand"
_DEFAULT_PORTS = {"http": 80, "https": 443}
_LIMITS = httpx2.Limits(max_connections=100, max_keepalive_connections=20, keepalive_expiry=60.0)


@dataclass(slots=True)
class Errand:
    """What travels with a request to the point where it is sent. host: the name meant, where the URL holds an address.

    record_id: filled in by the transport, once the request stands in the ledger.
    """

    model: str
    purpose: Purpose
    host: str | None = None
    record_id: str | None = None


class RecordingTransport(httpx2.AsyncBaseTransport):
    """Writes each request into the egress ledger, waits for the commit, and only then sends it."""

    def __init__(self, inner: httpx2.AsyncBaseTransport, ledger: EgressLedger) -> None:
        self._inner = inner
        self._ledger = ledger

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        errand = request.extensions.get(_ERRAND)
        if not isinstance(errand, Errand):
            raise PurposeMissing
        errand.record_id = await self._ledger.record(outbound(request, errand))
        return await self._inner.handle_async_request(request)

    async def aclose(self) -> None:
        await self._inner.aclose()


class Http:
    """Sends requests through one client per event loop.

    proxy: only the user's setting; the environment's proxies and certificates are not read. Redirects are not followed
    and cookies are not kept.
    """

    def __init__(self, ledger: EgressLedger, *, proxy: str | None = None, trust: ssl.SSLContext | None = None) -> None:
        self._ledger = ledger
        self._proxy = proxy
        self._trust = trust
        self._spawner = TaskSpawner()
        self._settling: set[asyncio.Task[None]] = set()
        self._clients: WeakKeyDictionary[asyncio.AbstractEventLoop, httpx2.AsyncClient] = WeakKeyDictionary()
        # At INFO the library would log every address once more, outside of the ledger.
        logging.getLogger("httpx2").setLevel(logging.WARNING)
        logging.getLogger("httpcore2").setLevel(logging.WARNING)

    @asynccontextmanager
    async def stream(
        self,
        request: httpx2.Request,
        errand: Errand,
        *,
        transport: httpx2.AsyncBaseTransport | None = None,
    ) -> AsyncGenerator[httpx2.Response, None]:
        """Send `request` on `errand` and give its response, whose body is read inside the block.

        transport: a connection of its own instead of the pool; it is recorded likewise. Raises ProviderFailed when no
        whole response arrives, UsageError when the address is none.
        """
        request.extensions = {**request.extensions, _ERRAND: errand}
        client = self._own(transport) if transport else self._pooled()
        status = NO_ANSWER
        try:
            response = await client.send(request, stream=True)
            status = str(response.status_code)
            try:
                yield response
            finally:
                await response.aclose()
        except httpx2.TransportError as error:
            raise _failed(error, _named(request, errand)) from None
        except (httpx2.InvalidURL, httpx2.DecodingError) as error:
            raise ProviderFailed(
                f"The response of {request.url.host} cannot be read.", kind=FailureKind.GARBLED
            ) from error
        finally:
            if errand.record_id is not None:
                self._settle_later(errand.record_id, status)
            if transport:
                await client.aclose()

    async def settled(self) -> None:
        """Return when the ledger knows what came back for every request that has ended."""
        while self._settling:
            await asyncio.wait(set(self._settling))

    async def aclose(self) -> None:
        """Finish the ledger and close the connections of the running event loop."""
        await self.settled()
        client = self._clients.pop(asyncio.get_running_loop(), None)
        if client is not None:
            await client.aclose()

    def trust(self) -> ssl.SSLContext:
        """Return the certificates that are trusted, read once: that of the operating system."""
        if self._trust is None:
            self._trust = httpx2.create_ssl_context(trust_env=False)
        return self._trust

    def _settle_later(self, record_id: str, status: str) -> None:
        # Nobody waits for this write, so it shares the commit of whatever is recorded next.
        task = self._spawner.spawn("settle", self._settle(record_id, status))
        self._settling.add(task)
        task.add_done_callback(self._settling.discard)

    async def _settle(self, record_id: str, status: str) -> None:
        # The record itself is committed. If its outcome cannot be, the ledger shows that it is unknown.
        with suppress(AuritasError):
            await self._ledger.settle(record_id, status)

    def _pooled(self) -> httpx2.AsyncClient:
        loop = asyncio.get_running_loop()
        if loop not in self._clients:
            transport = httpx2.AsyncHTTPTransport(
                verify=self.trust(), trust_env=False, limits=_LIMITS, proxy=self._proxy
            )
            self._clients[loop] = self._own(transport)
        return self._clients[loop]

    def _own(self, transport: httpx2.AsyncBaseTransport) -> httpx2.AsyncClient:
        return httpx2.AsyncClient(
            transport=RecordingTransport(transport, self._ledger),
            trust_env=False,
            follow_redirects=False,
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
        )


def request(
    method: str, url: str, *, headers: Mapping[str, str], content: bytes = b"", timeout_s: float
) -> httpx2.Request:
    """Return a request that asks for an uncompressed reply. timeout_s: of each single wait for the other side.

    Raises UsageError when `url` is no HTTP address.
    """
    waits = httpx2.Timeout(timeout_s, connect=min(CONNECT_S, timeout_s))
    fixed = {"user-agent": f"auritas/{__version__}", "accept-encoding": "identity"}
    try:
        made = httpx2.Request(
            method, url, headers={**fixed, **headers}, content=content, extensions={"timeout": waits.as_dict()}
        )
    except httpx2.InvalidURL:
        made = None
    if made is None or made.url.scheme not in _DEFAULT_PORTS or not made.url.host:
        raise UsageError("That is not an HTTP address.", remedy="It starts with https:// or http:// and names a host.")
    return made


def outbound(request: httpx2.Request, errand: Errand) -> Outbound:
    """Return what the ledger writes about `request`. Nothing in it comes from a header's value."""
    shown = _named(request, errand)
    body = request.content
    target = request.url.raw_path
    headers = sum(len(name) + len(value) + 4 for name, value in request.headers.raw)
    return Outbound(
        method=request.method,
        host=shown,
        url=f"{request.url.scheme}://{shown}{request.url.path}",
        bytes_out=len(request.method) + len(target) + len("  HTTP/1.1\r\n\r\n") + headers + len(body),
        content=request.method.encode() + b" " + target + b"\n" + body,
        loopback=is_loopback(request.url.host),
        model=errand.model,
        purpose=errand.purpose,
    )


def _named(request: httpx2.Request, errand: Errand) -> str:
    """Return the host of a request as it is told, with its port where that is not the usual one."""
    host, port = errand.host or request.url.host, request.url.port
    return host if port in {None, _DEFAULT_PORTS.get(request.url.scheme)} else f"{host}:{port}"


def is_loopback(host: str) -> bool:
    """Whether `host` is this machine by its very name; other names are not looked up."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def _failed(error: httpx2.TransportError, host: str) -> AuritasError:
    match error:
        case httpx2.TimeoutException():
            return ProviderFailed(f"{host} was silent for too long.", kind=FailureKind.TIMEOUT)
        case httpx2.ConnectError() if "CERTIFICATE" in str(error).upper():
            return ProviderFailed(
                f"{host} could not prove who it is.",
                kind=FailureKind.UNREACHABLE,
                remedy="Its certificate is not trusted by this machine: check the address and the clock.",
            )
        case httpx2.ConnectError() | httpx2.ProxyError():
            return ProviderFailed(
                f"{host} cannot be reached.",
                kind=FailureKind.UNREACHABLE,
                remedy="Check that it runs, that the address is right and that the network is up.",
            )
        case httpx2.UnsupportedProtocol():
            return UsageError(f"{host} is not an HTTP address.", remedy="It starts with https:// or http://.")
        case _:
            return ProviderFailed(f"The connection to {host} broke.", kind=FailureKind.CUT)
