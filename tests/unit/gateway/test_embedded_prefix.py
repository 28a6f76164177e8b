"""What a model has read of a stable beginning is kept whole, or not at all."""

import stat
from dataclasses import replace
from pathlib import Path

import pytest

from auritas.gateway.adapters.engine_prefix import PrefixFile, Slot, forget


@pytest.fixture
def file(tmp_path: Path) -> PrefixFile:
    return PrefixFile(tmp_path / "kept", "weights", "beginning", "engine 1")


def test_what_is_kept_is_what_was_read(file: PrefixFile):
    """It comes back byte for byte, in a file of the user's alone, and nothing else lies in the folder."""
    assert file.load() is None
    file.save(b"state")
    assert file.load() == b"state"
    assert [stat.S_IMODE(path.stat().st_mode) for path in file.folder.iterdir()] == [0o600]


@pytest.mark.parametrize("damage", [lambda b: b[:-1], lambda b: b[:40], lambda _: b"", lambda b: b[:-1] + b"\x00"])
def test_a_damaged_file_is_not_believed(file: PrefixFile, damage):
    """A torn or altered file would be a model that has read something else."""
    file.save(b"state of the model, " * 9)
    file.path.write_bytes(damage(file.path.read_bytes()))
    assert file.load() is None


def test_another_engine_or_beginning_is_another_file(file: PrefixFile):
    """A new engine starts anew and takes the place of the old one; other beginnings and models stay."""
    newer, ballot, other = (
        replace(file, setting="engine 2"),
        replace(file, prefix="ballot"),
        replace(file, model="other"),
    )
    for each in (file, ballot, other):
        each.save(b"old")
    assert newer.load() is None
    newer.save(b"new")
    assert (newer.load(), file.load(), ballot.load(), other.load()) == (b"new", None, b"old", b"old")
    forget(file.folder, "weights")
    assert [path.name for path in file.folder.iterdir()] == [other.path.name]


def test_a_folder_that_cannot_be_written_costs_time_only(tmp_path: Path):
    """Nothing is raised where nothing can be kept."""
    (tmp_path / "kept").write_text("a file where the folder should be")
    file = PrefixFile(tmp_path / "kept", "weights", "beginning", "engine 1")
    file.save(b"state")
    assert file.load() is None


def test_a_listener_that_is_not_there_is_no_error(tmp_path: Path):
    """Then the prompt is read anew; no file is left behind."""
    slot = Slot(tmp_path, tmp_path / "engine.sock", "key")
    assert slot.dump() is None
    assert not slot.fill(b"state")
    assert list(tmp_path.iterdir()) == []
