"""The Merkle tree of RFC 6962 section 2.1 (RFC 9162 section 2.1): roots, inclusion and consistency proofs.

Everything is computed from hashes. A perfect subtree is named by (height, index): it spans the leaves
[index << height, (index + 1) << height). Who holds the hashes of perfect subtrees is a `Nodes`.
"""

from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Protocol

from auritas.kernel.errors import InvalidError

HASH_BYTES = 32
EMPTY_ROOT = sha256(b"").digest()


class Nodes(Protocol):
    """Hashes of perfect subtrees."""

    def node(self, height: int, index: int) -> bytes:
        """Return the hash of the perfect subtree over the leaves [index << height, (index + 1) << height)."""


def leaf_hash(entry: bytes) -> bytes:
    """Return SHA-256(0x00 ‖ entry)."""
    return sha256(b"\x00" + entry).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Return SHA-256(0x01 ‖ left ‖ right)."""
    return sha256(b"\x01" + left + right).digest()


def pairs(hashes: Sequence[bytes]) -> list[bytes]:
    """Return the parents of neighbouring hashes; an odd last one has no parent yet."""
    return [sha256(b"\x01" + hashes[i] + hashes[i + 1]).digest() for i in range(0, len(hashes) - 1, 2)]


def fold(hashes: Sequence[bytes]) -> bytes:
    """Return the hash above a perfect row of 2^k hashes."""
    while len(hashes) > 1:
        hashes = pairs(hashes)
    return hashes[0]


def bag(peaks: Sequence[bytes]) -> bytes:
    """Return the root above perfect subtrees of falling height, the largest first; without any, the empty root."""
    if not peaks:
        return EMPTY_ROOT
    root = peaks[-1]
    for peak in reversed(peaks[:-1]):
        root = node_hash(peak, root)
    return root


def cover(start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield (height, index) of the largest perfect subtrees that make up the leaves [start, end), left to right."""
    while start < end:
        height = (end - start).bit_length() - 1
        if start:
            height = min(height, (start & -start).bit_length() - 1)
        yield height, start >> height
        start += 1 << height


def range_root(start: int, end: int, nodes: Nodes) -> bytes:
    """Return MTH(D[start:end]) of a range whose start is a multiple of a power of two not below its length."""
    return bag([nodes.node(height, index) for height, index in cover(start, end)])


def root(size: int, nodes: Nodes) -> bytes:
    """Return the root of the first `size` leaves."""
    return range_root(0, size, nodes)


def inclusion_proof(index: int, size: int, nodes: Nodes) -> tuple[bytes, ...]:
    """Return the audit path of leaf `index` in the tree of `size` leaves, from the leaf's sibling upwards.

    RFC 6962 section 2.1.1. Raises InvalidError when the leaf is not in the tree.
    """
    if not 0 <= index < size:
        raise InvalidError(f"There is no leaf {index} in a tree of {size}.")
    ranges = []
    low, high = 0, size
    while high - low > 1:
        middle = low + _split(high - low)
        if index < middle:
            ranges.append((middle, high))
            high = middle
        else:
            ranges.append((low, middle))
            low = middle
    return tuple(range_root(start, end, nodes) for start, end in reversed(ranges))


def consistency_proof(old: int, new: int, nodes: Nodes) -> tuple[bytes, ...]:
    """Return the proof that the tree of `old` leaves is a prefix of the tree of `new` leaves.

    RFC 6962 section 2.1.2. Raises InvalidError from size 0, which would prove nothing, and for a shrinking tree.
    """
    if not 0 < old <= new:
        raise InvalidError(f"No consistency proof leads from {old} to {new} leaves.")
    ranges = []
    low, high, whole = 0, new, True
    while old != high:
        middle = low + _split(high - low)
        if old <= middle:
            ranges.append((middle, high))
            high = middle
        else:
            ranges.append((low, middle))
            low, whole = middle, False
    if not whole:
        ranges.append((low, high))
    return tuple(range_root(start, end, nodes) for start, end in reversed(ranges))


def verify_inclusion(leaf: bytes, index: int, size: int, proof: Sequence[bytes], expected_root: bytes) -> bool:
    """Whether `proof` shows that `leaf` stands at `index` of the tree with `size` leaves and `expected_root`.

    RFC 9162 section 2.1.3.2.
    """
    if not 0 <= index < size:
        return False
    position, last, computed = index, size - 1, leaf
    for sibling in proof:
        if last == 0:
            return False
        if position & 1 or position == last:
            computed = node_hash(sibling, computed)
            while not position & 1 and position:
                position, last = position >> 1, last >> 1
        else:
            computed = node_hash(computed, sibling)
        position, last = position >> 1, last >> 1
    return last == 0 and computed == expected_root


def verify_consistency(old: int, new: int, proof: Sequence[bytes], old_root: bytes, new_root: bytes) -> bool:
    """Whether `proof` shows that the tree (old, old_root) is a prefix of the tree (new, new_root).

    RFC 9162 section 2.1.4.2. From size 0 nothing can be shown, so that is refused.
    """
    if not 0 < old <= new:
        return False
    if old == new:
        return not proof and old_root == new_root
    path = [old_root, *proof] if old & (old - 1) == 0 else list(proof)
    if not path:
        return False
    position, last = old - 1, new - 1
    while position & 1:
        position, last = position >> 1, last >> 1
    was = now = path[0]
    for sibling in path[1:]:
        if last == 0:
            return False
        if position & 1 or position == last:
            was, now = node_hash(sibling, was), node_hash(sibling, now)
            while not position & 1 and position:
                position, last = position >> 1, last >> 1
        else:
            now = node_hash(now, sibling)
        position, last = position >> 1, last >> 1
    return last == 0 and was == old_root and now == new_root


class CompactRange:
    """The roots of the perfect subtrees over [0, size): all that is needed to append and to know the root."""

    def __init__(self) -> None:
        self.size = 0
        self._peaks: list[tuple[int, bytes]] = []

    def append(self, node: bytes, height: int = 0) -> None:
        """Add a perfect subtree of 2^height leaves. Raises InvalidError when `size` is no multiple of that."""
        if self.size & ((1 << height) - 1):
            raise InvalidError(f"A subtree of height {height} cannot start at leaf {self.size}.")
        self.size += 1 << height
        while self._peaks and self._peaks[-1][0] == height:
            node = node_hash(self._peaks.pop()[1], node)
            height += 1
        self._peaks.append((height, node))

    def root(self, *rest: bytes) -> bytes:
        """Return the root, as if perfect subtrees `rest`, each lower than all before, had been appended."""
        return bag([*(node for _, node in self._peaks), *rest])


class Leaves:
    """Nodes computed from all the leaf hashes, each once."""

    def __init__(self, leaves: Sequence[bytes]) -> None:
        self._rows = [list(leaves)]
        while len(self._rows[-1]) > 1:
            self._rows.append(pairs(self._rows[-1]))

    def node(self, height: int, index: int) -> bytes:
        return self._rows[height][index]

    def peaks(self, size: int) -> list[bytes]:
        """Return the hashes of the perfect subtrees over the first `size` leaves, the largest first."""
        return [self._rows[height][index] for height, index in cover(0, size)]


def _split(count: int) -> int:
    """Return the largest power of two smaller than `count`."""
    return 1 << (count - 1).bit_length() - 1
