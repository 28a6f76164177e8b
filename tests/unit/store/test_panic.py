"""The panic wipe."""

from pathlib import Path

import pytest

from auritas.kernel.clock import ManualClock
from auritas.kernel.randomness import SystemEntropy
from auritas.store.keychain import MemoryKeychain
from auritas.store.keys import KeyMissingError, unlock
from auritas.store.opening import open_store
from auritas.store.panic import panic
from auritas.store.rotation import back_up_daily


def test_everything_is_gone(folder: Path):
    """Key, database, log, backups and keyring entry are gone, and so is the empty folder."""
    keychain = MemoryKeychain()
    opened = open_store(folder, keychain=keychain)
    back_up_daily(opened.store.home, opened.unlocked.key, clock=ManualClock(), entropy=SystemEntropy())
    opened.store.close()
    wiped = panic(folder, keychain=keychain)
    assert {"auritas.db", "key.json"} <= {path.name for path in wiped.removed}
    assert not wiped.left
    assert not folder.exists()
    assert not keychain.secrets
    with pytest.raises(KeyMissingError):
        unlock(folder, keychain=keychain)


def test_foreign_files_stay(folder: Path, tmp_path: Path):
    """Files that are not ours stay, in whatever folder; files named by the caller go."""
    opened = open_store(folder, keychain=MemoryKeychain())
    opened.store.close()
    (folder / "thesis.txt").write_text("mine")
    cassette = tmp_path / "cassette.json"
    cassette.write_text("ours")
    panic(folder, keychain=MemoryKeychain(), more=[cassette])
    assert [path.name for path in folder.iterdir()] == ["thesis.txt"]
    assert not cassette.exists()


def test_a_running_store_does_not_stop_it(folder: Path):
    """The wipe works while the store is open: the files go, and the key with them."""
    keychain = MemoryKeychain()
    opened = open_store(folder, keychain=keychain)
    assert not panic(folder, keychain=keychain).left
    assert not (folder / "auritas.db").exists()
    opened.store.close()


class StubbornKeychain(MemoryKeychain):
    """A keyring that keeps what it has."""

    def delete(self, name: str) -> None:
        pass


def test_a_key_that_stays_in_the_keyring_is_told(folder: Path):
    """When the keyring does not let go of the key, everything else is gone and the result says so."""
    keychain = StubbornKeychain()
    open_store(folder, keychain=keychain).store.close()
    wiped = panic(folder, keychain=keychain)
    assert wiped.keyring_left
    assert not folder.exists()


def test_twice_is_fine(folder: Path):
    """Panicking again, or where nothing is, does nothing and does not fail."""
    assert panic(folder, keychain=MemoryKeychain()).removed == ()
