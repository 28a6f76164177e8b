"""Near vectors among very many, by their signs alone.

Of every number of a vector one bit is kept, its sign. The share of differing bits grows with the angle between two
vectors (Charikar, Similarity estimation techniques from rounding algorithms, 2002), so the messages whose bits differ
least hold nearly all that are near; their cosines are then taken from whole vectors. 200,000 messages take 10 MB in
memory, and they are only read when something is recalled for the first time.
"""

import threading
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from auritas.store import Unit

Bits: TypeAlias = NDArray[np.uint64]
Whole: TypeAlias = NDArray[np.int64]

_WORD_BYTES: Final = 8
_READ_AT_ONCE: Final = 10_000


def signs_of(vector: NDArray[np.float64]) -> bytes:
    """Return one bit for each number of a vector, set where it is above zero, padded to whole words."""
    packed = np.packbits(vector > 0).tobytes()
    return packed + bytes(-len(packed) % _WORD_BYTES)


class Signs:
    """The signs of all vectors of one embedder, kept in memory and brought up to date before each look."""

    def __init__(self, embedder: str) -> None:
        self.embedder = embedder
        self._lock = threading.Lock()
        self._last = 0
        self._seqs: Whole = np.empty(0, np.int64)
        self._bits: Bits = np.empty((0, 0), np.uint64)

    def nearest(self, unit: Unit, vector: NDArray[np.float64], count: int) -> list[int]:
        """Return the numbers of up to `count` messages whose signs differ least; some may be deleted since."""
        with self._lock:
            self._refresh(unit)
            seqs, bits = self._seqs, self._bits
        if not len(seqs):
            return []
        differing = np.bitwise_count(bits ^ np.frombuffer(signs_of(vector), np.uint64)).sum(axis=1, dtype=np.int64)
        count = min(count, len(seqs))
        nearest = np.argpartition(differing, count - 1)[:count]
        found: list[int] = np.unique(seqs[nearest]).tolist()
        return found

    def _refresh(self, unit: Unit) -> None:
        newest = unit.connection.exec_driver_sql("SELECT max(change) FROM recall_signs").scalar() or 0
        if newest <= self._last:
            return
        asked = "SELECT seq, signs FROM recall_signs WHERE change > ? AND embedder = ? ORDER BY change"
        result = unit.connection.exec_driver_sql(asked, (self._last, self.embedder))
        self._last = newest
        seqs, bits = [self._seqs[:0]], [b""]
        for rows in result.partitions(_READ_AT_ONCE):
            seqs.append(np.array([row[0] for row in rows], np.int64))
            bits.append(b"".join(row[1] for row in rows))
        new = np.concatenate(seqs)
        if len(new):
            self._keep(new, np.frombuffer(b"".join(bits), np.uint64).reshape(len(new), -1))

    def _keep(self, seqs: Whole, bits: Bits) -> None:
        """Add rows; of a message that was there before only the new ones stay."""
        old = ~np.isin(self._seqs, seqs) if len(self._seqs) else np.zeros(0, bool)
        kept = self._bits[old] if len(self._seqs) else bits[:0]
        self._seqs = np.concatenate([self._seqs[old], seqs])
        self._bits = np.concatenate([kept, bits])
