"""The log as a folder that foreign tools read (c2sp.org/tlog-tiles): hashes, entries, and the checkpoint over them."""

from collections.abc import Iterable, Iterator
from itertools import islice

from auritas.audit.errors import UnprovableError
from auritas.audit.model import Checkpoint
from auritas.audit.tiles import TILE_HEIGHT, TILE_WIDTH, Tile, TileNodes, TileReader, bundle, split, tiles_of
from auritas.audit.tree import HASH_BYTES, leaf_hash, root
from auritas.kernel.errors import InvalidError

CHECKPOINT_PATH = "checkpoint"


def files(checkpoint: Checkpoint, entries: Iterable[bytes], tiles: TileReader) -> Iterator[tuple[str, bytes]]:
    """Yield (path, content) of the folder; the checkpoint comes last, so that it never names what is not there yet.

    entries: at least the first checkpoint.size entries in order. They hold refs and commitments, never a body.
    Raises UnprovableError where the entries are not those of the tiles, or these not those that were signed: what
    could not be verified elsewhere is not handed out as whole.
    """
    held = iter(entries)
    _require_signed(checkpoint, tiles)
    for tile in tiles_of(checkpoint.size):
        hashes = tiles.tile(tile.level, tile.index)[: tile.width * HASH_BYTES]
        yield tile.path, hashes
        if tile.level == 0:
            yield tile.entries_path, bundle(_matching(list(islice(held, tile.width)), split(hashes), tile))
    yield CHECKPOINT_PATH, checkpoint.note.encode()


def _require_signed(checkpoint: Checkpoint, tiles: TileReader) -> None:
    try:
        signed = root(checkpoint.size, TileNodes(tiles)) == checkpoint.root
    except InvalidError:  # a tile is gone
        signed = False
    if not signed:
        raise UnprovableError(checkpoint.size - 1)


def _matching(held: list[bytes], hashes: list[bytes], tile: Tile) -> list[bytes]:
    for offset, leaf in enumerate(hashes):
        if offset >= len(held) or leaf_hash(held[offset]) != leaf:
            raise UnprovableError(tile.index * TILE_WIDTH + offset)
    return held


def count(size: int) -> int:
    """Return how many files the folder of `size` entries has, for a progress bar."""
    total, level = 1, 0
    while size >> TILE_HEIGHT * level:
        held = -(-(size >> TILE_HEIGHT * level) // TILE_WIDTH)
        total += held * (2 if level == 0 else 1)
        level += 1
    return total
