"""Identifiers: UUID version 7 (RFC 9562), so that text order is creation order, and short trace ids."""

import uuid
from typing import Protocol

from auritas.kernel.clock import Clock
from auritas.kernel.randomness import Rng

TRACE_ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789"
TRACE_ID_PATTERN = r"^tr_[a-z0-9]{12}$"

_RANDOM_BITS = 62
_FRACTION_BITS = 12
_VERSION = 7
_VARIANT = 0b10


class Ids(Protocol):
    """The only maker of identifiers."""

    def new(self) -> str:
        """Return a fresh UUIDv7 in canonical text form."""

    def trace(self) -> str:
        """Return a fresh trace id: `tr_` and twelve characters of a-z and 0-9."""


class TimeOrderedIds:
    """UUIDv7 from a clock and a generator: equal seeds and times give equal ids."""

    def __init__(self, clock: Clock, rng: Rng) -> None:
        self._clock = clock
        self._rng = rng

    def new(self) -> str:
        # RFC 9562 section 6.2, method 3: the twelve bits after the version hold the fraction of the millisecond.
        micros = int(self._clock.now().timestamp() * 1_000_000)
        millis, rest = divmod(micros, 1000)
        fraction = rest * (1 << _FRACTION_BITS) // 1000
        value = millis << 80 | _VERSION << 76 | fraction << 64 | _VARIANT << 62 | self._rng.bits(_RANDOM_BITS)
        return str(uuid.UUID(int=value))

    def trace(self) -> str:
        value = self._rng.bits(_RANDOM_BITS)
        digits = []
        for _ in range(12):
            value, digit = divmod(value, len(TRACE_ALPHABET))
            digits.append(TRACE_ALPHABET[digit])
        return "tr_" + "".join(digits)
