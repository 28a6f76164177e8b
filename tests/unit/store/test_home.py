"""The data folder: private, locked while in use, and replaced whole or not at all."""

import stat
from pathlib import Path

import pytest

from auritas.store.database import SqlStore
from auritas.store.errors import SharedFolderError, StoreFullError, StoreInUseError, StoreIoError, StoreReadOnlyError
from auritas.store.home import Home, HomeLock, alone, os_failure, replace_file, secure_folder
from auritas.store.secret import Secret


def test_everything_is_private(folder: Path, key: Secret):
    """Folder 0700 and each file 0600, also the write-ahead log, also when they were open to others before."""
    folder.mkdir(mode=0o755)
    with SqlStore.open(folder, key) as store, store.unit():
        modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {"auritas.db", "auritas.db-wal", "auritas.db-shm"} <= set(modes)
    assert set(modes.values()) == {0o600}


def test_a_common_folder_is_left_alone(tmp_path: Path):
    """A folder that is meant for everybody, like one for temporary files, is refused and not closed to others."""
    common = tmp_path / "common"
    common.mkdir()
    common.chmod(0o1777)
    with pytest.raises(SharedFolderError):
        secure_folder(common)
    assert stat.S_IMODE(common.stat().st_mode) == 0o1777


def test_an_open_store_keeps_others_from_having_it_alone(folder: Path, key: Secret):
    """While one store is open a second may be, but nobody has the folder alone (F6)."""
    home = Home(folder)
    with SqlStore.open(folder, key), SqlStore.open(folder, key), pytest.raises(StoreInUseError), alone(home.lock):
        pass
    with alone(home.lock):
        pass


def test_waiting_for_the_lock(tmp_path: Path):
    """A lock that is asked to wait gives up with a typed error, and takes a free lock at once."""
    first, second = HomeLock(tmp_path / "lock"), HomeLock(tmp_path / "lock")
    first.take()
    with pytest.raises(StoreInUseError):
        second.take(wait_s=0.1)
    first.release()
    first.release()
    second.take(wait_s=0.1)
    second.release()


def test_replacing_a_file(tmp_path: Path):
    """A replaced file is whole and private, and nothing is left beside it."""
    path = tmp_path / "file"
    replace_file(path, b"old")
    replace_file(path, b"new")
    assert path.read_bytes() == b"new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(tmp_path.iterdir()) == [path]


def test_a_failed_replacement_keeps_the_old_file(tmp_path: Path):
    """When the new content cannot be written, the old stays and the error says why (F5)."""
    path = tmp_path / "file"
    replace_file(path, b"old")
    (tmp_path / "file.new").mkdir()
    with pytest.raises(StoreIoError):
        replace_file(path, b"new")
    assert path.read_bytes() == b"old"


@pytest.mark.parametrize(("number", "kind"), [(28, StoreFullError), (30, StoreReadOnlyError), (5, StoreIoError)])
def test_what_the_system_refused(number: int, kind: type[Exception]):
    """No space, a read-only disk and a broken one are three different errors (F5)."""
    assert type(os_failure(Path("x"), OSError(number, "reason"))) is kind
