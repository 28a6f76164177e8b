"""First line: whom a request believes it talks to. A page that renamed itself to 127.0.0.1 still says its own name."""

import re
from collections.abc import Collection
from dataclasses import dataclass

LOOPBACK = frozenset({"127.0.0.1", "localhost", "[::1]"})
_HOST = re.compile(r"(?P<name>\[[0-9a-f:.]{2,45}\]|[a-z0-9_.-]{1,253})(?::(?P<port>[0-9]{1,5}))?", re.IGNORECASE)
_DEFAULT_PORT = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class HostName:
    """A parsed Host header. port: None where it names none."""

    name: str
    port: int | None


def parse_host(text: str) -> HostName | None:
    """Return the name in small letters and the port, or None for what is no host (RFC 9110, section 7.2)."""
    found = _HOST.fullmatch(text)
    if found is None:
        return None
    return HostName(found["name"].lower(), None if found["port"] is None else int(found["port"]))


def is_ours(hosts: Collection[str], names: Collection[str], port: int | None, scheme: str) -> bool:
    """Whether a request is meant for this server.

    hosts: its Host headers, of which there must be exactly one. names: those that the server goes by. port: the one it
    listens at, None for a unix socket, to which no page can talk, whatever it calls itself.
    """
    if port is None:
        return True
    if len(hosts) != 1:
        return False
    host = parse_host(next(iter(hosts)))
    if host is None or host.name not in names:
        return False
    return port == (_DEFAULT_PORT.get(scheme) if host.port is None else host.port)
