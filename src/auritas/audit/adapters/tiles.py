"""Tiles in the store.

Full tiles of leaf hashes are stored as they fill. A tile of a higher level is stored from its first hash on,
zero-filled, and rewritten each time it grows: without it, a proof would have to hash up to 65,536 leaves again.
"""

from collections.abc import Sequence

from sqlalchemy import Connection, func, insert, select, update

from auritas.audit.tiles import TILE_HEIGHT, TILE_WIDTH
from auritas.audit.tree import HASH_BYTES, fold
from auritas.store.schema import audit_log as log
from auritas.store.schema import audit_tiles as tiles

_TILE_BYTES = TILE_WIDTH * HASH_BYTES


class SqlTiles:
    """Reads the tiles of the first `size` entries."""

    def __init__(self, connection: Connection, size: int) -> None:
        self._connection = connection
        self._size = size

    def tile(self, level: int, index: int) -> bytes:
        """Return the hashes that the tile holds in a tree of this size, one after another."""
        width = min((self._size >> TILE_HEIGHT * level) - index * TILE_WIDTH, TILE_WIDTH)
        stored = self.stored(level, index)
        if stored is None and level == 0:
            first = index * TILE_WIDTH
            query = select(log.c.leaf_hash).where(log.c.seq.between(first, first + width - 1)).order_by(log.c.seq)
            return b"".join(self._connection.execute(query).scalars())
        return (stored or b"")[: max(width, 0) * HASH_BYTES]

    def stored(self, level: int, index: int) -> bytes | None:
        """Return the bytes of a tile as they are stored."""
        return _stored(self._connection, level, index)

    def count(self) -> int:
        """Return how many tiles are stored."""
        return self._connection.execute(select(func.count()).select_from(tiles)).scalar_one()


def grow(connection: Connection, index: int, leaves: Sequence[bytes]) -> Sequence[bytes]:
    """Store the tiles that `leaves`, which start at tile `index`, fill; return the leaves that are left over."""
    while len(leaves) >= TILE_WIDTH:
        full, leaves = leaves[:TILE_WIDTH], leaves[TILE_WIDTH:]
        connection.execute(insert(tiles).values(level=0, idx=index, hashes=b"".join(full)))
        _place(connection, 1, index, fold(full))
        index += 1
    return leaves


def _place(connection: Connection, level: int, position: int, node: bytes) -> None:
    """Store `node` as hash number `position` of its level, and what follows from a tile that it fills."""
    index, offset = divmod(position, TILE_WIDTH)
    start = offset * HASH_BYTES
    if offset == 0:
        hashes = node + bytes(_TILE_BYTES - HASH_BYTES)
        connection.execute(insert(tiles).values(level=level, idx=index, hashes=hashes))
        return
    hashes = (_stored(connection, level, index) or bytes(_TILE_BYTES))[:start] + node
    hashes += bytes(_TILE_BYTES - len(hashes))
    connection.execute(update(tiles).where(tiles.c.level == level, tiles.c.idx == index).values(hashes=hashes))
    if offset == TILE_WIDTH - 1:
        row = [hashes[i : i + HASH_BYTES] for i in range(0, _TILE_BYTES, HASH_BYTES)]
        _place(connection, level + 1, index, fold(row))


def _stored(connection: Connection, level: int, index: int) -> bytes | None:
    return connection.execute(select(tiles.c.hashes).where(tiles.c.level == level, tiles.c.idx == index)).scalar()
