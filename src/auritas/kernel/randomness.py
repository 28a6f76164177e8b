"""Two sources of chance, kept apart: one that can be replayed, and one that must never be."""

import random
import secrets
from typing import Protocol


class Rng(Protocol):
    """Chance that shapes behaviour (jitter, the random part of ids); one seed gives one history."""

    def uniform(self) -> float:
        """Return a number in [0, 1)."""

    def bits(self, count: int) -> int:
        """Return an integer of `count` random bits."""


class Entropy(Protocol):
    """Secret randomness for keys, salts and tokens. It has no deterministic double on purpose."""

    def token(self, length: int) -> bytes:
        """Return `length` bytes from the operating system's generator."""


class SeededRng:
    """A replayable generator. Without a seed it starts from the operating system's entropy."""

    def __init__(self, seed: int | None = None) -> None:
        self._random = random.Random(seed)

    def uniform(self) -> float:
        return self._random.random()

    def bits(self, count: int) -> int:
        return self._random.getrandbits(count)


class SystemEntropy:
    """The operating system's generator."""

    def token(self, length: int) -> bytes:
        return secrets.token_bytes(length)
