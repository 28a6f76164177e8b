"""What every test stands on: no connection off the loopback, and doubles with a fixed seed."""

import ipaddress
import os
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from auritas.kernel.clock import ManualClock
from auritas.kernel.ids import TimeOrderedIds
from auritas.kernel.randomness import SeededRng

# Commands under test keep their compiled modules: without them each compiles three hundred files before it begins.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# No test may fail because the machine is slow. On CI the examples are the same for every run of one commit; on a
# developer's machine each run tries others.
settings.register_profile("auritas", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "auritas")

_GUARDED = frozenset({"socket.connect", "socket.sendto", "socket.getaddrinfo"})
_LOCAL_NAMES = frozenset({"localhost", "", "None"})


def _is_local(host: object) -> bool:
    name = host.decode() if isinstance(host, bytes) else str(host)
    if name in _LOCAL_NAMES:
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def _refuse_the_network(event: str, args: tuple[object, ...]) -> None:
    # pytest-socket lets UDP and name look-ups through; an audit hook sees every socket of this process.
    if event not in _GUARDED:
        return
    if event == "socket.getaddrinfo":
        host = args[0]
    else:
        address = args[1]
        if isinstance(address, (str, bytes)):
            return  # a unix socket
        host = address[0] if isinstance(address, tuple) else address
    if not _is_local(host):
        msg = f"a test tried to reach {host!r} through {event}"
        raise PermissionError(msg)


sys.addaudithook(_refuse_the_network)


@pytest.fixture(autouse=True)
def _isolated_home(tmp_path: Path) -> Iterator[None]:
    """Give each test its own data folder, also in the processes it starts."""
    before = dict(os.environ)
    os.environ["AURITAS_HOME"] = str(tmp_path / "home")
    os.environ["PYTHON_KEYRING_BACKEND"] = "keyring.backends.null.Keyring"
    yield
    os.environ.clear()
    os.environ.update(before)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def rng() -> SeededRng:
    return SeededRng(7)


@pytest.fixture
def ids(clock: ManualClock, rng: SeededRng) -> TimeOrderedIds:
    return TimeOrderedIds(clock, rng)


@pytest.fixture
def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])
