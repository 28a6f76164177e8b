"""How a browser is let in the first time: by an address that works once, for two minutes."""

import hashlib
from dataclasses import dataclass
from threading import Lock

from auritas.app.access import LOCAL, secret_of
from auritas.kernel.clock import Clock, SystemClock
from auritas.kernel.randomness import Entropy, SystemEntropy

LASTS_S = 120.0
AT_ONCE = 100
"""Addresses that wait to be opened; the oldest gives way."""


@dataclass(frozen=True, slots=True)
class _Waiting:
    owner: str
    until: float


class Handover:
    """Codes that wait to be opened. They live in this process alone, and only their hashes are kept."""

    def __init__(self, clock: Clock | None = None, entropy: Entropy | None = None) -> None:
        self._clock, self._entropy = clock or SystemClock(), entropy or SystemEntropy()
        self._waiting: dict[bytes, _Waiting] = {}
        self._lock = Lock()

    def new(self, owner: str = LOCAL) -> str:
        """Return a code of 256 bits that lets one browser in as `owner`."""
        code = secret_of(self._entropy, "")
        with self._lock:
            while len(self._waiting) >= AT_ONCE:
                del self._waiting[next(iter(self._waiting))]
            self._waiting[_key(code)] = _Waiting(owner, self._clock.monotonic() + LASTS_S)
        return code

    def path(self, owner: str = LOCAL) -> str:
        """Return the path of a new one-time address."""
        return f"/open/{self.new(owner)}"

    def take(self, code: str) -> str | None:
        """Use a code up and return whom it lets in; None for one that was used, is too old, or never was."""
        with self._lock:
            found = self._waiting.pop(_key(code), None)
        return found.owner if found is not None and self._clock.monotonic() < found.until else None


def _key(code: str) -> bytes:
    # Looked up by hash: how long that takes says nothing about the code.
    return hashlib.sha256(code.encode("utf-8", "surrogatepass")).digest()
