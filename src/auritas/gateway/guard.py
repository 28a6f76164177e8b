"""Decides whether an address that came from data may be fetched.

The address is parsed once, its name is resolved once, and the connection goes to the very address that was checked, so
that neither two readings of one text nor a name that changes its mind can lead inside. Every redirect is checked anew.
Sources: IANA special-purpose address registries (RFC 6890 and its successors); WHATWG URL Standard for what counts as
a number; RFC 4291, 4380, 6052, 8215 and 3056 for IPv4 addresses inside IPv6 ones.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import Protocol
from urllib.parse import urlsplit

from auritas.gateway.errors import AddressRefused

DEFAULT_PORTS = {"http": 80, "https": 443}
MAX_URL_CHARACTERS = 2_048

_FORBIDDEN = re.compile(r"[\x00-\x20\x7f\\<>^`{|}\"]")
_LABEL = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?")
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")
_DOTTED_QUAD = re.compile(r"(0|[1-9][0-9]{0,2})(\.(0|[1-9][0-9]{0,2})){3}")
_MAX_NAME = 253

_INSIDE_NAMES = frozenset(
    {"localhost", "local", "localdomain", "internal", "intranet", "lan", "home", "corp", "private", "arpa", "onion"}
    | {"test", "example", "invalid", "alt"}
)

_V4_REFUSED = {
    IPv4Network("0.0.0.0/8"): "this network",
    IPv4Network("10.0.0.0/8"): "a private network",
    IPv4Network("100.64.0.0/10"): "a carrier's inner network",
    IPv4Network("127.0.0.0/8"): "this machine",
    IPv4Network("169.254.0.0/16"): "link-local",
    IPv4Network("172.16.0.0/12"): "a private network",
    IPv4Network("192.0.0.0/24"): "reserved for protocols",
    IPv4Network("192.0.2.0/24"): "documentation",
    IPv4Network("192.31.196.0/24"): "reserved for name servers",
    IPv4Network("192.52.193.0/24"): "reserved for relays",
    IPv4Network("192.88.99.0/24"): "an IPv6 relay",
    IPv4Network("192.168.0.0/16"): "a private network",
    IPv4Network("192.175.48.0/24"): "reserved for name servers",
    IPv4Network("198.18.0.0/15"): "a test network",
    IPv4Network("198.51.100.0/24"): "documentation",
    IPv4Network("203.0.113.0/24"): "documentation",
    IPv4Network("224.0.0.0/4"): "multicast",
    IPv4Network("240.0.0.0/4"): "reserved",
}

_V6_REFUSED = {
    IPv6Network("::/128"): "no address",
    IPv6Network("::1/128"): "this machine",
    IPv6Network("::ffff:0:0/96"): "an IPv4 address in disguise",
    IPv6Network("::/96"): "an IPv4 address in disguise",
    IPv6Network("::ffff:0:0:0/96"): "an IPv4 address in disguise",
    IPv6Network("64:ff9b::/96"): "an IPv4 address behind NAT64",
    IPv6Network("64:ff9b:1::/48"): "an IPv4 address behind NAT64",
    IPv6Network("2001::/32"): "an IPv4 address behind Teredo",
    IPv6Network("2001::/23"): "reserved for protocols",
    IPv6Network("2001:db8::/32"): "documentation",
    IPv6Network("2002::/16"): "an IPv4 address behind 6to4",
    IPv6Network("2620:4f:8000::/48"): "reserved for name servers",
    IPv6Network("3fff::/20"): "documentation",
    IPv6Network("fc00::/7"): "a private network",
    IPv6Network("fe80::/10"): "link-local",
    IPv6Network("fec0::/10"): "site-local",
    IPv6Network("ff00::/8"): "multicast",
}
_V6_GLOBAL = IPv6Network("2000::/3")
_ISATAP = (0x00005EFE, 0x02005EFE)


class Resolver(Protocol):
    """Looks up names."""

    async def resolve(self, host: str) -> Sequence[str]:
        """Return the addresses of `host`, preferred first; empty when there are none."""


@dataclass(frozen=True, slots=True)
class Target:
    """A parsed address. path: with the query, without the fragment; always ASCII and beginning with a slash."""

    scheme: str
    host: str
    port: int
    path: str

    @property
    def authority(self) -> str:
        """What stands in the Host header."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == DEFAULT_PORTS[self.scheme] else f"{host}:{self.port}"

    @property
    def url(self) -> str:
        """The address as text."""
        return f"{self.scheme}://{self.authority}{self.path}"


@dataclass(frozen=True, slots=True)
class Pinned:
    """A target with the one address that was checked and will be connected to."""

    target: Target
    address: str


@dataclass(frozen=True, slots=True)
class Guard:
    """Checks addresses. ports: allowed ones; a page of the web needs no other than the scheme's own."""

    resolver: Resolver
    ports: frozenset[int] = frozenset(DEFAULT_PORTS.values())

    async def check(self, url: str) -> Pinned:
        """Return where to connect for `url`. Raises AddressRefused, naming the reason.

        When a name has several addresses, all of them must be allowed: a mixture is how a name is made to change.
        """
        target = parse(url, self.ports)
        literal = _literal(target.host)
        addresses = [target.host] if literal else await self.resolver.resolve(target.host)
        if not addresses:
            raise AddressRefused(f"{target.host} has no address.")
        for address in addresses:
            reason = refusal(address)
            if reason is not None:
                raise AddressRefused(f"{target.host} leads to {address}, which is {reason}.")
        return Pinned(target, addresses[0])


def parse(url: str, ports: frozenset[int] = frozenset(DEFAULT_PORTS.values())) -> Target:
    """Return the parts of `url`, or raise AddressRefused for anything that two parsers could read differently."""
    if len(url) > MAX_URL_CHARACTERS:
        raise AddressRefused("it is too long.")
    if _FORBIDDEN.search(url) or not url.isprintable():
        raise AddressRefused("it holds characters that have no place in an address.")
    try:
        parts = urlsplit(url)
        port, name = parts.port, parts.hostname
    except ValueError:
        raise AddressRefused("it cannot be read.") from None
    scheme = parts.scheme.lower()
    if scheme not in DEFAULT_PORTS:
        raise AddressRefused("it is not http or https.")
    if "@" in parts.netloc:
        raise AddressRefused("it holds a user name.")
    if not name or "%" in parts.netloc:
        raise AddressRefused("it names no host.")
    port = DEFAULT_PORTS[scheme] if port is None else port
    if port not in ports:
        raise AddressRefused(f"port {port} is not one of the web's.")
    host = _host(name, bracketed="[" in parts.netloc)
    if host is None:
        raise AddressRefused("its host is written in a form that hides where it leads.")
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    if not path.isascii():
        raise AddressRefused("its path is not encoded.")
    return Target(scheme, host, port, path if path.startswith("/") else f"/{path}")


def refusal(address: str) -> str | None:
    """Return why a connection to `address` is refused, or None when it lies on the public internet."""
    try:
        ip = ip_address(address)
    except ValueError:
        return "no address"
    if isinstance(ip, IPv4Address):
        return _refused_v4(ip)
    return _refused_v6(ip)


def _refused_v4(ip: IPv4Address) -> str | None:
    reason = next((why for network, why in _V4_REFUSED.items() if ip in network), None)
    return reason or (None if ip.is_global else "not public")


def _refused_v6(ip: IPv6Address) -> str | None:
    if ip.scope_id is not None:
        return "bound to one interface"
    reason = next((why for network, why in _V6_REFUSED.items() if ip in network), None)
    if reason is None and (int(ip) >> 32) & 0xFFFFFFFF in _ISATAP:
        reason = "an IPv4 address behind ISATAP"
    if reason is None and (ip not in _V6_GLOBAL or not ip.is_global):
        reason = "not public"
    return reason


def _host(name: str, *, bracketed: bool) -> str | None:
    """Return the host in its one form, or None when it is a number in any but the plain form, or no name at all."""
    if bracketed:
        try:
            return str(IPv6Address(name))
        except ValueError:
            return None
    try:
        host = name.encode("idna").decode("ascii").lower().removesuffix(".")
    except UnicodeError:
        return None
    labels = host.split(".")
    if _NUMBER.fullmatch(labels[-1]):
        return host if _DOTTED_QUAD.fullmatch(host) and _literal(host) else None
    if len(labels) == 1 or labels[-1] in _INSIDE_NAMES or len(host) > _MAX_NAME:
        return None
    return host if all(_LABEL.fullmatch(label) for label in labels) else None


def _literal(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True
