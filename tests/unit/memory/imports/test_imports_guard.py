"""The guard before the parser of exports: it follows the brackets exactly, and stops what no honest file holds."""

import json
from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auritas.memory.adapters.imports_guard import ENTRY_BYTES, LEVELS, CutOffError, GuardedFile

JSON = st.recursive(
    st.none() | st.integers() | st.text(alphabet='ab"\\\\[]{}\u00e9\n'),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(alphabet='a"\\\\[{'), inner),
    max_leaves=30,
)


def read_through(document: bytes, size: int) -> None:
    guarded = GuardedFile(BytesIO(document))
    while guarded.read(size):
        pass


def nested(levels: int) -> bytes:
    return b"[" * levels + b"]" * levels


@given(JSON, st.integers(1, 7), st.booleans())
def test_levels_are_counted_however_a_file_is_cut(value, size, ascii_only):
    """Brackets inside of strings are none, whatever stands around them and wherever a read ends (M15)."""
    around = json.dumps([value], ensure_ascii=ascii_only).encode()
    within = around[:-1] + b"," + nested(LEVELS - 1) + b"]"
    read_through(within, size)
    too_deep = around[:-1] + b"," + nested(LEVELS) + b"]"
    with pytest.raises(CutOffError):
        read_through(too_deep, size)


def test_a_text_full_of_brackets_is_no_nesting():
    """What people paste may hold any number of brackets and quotes (M15)."""
    read_through(json.dumps(['[{"' * 100_000, "\\\\" * 99_999]).encode(), 65_536)


def test_one_entry_is_bounded_and_a_file_is_not():
    """A text of a gigabyte is refused before it is in memory; many honest conversations are not (M15)."""
    step = 2**20
    file = BytesIO(b" " * (ENTRY_BYTES + step))
    guarded = GuardedFile(file)
    for _ in range(ENTRY_BYTES // step):
        guarded.read(step)
    with pytest.raises(CutOffError):
        guarded.read(step)
    file.seek(0)
    guarded = GuardedFile(file)
    while guarded.read(step):
        guarded.entry_ended()
