"""Tiles: names, shapes and the nodes that are computed from them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from auritas.audit.export import count
from auritas.audit.tiles import ENTRY_LIMIT, Tile, TileNodes, bundle, split, tiles_of
from auritas.audit.tree import HASH_BYTES, Leaves, fold, inclusion_proof, leaf_hash, root
from auritas.kernel.errors import InvalidError


class ListedTiles:
    """Tiles of a list of leaves, computed when asked."""

    def __init__(self, leaves: list[bytes]) -> None:
        self.rows = [leaves]
        while len(self.rows[-1]) >= 256:
            row = self.rows[-1]
            self.rows.append([fold(row[i : i + 256]) for i in range(0, len(row) - len(row) % 256, 256)])
        self.reads = 0

    def tile(self, level: int, index: int) -> bytes:
        self.reads += 1
        return b"".join(self.rows[level][index * 256 : index * 256 + 256])


@pytest.mark.parametrize(
    ("tile", "path"),
    [
        (Tile(0, 0), "tile/0/000"),
        (Tile(0, 1234067), "tile/0/x001/x234/067"),
        (Tile(3, 1000, 8), "tile/3/x001/000.p/8"),
        (Tile(63, 999, 255), "tile/63/999.p/255"),
    ],
)
def test_tile_paths_are_those_of_the_format(tile, path):
    """Groups of three digits, all but the last with an x, and the width of a partial tile."""
    assert tile.path == path


def test_a_tree_of_seventy_thousand_has_the_tiles_of_the_specification():
    """273 full and one partial tile of leaves, one full and one partial above, and one hash on top."""
    tiles = list(tiles_of(70_000))
    assert len([t for t in tiles if t.level == 0 and t.width == 256]) == 273
    assert [t for t in tiles if t.level == 0][-1] == Tile(0, 273, 112)
    assert [t for t in tiles if t.level > 0] == [Tile(1, 0), Tile(1, 1, 17), Tile(2, 0, 1)]
    assert list(tiles_of(256)) == [Tile(0, 0), Tile(1, 0, 1)]


@given(st.integers(0, 10**6))
def test_the_number_of_exported_files_is_known_before(size):
    """Each tile is a file, each tile of leaves has its entries, and there is one checkpoint."""
    tiles = list(tiles_of(size))
    assert count(size) == len(tiles) + sum(1 for tile in tiles if tile.level == 0) + 1


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 1500), st.data())
def test_proofs_from_tiles_are_those_from_leaves(size, data):
    """Whether nodes come from tiles or from all the leaves, proofs and roots are the same."""
    leaves = [leaf_hash(str(number).encode()) for number in range(size)]
    index = data.draw(st.integers(0, size - 1))
    whole, tiled = Leaves(leaves), TileNodes(ListedTiles(leaves))
    assert root(size, tiled) == root(size, whole)
    assert inclusion_proof(index, size, tiled) == inclusion_proof(index, size, whole)


def test_a_proof_reads_each_tile_once():
    """A proof in a tree of 70,000 reads six tiles at most: three along its path and three at the edge."""
    leaves = [leaf_hash(str(number).encode()) for number in range(70_000)]
    tiles = ListedTiles(leaves)
    inclusion_proof(12_345, 70_000, TileNodes(tiles))
    assert tiles.reads <= 6


def test_nodes_beyond_the_tiles_are_refused():
    """A subtree that the tiles do not reach has no hash: nothing is invented."""
    with pytest.raises(InvalidError):
        TileNodes(ListedTiles([leaf_hash(b"")])).node(1, 0)


def test_a_bundle_gives_each_length_before_its_entry():
    """Two bytes, big-endian, then the entry; longer entries than that are refused."""
    assert bundle([b"ab", b"", b"c" * 300]) == b"\x00\x02ab\x00\x00\x01\x2c" + b"c" * 300
    with pytest.raises(InvalidError):
        bundle([bytes(ENTRY_LIMIT + 1)])


def test_splitting_a_tile_gives_its_hashes():
    """A tile is its hashes, one after another."""
    hashes = [bytes([value]) * HASH_BYTES for value in range(5)]
    assert split(b"".join(hashes)) == hashes
