"""The log as a folder that foreign tools read (c2sp.org/tlog-tiles): hashes, entries, and the checkpoint over them."""

from collections.abc import Iterable, Iterator
from itertools import islice

from auritas.audit.model import Checkpoint
from auritas.audit.tiles import TILE_HEIGHT, TILE_WIDTH, TileReader, bundle, tiles_of
from auritas.audit.tree import HASH_BYTES

CHECKPOINT_PATH = "checkpoint"


def files(checkpoint: Checkpoint, entries: Iterable[bytes], tiles: TileReader) -> Iterator[tuple[str, bytes]]:
    """Yield (path, content) of the folder; the checkpoint comes last, so that it never names what is not there yet.

    entries: at least the first checkpoint.size entries in order. They hold refs and commitments, never a body.
    """
    held = iter(entries)
    for tile in tiles_of(checkpoint.size):
        hashes = tiles.tile(tile.level, tile.index)[: tile.width * HASH_BYTES]
        yield tile.path, hashes
        if tile.level == 0:
            yield tile.entries_path, bundle(islice(held, tile.width))
    yield CHECKPOINT_PATH, checkpoint.note.encode()


def count(size: int) -> int:
    """Return how many files the folder of `size` entries has, for a progress bar."""
    total, level = 1, 0
    while size >> TILE_HEIGHT * level:
        held = -(-(size >> TILE_HEIGHT * level) // TILE_WIDTH)
        total += held * (2 if level == 0 else 1)
        level += 1
    return total
