"""Tiles of 256 hashes (c2sp.org/tlog-tiles): their names, their files, and nodes read from them.

The n-th tile of level l holds the hashes of the perfect subtrees of height 8·l with the indices [256·n, 256·(n + 1)).
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from auritas.audit.tree import HASH_BYTES, fold
from auritas.kernel.errors import InvalidError

TILE_HEIGHT = 8
TILE_WIDTH = 1 << TILE_HEIGHT
ENTRY_LIMIT = 0xFFFF
"""Bytes of an entry at most: an entry bundle gives its length in sixteen bits."""

_GROUP = 1000


@dataclass(frozen=True, slots=True, order=True)
class Tile:
    """Where a tile stands and how many hashes it holds."""

    level: int
    index: int
    width: int = TILE_WIDTH

    @property
    def path(self) -> str:
        """Return its path below the folder of the log, for example `tile/1/x001/234.p/8`."""
        return f"tile/{self.level}/{_name(self.index, self.width)}"

    @property
    def entries_path(self) -> str:
        """Return the path of the entries whose hashes a tile of level 0 holds."""
        return f"tile/entries/{_name(self.index, self.width)}"


class TileReader(Protocol):
    """Gives the hashes of tiles."""

    def tile(self, level: int, index: int) -> bytes:
        """Return the hashes that the tile holds so far, one after another; empty when there is none."""


def tiles_of(size: int) -> Iterator[Tile]:
    """Yield every tile of a tree of `size` leaves, full and partial ones, from the leaves upwards."""
    level, count = 0, size
    while count:
        full, rest = divmod(count, TILE_WIDTH)
        for index in range(full):
            yield Tile(level, index)
        if rest:
            yield Tile(level, full, rest)
        level, count = level + 1, full


def split(hashes: bytes) -> list[bytes]:
    """Return the single hashes of a tile."""
    return [hashes[i : i + HASH_BYTES] for i in range(0, len(hashes), HASH_BYTES)]


def bundle(entries: Iterable[bytes]) -> bytes:
    """Return an entry bundle: each entry after its length in two bytes, big-endian. Raises InvalidError."""
    parts = []
    for entry in entries:
        if len(entry) > ENTRY_LIMIT:
            raise InvalidError(f"An entry holds at most {ENTRY_LIMIT} bytes, not {len(entry)}.")
        parts.append(len(entry).to_bytes(2, "big") + entry)
    return b"".join(parts)


class TileNodes:
    """Nodes computed from tiles; each tile is read once."""

    def __init__(self, reader: TileReader) -> None:
        self._reader = reader
        self._read: dict[tuple[int, int], Sequence[bytes]] = {}

    def node(self, height: int, index: int) -> bytes:
        level, steps = divmod(height, TILE_HEIGHT)
        first = index << steps
        tile, offset = divmod(first, TILE_WIDTH)
        hashes = self._hashes(level, tile)[offset : offset + (1 << steps)]
        if len(hashes) < 1 << steps:
            raise InvalidError(f"Tile {tile} of level {level} does not reach subtree {index} of height {height}.")
        return fold(hashes)

    def _hashes(self, level: int, tile: int) -> Sequence[bytes]:
        if (level, tile) not in self._read:
            self._read[level, tile] = split(self._reader.tile(level, tile))
        return self._read[level, tile]


def _name(index: int, width: int) -> str:
    groups = [f"{index % _GROUP:03}"]
    while index := index // _GROUP:
        groups.append(f"x{index % _GROUP:03}")
    partial = "" if width == TILE_WIDTH else f".p/{width}"
    return "/".join(reversed(groups)) + partial
