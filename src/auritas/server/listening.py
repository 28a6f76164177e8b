"""Where a server listens: on the loopback or a socket of its own, and elsewhere only when everything is said."""

import errno
import os
import socket
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path

from auritas.kernel.errors import RefusedError, UnavailableError, UsageError
from auritas.server.guard.hosts import LOOPBACK

PORT = 7117
_FURTHER = 100
"""Ports that are tried after a taken one."""
_ANY = frozenset({"0.0.0.0", "::"})  # noqa: S104  compared with, never bound to unasked
_NOBODY_ELSE = 0o177
_IPV6 = 6


class ExposedError(RefusedError):
    """An address that others can reach was asked for without everything that it takes."""

    code = "not_exposed"

    def __init__(self, host: str, missing: list[str]) -> None:
        super().__init__(
            f"At {host} others can reach the server, and {' and '.join(missing)} {_is(missing)} missing.",
            remedy="Give --tls-cert FILE, --tls-key FILE and --expose, or leave --host out.",
        )


def _is(missing: list[str]) -> str:
    return "is" if len(missing) == 1 else "are"


class NoAddressError(UnavailableError):
    """The address cannot be had."""

    code = "no_address"


@dataclass(frozen=True, slots=True)
class Binding:
    """Where to listen. port: None takes the usual one, or the next that is free. expose: others may reach it.

    Raises ExposedError where others could reach it and TLS or the explicit wish is missing, UsageError for half a
    certificate.
    """

    host: str = "127.0.0.1"
    port: int | None = None
    unix: Path | None = None
    certificate: Path | None = None
    key: Path | None = None
    expose: bool = False

    def __post_init__(self) -> None:
        given = {"--tls-cert": self.certificate, "--tls-key": self.key, "--expose": self.expose}
        missing = [name for name, value in given.items() if not value]
        if self.unix is None and not is_loopback(self.host) and missing:
            raise ExposedError(self.host, missing)
        if (self.certificate is None) != (self.key is None):
            raise UsageError("A certificate and its key belong together.", remedy="Give --tls-cert and --tls-key.")
        for file in (self.certificate, self.key):
            if file is not None and not file.is_file():
                raise UsageError(f"There is no file {file}.", remedy="Check its path.")

    @property
    def names(self) -> frozenset[str]:
        """What a request may call the server: this machine, its address, and the names in its certificate."""
        said = set() if self.host in _ANY else {f"[{self.host}]" if ":" in self.host else self.host.lower()}
        return LOOPBACK | said | (_certified(self.certificate) if self.certificate else frozenset())

    @property
    def scheme(self) -> str:
        """How it is spoken to."""
        return "https" if self.certificate else "http"


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches `host`."""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def _certified(certificate: Path) -> frozenset[str]:
    """Return the names that a certificate is for (RFC 5280, section 4.2.1.6). Raises UsageError where it is none."""
    from cryptography.x509 import (
        DNSName,
        ExtensionNotFound,
        IPAddress,
        SubjectAlternativeName,
        load_pem_x509_certificate,
    )

    try:
        found = load_pem_x509_certificate(certificate.read_bytes())
        named = found.extensions.get_extension_for_class(SubjectAlternativeName).value
    except ExtensionNotFound:
        return frozenset()
    except (OSError, ValueError):
        raise UsageError(
            f"{certificate} is no certificate in PEM.", remedy="Give the file of the certificate."
        ) from None
    addresses = named.get_values_for_type(IPAddress)
    shown = (f"[{each}]" if each.version == _IPV6 else str(each) for each in addresses)
    return frozenset((*(name.lower() for name in named.get_values_for_type(DNSName)), *shown))


@dataclass(frozen=True, slots=True)
class Listener:
    """An address that is ours. url: for a browser on this machine."""

    url: str
    sockets: tuple[socket.socket, ...]


@contextmanager
def bound(binding: Binding) -> Iterator[Listener]:
    """Take the address and give it back. Raises NoAddressError where it cannot be had."""
    sock = _unix(binding.unix) if binding.unix else _tcp(binding)
    try:
        yield Listener(_url(binding, sock), (sock,))
    finally:
        sock.close()
        if binding.unix:
            with suppress(OSError):
                binding.unix.unlink(missing_ok=True)


def _url(binding: Binding, sock: socket.socket) -> str:
    if binding.unix:
        return "http://localhost"
    host = binding.host if binding.host not in _ANY else "localhost"
    shown = f"[{host}]" if ":" in host else host
    return f"{binding.scheme}://{shown}:{sock.getsockname()[1]}"


def _tcp(binding: Binding) -> socket.socket:
    first = PORT if binding.port is None else binding.port
    last = first + _FURTHER if binding.port is None else first
    for port in range(first, last + 1):
        try:
            return _listening(binding.host, port)
        except OSError as error:
            if error.errno == errno.EADDRINUSE and port < last:
                continue
            why = error.strerror or "it is not known"
            raise NoAddressError(
                f"The address {binding.host}:{port} cannot be had: {why}.",
                remedy="Choose another: auritas serve --port 7200",
            ) from None
    raise AssertionError  # the range is never empty


def _listening(host: str, port: int) -> socket.socket:
    family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    sock = socket.socket(family, kind, protocol)
    try:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind(address)
        sock.listen()  # now, so that of two programs that try at once one fails here
    except BaseException:
        sock.close()
        raise
    return sock


def _unix(path: Path) -> socket.socket:
    sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        _clear(path)
        before = os.umask(_NOBODY_ELSE)
        try:
            sock.bind(str(path))
        finally:
            os.umask(before)
        sock.listen()
    except OSError as error:
        sock.close()
        raise NoAddressError(
            f"The socket {path} cannot be had: {error.strerror or error}.", remedy="Choose another path for --unix."
        ) from None
    return sock


def _clear(path: Path) -> None:
    """Remove a socket at which nobody listens any more. Raises OSError while somebody does, or for another file."""
    try:
        if not stat.S_ISSOCK(path.stat().st_mode):
            raise FileExistsError(errno.EEXIST, "another file is there")
    except FileNotFoundError:
        return
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        try:
            probe.connect(str(path))
        except ConnectionRefusedError:
            path.unlink(missing_ok=True)
            return
    raise OSError(errno.EADDRINUSE, "another program listens there")
