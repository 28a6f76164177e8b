"""The tree of a log, grown again leaf by leaf and compared with everything that was stored or signed over it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from auritas.audit.model import Checkpoint
from auritas.audit.note import VerifierKey
from auritas.audit.proof import TreeHead
from auritas.audit.tiles import TILE_HEIGHT, TILE_WIDTH, split
from auritas.audit.tree import HASH_BYTES, CompactRange, Leaves, fold


class StoredTiles(Protocol):
    """The tiles as they lie in the store."""

    def stored(self, level: int, index: int) -> bytes | None:
        """Return the bytes of a tile, zero-filled where it has not grown yet, or None when there is none."""

    def count(self) -> int:
        """Return how many tiles there are."""


@dataclass(frozen=True, slots=True)
class Expected:
    """What the log must agree with: its key, its checkpoints, and heads that were kept elsewhere.

    damaged: sizes of stored checkpoints that cannot even be read.
    """

    key: VerifierKey | None
    checkpoints: Sequence[Checkpoint]
    kept: Sequence[TreeHead] = ()
    damaged: Sequence[int] = ()


class Fault(Exception):  # noqa: N818  a finding about the data, not an error of the program
    """The smallest seq that a finding puts in doubt, and why."""

    def __init__(self, seq: int, reason: str) -> None:
        super().__init__(reason)
        self.seq = seq
        self.reason = reason


class GrowingTree:
    """Leaf hashes, 256 at a time: stored tiles and the roots of checkpoints."""

    def __init__(self, tiles: StoredTiles, expected: Expected) -> None:
        self.best: Checkpoint | None = None
        self._tiles = tiles
        self._leaves: list[bytes] = []
        self._range = CompactRange()
        self._upper: list[_Level] = []
        self._good = 0
        heads: list[Checkpoint | TreeHead] = [*expected.checkpoints, *expected.kept]
        self._heads = sorted(heads, key=lambda head: -head.size)

    def add(self, leaf: bytes) -> None:
        """Add the next leaf. Raises Fault when a full tile or a checkpoint within it differs."""
        self._leaves.append(leaf)
        if len(self._leaves) == TILE_WIDTH:
            self._close_tile()

    @property
    def size(self) -> int:
        """How many leaves were added."""
        return self._range.size + len(self._leaves)

    def root(self) -> bytes:
        """Return the root over all leaves that were added."""
        return self._range.root(*Leaves(self._leaves).peaks(len(self._leaves)))

    def check_rest(self) -> None:
        """Compare leaves of a tile that was not completed. Raises Fault."""
        self._compare(0, self._range.size // TILE_WIDTH, self._leaves)
        self._check_heads(Leaves(self._leaves), len(self._leaves))

    def check_end(self) -> None:
        """Compare what can be compared once every leaf has been added. Raises Fault."""
        self._check_heads(Leaves(self._leaves), len(self._leaves))
        if self._heads:
            raise Fault(self.size, f"entries are missing: a checkpoint covers {self._heads[0].size} of them")
        for number, level in enumerate(self._upper, 1):
            if level.row:
                padding = [bytes(HASH_BYTES)] * (TILE_WIDTH - len(level.row))
                self._compare(number, level.full, level.row + padding, needed=True)
        expected = self._range.size // TILE_WIDTH + sum(level.full + bool(level.row) for level in self._upper)
        if self._tiles.count() != expected:
            raise Fault(self.size, "there are tiles over entries that are not here")

    def _close_tile(self) -> None:
        leaves = Leaves(self._leaves)
        self._compare(0, self._range.size // TILE_WIDTH, self._leaves, needed=True)
        self._check_heads(leaves, TILE_WIDTH)
        top = leaves.node(TILE_HEIGHT, 0)
        self._range.append(top, TILE_HEIGHT)
        self._leaves = []
        self._push(1, top)

    def _push(self, number: int, node: bytes) -> None:
        if len(self._upper) < number:
            self._upper.append(_Level([]))
        level = self._upper[number - 1]
        level.row.append(node)
        if len(level.row) == TILE_WIDTH:
            self._compare(number, level.full, level.row, needed=True)
            self._upper[number - 1] = _Level([], level.full + 1)
            self._push(number + 1, fold(level.row))

    def _compare(self, level: int, index: int, computed: list[bytes], *, needed: bool = False) -> None:
        stored = self._tiles.stored(level, index)
        start = index * TILE_WIDTH
        if stored is None and needed:
            raise Fault(start << TILE_HEIGHT * level, "the tile over it is missing")
        if stored is not None and len(stored) != TILE_WIDTH * HASH_BYTES:
            raise Fault(start << TILE_HEIGHT * level, "the tile over it is cut short or too long")
        for offset, (ours, theirs) in enumerate(zip(computed, split(stored or b""), strict=False)):
            if ours != theirs:
                raise Fault(start + offset << TILE_HEIGHT * level, "the tile over it holds another hash")

    def _check_heads(self, leaves: Leaves, count: int) -> None:
        while self._heads and self._heads[-1].size <= self._range.size + count:
            head = self._heads.pop()
            if self._range.root(*leaves.peaks(head.size - self._range.size)) != head.root:
                kept = not isinstance(head, Checkpoint)
                other = "do not have the root that was kept elsewhere" if kept else "are not those that were signed"
                raise Fault(self._good, f"the first {head.size} entries {other}")
            self._good = head.size
            if isinstance(head, Checkpoint):
                self.best = head


def tree_fault(leaves: Iterable[bytes], tiles: StoredTiles, expected: Expected) -> Fault | None:
    """Verify the tree alone: leaf hashes against tiles and the roots of checkpoints, without any content."""
    tree = GrowingTree(tiles, expected)
    try:
        for leaf in leaves:
            tree.add(leaf)
        tree.check_end()
    except Fault as fault:
        return fault
    return None


@dataclass(frozen=True, slots=True)
class _Level:
    """A level above the leaves: the hashes of its last tile, and how many tiles are full."""

    row: list[bytes]
    full: int = 0
