"""The Merkle tree against the numbers of the contract and against the definition of RFC 6962, written out naively."""

from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auritas.audit.check import _included
from auritas.audit.tree import (
    EMPTY_ROOT,
    CompactRange,
    Leaves,
    consistency_proof,
    inclusion_proof,
    leaf_hash,
    root,
    verify_consistency,
    verify_inclusion,
)
from auritas.kernel.errors import InvalidError

INPUTS = [
    bytes.fromhex(text)
    for text in ("", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f")
]
ROOTS = [
    ("e3b0c442", "52b855"),
    ("6e340b9c", "7afa01d"),
    ("fac54203", "e3c125"),
    ("aeb6bcfe", "9e06e77"),
    ("d37ee418", "9614b7"),
    ("4e3bbb1f", "6264d4"),
    ("76e67dad", "087ef"),
    ("ddb89be4", "74c8c"),
    ("5dc9da79", "604328"),
]
LARGEST = 300


def naive_root(leaves: list[bytes]) -> bytes:
    """MTH of RFC 6962 section 2.1, word for word."""
    if not leaves:
        return sha256(b"").digest()
    if len(leaves) == 1:
        return leaves[0]
    split = 1
    while split * 2 < len(leaves):
        split *= 2
    return sha256(b"\x01" + naive_root(leaves[:split]) + naive_root(leaves[split:])).digest()


def leaves_of(count: int) -> list[bytes]:
    return [leaf_hash(str(number).encode()) for number in range(count)]


@pytest.mark.parametrize("size", range(9))
def test_roots_are_those_of_the_contract(size):
    """The roots over the first n known inputs are the known ones, n = 0 to 8 (F10)."""
    leaves = [leaf_hash(data) for data in INPUTS[:size]]
    digest = (root(size, Leaves(leaves)) if size else EMPTY_ROOT).hex()
    start, end = ROOTS[size]
    assert digest.startswith(start)
    assert digest.endswith(end)


def test_an_inclusion_proof_holds_for_its_own_place_only():
    """Entry 5 of 8 verifies; the same proof at index 4 or 8 is refused (F11)."""
    leaves = [leaf_hash(data) for data in INPUTS]
    nodes = Leaves(leaves)
    proof = inclusion_proof(5, 8, nodes)
    assert verify_inclusion(leaves[5], 5, 8, proof, root(8, nodes))
    assert not verify_inclusion(leaves[5], 4, 8, proof, root(8, nodes))
    assert not verify_inclusion(leaves[5], 8, 8, proof, root(8, nodes))


def test_an_odd_leaf_is_not_doubled():
    """[a, b, c] and [a, b, c, c] have different roots (F11)."""
    a, b, c = leaves_of(3)
    assert root(3, Leaves([a, b, c])) != root(4, Leaves([a, b, c, c]))


@given(st.integers(0, LARGEST))
def test_the_compact_range_agrees_with_the_definition(size):
    """Appending one by one, keeping only the peaks, gives the root of the definition."""
    leaves = leaves_of(size)
    compact = CompactRange()
    for leaf in leaves:
        compact.append(leaf)
    assert compact.root() == naive_root(leaves) == root(size, Leaves(leaves))


@given(st.data())
def test_every_inclusion_proof_verifies_and_nothing_else_does(data):
    """At any size and index the proof holds, and with another leaf, index, size or a hash more or less it does not."""
    size = data.draw(st.integers(1, LARGEST))
    index = data.draw(st.integers(0, size - 1))
    leaves = leaves_of(size)
    proof, top = inclusion_proof(index, size, Leaves(leaves)), naive_root(leaves)
    assert verify_inclusion(leaves[index], index, size, proof, top)
    assert _included(leaves[index], index, size, list(proof), top), "the stand-alone checker agrees"
    other = data.draw(st.integers(0, size).filter(lambda value: value != index))
    for leaf, place, path in (
        (leaf_hash(b"other"), index, proof),
        (leaves[index], other, proof),
        (leaves[index], index, (*proof, top)),
        (leaves[index], index, (top, *proof[1:])),
        (leaves[index], index, proof[1:] if proof else (top,)),
    ):
        assert not verify_inclusion(leaf, place, size, path, top)
        assert not _included(leaf, place, size, list(path), top)


@given(st.data())
def test_every_consistency_proof_verifies_and_a_changed_one_does_not(data):
    """From any size to any larger one the proof holds; with another old root, new root or hash it does not."""
    new = data.draw(st.integers(1, LARGEST))
    old = data.draw(st.integers(1, new))
    leaves = leaves_of(new)
    proof = consistency_proof(old, new, Leaves(leaves))
    before, after, other = naive_root(leaves[:old]), naive_root(leaves), leaf_hash(b"other")
    assert verify_consistency(old, new, proof, before, after)
    assert not verify_consistency(old, new, proof, other, after)
    assert not verify_consistency(old, new, proof, before, other)
    assert not verify_consistency(old, new, (*proof, other), before, after)
    if proof:
        place = data.draw(st.integers(0, len(proof) - 1))
        assert not verify_consistency(old, new, (*proof[:place], other, *proof[place + 1 :]), before, after)
        assert not verify_consistency(old, new, proof[:-1], before, after)


@given(st.integers(1, LARGEST), st.data())
def test_a_rewritten_history_has_no_consistency_proof(new, data):
    """When a leaf of the old tree is changed, the honest proof of the new tree does not verify against the old root."""
    old = data.draw(st.integers(1, new))
    leaves = leaves_of(new)
    before = naive_root(leaves[:old])
    leaves[data.draw(st.integers(0, old - 1))] = leaf_hash(b"forged")
    assert not verify_consistency(old, new, consistency_proof(old, new, Leaves(leaves)), before, naive_root(leaves))


@pytest.mark.parametrize(("old", "new"), [(0, 5), (6, 5), (-1, 5)])
def test_a_consistency_proof_from_nothing_is_refused(old, new):
    """From size 0, or to a smaller tree, no proof is made and none verifies (F11)."""
    nodes = Leaves(leaves_of(5))
    with pytest.raises(InvalidError):
        consistency_proof(old, new, nodes)
    assert not verify_consistency(old, new, (), EMPTY_ROOT, root(5, nodes))


@pytest.mark.parametrize(("index", "size"), [(5, 5), (-1, 5), (0, 0)])
def test_a_leaf_outside_the_tree_has_no_proof(index, size):
    """An inclusion proof exists for leaves of the tree only."""
    with pytest.raises(InvalidError):
        inclusion_proof(index, size, Leaves(leaves_of(5)))


def test_a_subtree_starts_where_its_height_allows():
    """A compact range refuses a subtree at a place where the tree has none of that height."""
    compact = CompactRange()
    compact.append(leaf_hash(b""))
    with pytest.raises(InvalidError):
        compact.append(leaf_hash(b""), height=1)
