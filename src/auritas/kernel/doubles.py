"""Deterministic, in-memory implementations of the ports that have no pure one elsewhere in the kernel."""

import hashlib
import math
from collections.abc import Awaitable, Callable, Sequence

from auritas.kernel.errors import InvalidError

_DIGEST_BYTES = 32


class ExactVectorIndex:
    """Compares with every stored vector: the answer that a faster index must agree with."""

    def __init__(self) -> None:
        self._vectors: dict[str, Sequence[float]] = {}

    def put(self, key: str, vector: Sequence[float]) -> None:
        self._vectors[key] = tuple(vector)

    def nearest(self, vector: Sequence[float], count: int) -> Sequence[tuple[str, float]]:
        scored = [(key, _cosine(vector, stored)) for key, stored in self._vectors.items()]
        return sorted(scored, key=lambda pair: (-pair[1], pair[0]))[:count]

    def erase(self, key: str) -> None:
        self._vectors.pop(key, None)


class HashEmbedding:
    """Vectors from counts of hashed words: equal texts are equal, shared words are near, meaning is unknown."""

    id = "hash-words-64"
    dimensions = 64

    def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        return [self._vector(text) for text in texts]

    def _vector(self, text: str) -> Sequence[float]:
        counts = [0.0] * self.dimensions
        for word in text.lower().split():
            counts[hashlib.sha256(word.encode()).digest()[0] % self.dimensions] += 1
        length = math.hypot(*counts) or 1.0
        return [count / length for count in counts]


class MemoryWorkflow:
    """Keeps the results of steps in a dictionary."""

    def __init__(self) -> None:
        self._results: dict[tuple[str, str], str] = {}

    async def step(self, workflow: str, key: str, work: Callable[[], Awaitable[str]]) -> str:
        if (workflow, key) not in self._results:
            self._results[workflow, key] = await work()
        return self._results[workflow, key]


class MemoryChain:
    """A ledger in a list, final at once."""

    def __init__(self) -> None:
        self._digests: list[bytes] = []

    async def post(self, digest: bytes) -> str:
        if len(digest) != _DIGEST_BYTES:
            raise InvalidError(f"A posted digest has {_DIGEST_BYTES} bytes, not {len(digest)}.")
        self._digests.append(digest)
        return str(len(self._digests) - 1)

    async def posted(self, transaction: str) -> bytes | None:
        index = int(transaction)
        return self._digests[index] if index < len(self._digests) else None


def _cosine(a: Sequence[float], b: Sequence[float]) -> float:
    lengths = math.hypot(*a) * math.hypot(*b)
    return sum(x * y for x, y in zip(a, b, strict=True)) / lengths if lengths else 0.0
