"""The connection of a command to the server of the same home. Nothing of it leaves the machine: no ledger lists it."""

import json
import logging
import ssl
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import httpx2

from auritas.kernel.errors import UnavailableError

CONNECT_S = 2.0
"""A server on this machine that has not taken a connection by then does not work."""
ANSWER_S = 30.0
"""Of a request that is no stream; the streams beat every fifteen seconds."""
_DATA = "data: "
_BAD = 400


class OutOfReachError(UnavailableError):
    """The server does not answer."""

    code = "server_out_of_reach"

    def __init__(self) -> None:
        super().__init__("The server does not answer.", remedy="Stop it and start it again: auritas serve")


class BrokenOffError(UnavailableError):
    """The connection broke off after something was sent: nobody knows what the server has done with it."""

    code = "server_broke_off"

    def __init__(self) -> None:
        super().__init__(
            "The connection to the server broke off.", remedy="See whether it still runs: auritas open. Then ask again."
        )


@dataclass(frozen=True, slots=True)
class Refusal(Exception):  # noqa: N818  an answer of the server, which its caller turns into the error meant
    """The server answered with an error."""

    status: int
    code: str
    message: str
    remedy: str


class Attached:
    """Talks to one server. token: lets the command in. unix: its socket; certificate: the file by which it is known."""

    def __init__(self, url: str, token: str, *, unix: str | None = None, certificate: str | None = None) -> None:
        for name in ("httpx2", "httpcore2"):  # at INFO they would write every address to a log
            logging.getLogger(name).setLevel(logging.WARNING)
        place = urlsplit(url)
        # A name such as localhost is looked up; this machine is where the server is, whatever its certificate says.
        headers = {"authorization": f"Bearer {token}"}
        transport = httpx2.AsyncHTTPTransport(verify=_trust(certificate), trust_env=False, uds=unix)
        timeout = httpx2.Timeout(ANSWER_S, connect=CONNECT_S)
        self._client = httpx2.AsyncClient(
            base_url=f"{place.scheme}://{place.netloc}",
            headers=headers,
            transport=transport,
            timeout=timeout,
            trust_env=False,
        )

    async def get(self, path: str) -> Any:
        """Return a document. Raises OutOfReachError, BrokenOffError and Refusal."""
        return json.loads(await self._answer("GET", path))

    async def post(self, path: str, document: Any = None) -> Any:
        """Send a document and return the one that comes back. Raises OutOfReachError, BrokenOffError and Refusal."""
        return json.loads(await self._answer("POST", path, document))

    async def delete(self, path: str) -> None:
        """Ask for the end of something. Raises OutOfReachError, BrokenOffError and Refusal."""
        await self._answer("DELETE", path)

    async def _answer(self, method: str, path: str, document: Any = None) -> bytes:
        try:
            response = await self._client.request(method, path, json=document)
        except httpx2.TransportError as error:
            raise _failed(error) from None
        _check(response.status_code, response.content)
        return response.content

    async def frames(self, path: str) -> AsyncGenerator[bytes, None]:
        """Yield the data of each event of a stream. Raises OutOfReachError, BrokenOffError and Refusal."""
        try:
            async with self._client.stream("GET", path) as response:
                if response.status_code >= _BAD:
                    _check(response.status_code, await response.aread())
                async for line in response.aiter_lines():
                    if line.startswith(_DATA):
                        yield line.removeprefix(_DATA).encode()
        except httpx2.TransportError as error:
            raise _failed(error) from None

    async def aclose(self) -> None:
        """Close the connection."""
        await self._client.aclose()


def _failed(error: httpx2.TransportError) -> UnavailableError:
    never_sent = isinstance(error, httpx2.ConnectError | httpx2.ConnectTimeout)
    return OutOfReachError() if never_sent else BrokenOffError()


def _trust(certificate: str | None) -> ssl.SSLContext | bool:
    """Return what the server must show: the very certificate it was started with, under whatever name."""
    if certificate is None:
        return False  # plain HTTP on the loopback: there is nothing to show
    try:
        context = ssl.create_default_context(cafile=certificate)
    except (OSError, ssl.SSLError) as error:
        raise OutOfReachError from error
    context.check_hostname = False
    context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
    return context


def _check(status: int, content: bytes) -> None:
    if status < _BAD:
        return
    try:
        said = json.loads(content)["error"]
        raise Refusal(status, str(said["code"]), str(said["message"]), str(said.get("remedy", "")))
    except (ValueError, KeyError, TypeError):
        raise OutOfReachError from None
