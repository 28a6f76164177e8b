"""Fetches pages whose addresses came from data: guarded, pinned, limited in size, time and redirects."""

import asyncio
import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from ipaddress import ip_address
from urllib.parse import urljoin

import httpx2

from auritas.gateway.adapters.http import Errand, Http, request
from auritas.gateway.errors import AddressRefused, FetchFailed
from auritas.gateway.guard import Guard, Pinned, Target, parse
from auritas.gateway.model import Purpose

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_FETCHER = "fetch"


@dataclass(frozen=True, slots=True)
class FetchLimits:
    """What one page may take: bytes of its body, seconds in all, and redirects."""

    max_bytes: int = 2 * 1024 * 1024
    seconds: float = 20.0
    redirects: int = 5


@dataclass(frozen=True, slots=True)
class Fetched:
    """A page as it was served. hops: every address that was asked, in order; the last one served it."""

    url: str
    status: int
    content_type: str
    body: bytes
    hops: tuple[str, ...]


class SystemResolver:
    """The operating system's name look-up."""

    async def resolve(self, host: str) -> Sequence[str]:
        try:
            found = await asyncio.get_running_loop().getaddrinfo(host, None, type=socket.SOCK_STREAM)
        except OSError:
            return ()
        return tuple(dict.fromkeys(str(entry[4][0]) for entry in found))


class GuardedFetch:
    """Fetches by GET, writing each hop into the egress ledger before it is sent.

    connect: makes the transport of one hop; a test puts its own servers behind public addresses with it.
    """

    def __init__(
        self,
        http: Http,
        guard: Guard,
        limits: FetchLimits | None = None,
        connect: Callable[[Pinned], httpx2.AsyncBaseTransport] | None = None,
    ) -> None:
        self._http = http
        self._guard = guard
        self._limits = limits or FetchLimits()
        self._connect = connect or self._fresh

    async def fetch(self, url: str, purpose: Purpose) -> Fetched:
        """Return the page at `url`, redirects followed. Raises AddressRefused, FetchFailed, ProviderFailed."""
        try:
            async with asyncio.timeout(self._limits.seconds):
                return await self._followed(url, purpose)
        except TimeoutError:
            raise FetchFailed(
                f"The page was not complete within {self._limits.seconds:g} s.", remedy="Give the text as a file."
            ) from None

    async def _followed(self, url: str, purpose: Purpose) -> Fetched:
        hops: list[str] = []
        while len(hops) <= self._limits.redirects:
            pinned = await self._guard.check(url)
            hops.append(pinned.target.url)
            found = await self._hop(pinned, purpose, tuple(hops))
            if isinstance(found, Fetched):
                return found
            url = self._next(pinned.target, found)
        raise FetchFailed("The page redirects without end.", remedy="Give the address that it should lead to.")

    def _next(self, here: Target, location: str) -> str:
        url = urljoin(here.url, location)
        if here.scheme == "https" and parse(url, self._guard.ports).scheme == "http":
            raise AddressRefused("it leads from an encrypted connection to an open one.")
        return url

    async def _hop(self, pinned: Pinned, purpose: Purpose, hops: tuple[str, ...]) -> Fetched | str:
        outgoing = self._request(pinned)
        errand = Errand(_FETCHER, purpose, host=pinned.target.host)
        async with self._http.stream(outgoing, errand, transport=self._connect(pinned)) as response:
            location = response.headers.get("location")
            if response.status_code in _REDIRECTS and location:
                return str(location)
            body = await self._body(response)
            kind = response.headers.get("content-type", "")
            return Fetched(pinned.target.url, response.status_code, kind, body, hops)

    def _request(self, pinned: Pinned) -> httpx2.Request:
        target = pinned.target
        address = f"[{pinned.address}]" if ip_address(pinned.address).version == 6 else pinned.address  # noqa: PLR2004  the version's own number
        outgoing = request(
            "GET",
            f"{target.scheme}://{address}:{target.port}{target.path}",
            headers={"host": target.authority, "accept": "text/html, text/plain, application/json;q=0.9, */*;q=0.5"},
            timeout_s=self._limits.seconds,
        )
        # The certificate must be that of the name, though the connection goes to the address.
        outgoing.extensions = {**outgoing.extensions, "sni_hostname": target.host}
        return outgoing

    async def _body(self, response: httpx2.Response) -> bytes:
        if response.headers.get("content-encoding", "identity").lower() != "identity":
            raise FetchFailed("The page came compressed, though that was declined.", remedy="Give the text as a file.")
        body = bytearray()
        async for chunk in response.aiter_raw():
            body += chunk
            if len(body) > self._limits.max_bytes:
                raise FetchFailed(
                    f"The page is larger than {self._limits.max_bytes} bytes.", remedy="Give the text as a file."
                )
        return bytes(body)

    def _fresh(self, pinned: Pinned) -> httpx2.AsyncBaseTransport:
        # A connection of its own: a pooled one would be shared between names that live at one address.
        del pinned
        return httpx2.AsyncHTTPTransport(
            verify=self._http.trust(),
            trust_env=False,
            limits=httpx2.Limits(max_connections=1, max_keepalive_connections=0),
        )


def complete(page: Fetched) -> bool:
    """Whether the server says that this is the page, and no error."""
    return page.status == HTTPStatus.OK
