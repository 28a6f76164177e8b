"""Backups and restores."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import select

from auritas.kernel.clock import ManualClock, timestamp
from auritas.kernel.errors import AuritasError, VerificationError
from auritas.kernel.randomness import SystemEntropy
from auritas.store import token_rows
from auritas.store.backup import Backup, Check, OwnFileError, Stage, back_up
from auritas.store.container import BackupDamagedError
from auritas.store.envelope import EnvelopeDamagedError, WrongPassphraseError
from auritas.store.errors import StoreFullError, StoreInUseError
from auritas.store.keychain import Keychain, MemoryKeychain, NoKeychain
from auritas.store.opening import OpenedStore, open_store
from auritas.store.restore import BackupLockedError, NoBackupError, Restored, inspect, restore
from auritas.store.schema import local_settings
from auritas.store.token_rows import API, BROWSER, TokenRow
from auritas.store.unit import Unit

WORDS = "correct horse battery"
OTHER = "staple of another"


@pytest.fixture
def opened(folder: Path) -> Iterator[OpenedStore]:
    opened = open_store(folder, WORDS, keychain=NoKeychain())
    put(opened, "kept")
    yield opened
    opened.store.close()


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "out" / "file.backup"


def put(opened: OpenedStore, name: str) -> None:
    with opened.store.unit() as unit:
        unit.connection.execute(local_settings.insert().values(key=name, value=""))


def names(folder: Path, passphrase: str | None, keychain: Keychain | None = None) -> set[str]:
    opened = open_store(folder, passphrase, keychain=keychain or NoKeychain())
    with opened.store.read() as unit:
        found = set(unit.connection.scalars(select(local_settings.c.key)))
    opened.store.close()
    return found


def made(opened: OpenedStore, target: Path, passphrase: str | None = None, check: Check | None = None) -> Backup:
    target.parent.mkdir(exist_ok=True)
    return back_up(
        opened.store.home,
        opened.unlocked.key,
        target,
        clock=ManualClock(),
        entropy=SystemEntropy(),
        passphrase=passphrase,
        check=check,
    )


def restored(
    folder: Path,
    file: Path,
    passphrase: str | None = None,
    store_passphrase: str | None = None,
    *,
    keychain: Keychain | None = None,
    check: Check | None = None,
) -> Restored:
    return restore(
        folder,
        file,
        clock=ManualClock(),
        entropy=SystemEntropy(),
        keychain=keychain or NoKeychain(),
        passphrase=passphrase,
        store_passphrase=store_passphrase,
        check=check,
    )


def test_one_file_restores_on_another_machine(opened: OpenedStore, target: Path, tmp_path: Path):
    """A backup with a passphrase restores on a fresh machine by that passphrase alone, and is guarded by it there."""
    backup = made(opened, target, OTHER)
    assert "any machine" in backup.opens_with
    assert [path.name for path in target.parent.iterdir()] == [target.name]
    fresh = tmp_path / "fresh"
    with pytest.raises(WrongPassphraseError):
        restored(fresh, target, WORDS)
    with pytest.raises(BackupLockedError):
        restored(fresh, target)
    assert restored(fresh, target, OTHER).aside is None
    assert names(fresh, OTHER) == {"kept"}


def test_nobody_whom_a_backup_had_let_in_gets_in_after_a_restore(opened: OpenedStore, target: Path, tmp_path: Path):
    """A session that was ended after the backup was made does not come back to life with it; nor does any token."""
    at = timestamp(ManualClock().now())
    more = (at, None, None, None, API)
    rows = [TokenRow(name, name, "local", name.encode() * 32, ("admin",), *more) for name in ("a", "b")]
    with opened.store.unit() as unit:
        for row in (*rows, replace(rows[0], token_id="c", token_hash=b"c" * 32, kind=BROWSER, revoked_at=at)):
            token_rows.put(unit, row)
    made(opened, target, OTHER)
    assert restored(tmp_path / "fresh", target, OTHER).ended == len(rows)
    again = open_store(tmp_path / "fresh", OTHER, keychain=NoKeychain())
    with again.store.read() as unit:
        found = token_rows.every(unit)
    again.store.close()
    assert {row.token_id for row in found} == {"a", "b", "c"}
    assert not any(row.alive(ManualClock().now()) for row in found)


def test_a_backup_of_a_guarded_store_travels_with_its_passphrase(opened: OpenedStore, target: Path, tmp_path: Path):
    """Without a passphrase of its own, the backup of a store with one restores anywhere by the store's."""
    assert "passphrase that the store had" in made(opened, target).opens_with
    restored(tmp_path / "fresh", target, WORDS)
    assert names(tmp_path / "fresh", WORDS) == {"kept"}


def test_a_backup_of_a_keyring_store_stays_with_the_keyring(tmp_path: Path, target: Path):
    """Where a keyring has the key, a backup without passphrase opens only with that keyring, and says so."""
    keychain = MemoryKeychain()
    opened = open_store(tmp_path / "home", keychain=keychain)
    put(opened, "kept")
    assert "only where this machine's keyring" in made(opened, target).opens_with
    opened.store.close()
    with pytest.raises(BackupLockedError):
        restored(tmp_path / "fresh", target, WORDS)
    restored(tmp_path / "other", target, keychain=keychain)
    assert names(tmp_path / "other", None, keychain) == {"kept"}


def test_a_key_file_never_travels_inside_a_backup(tmp_path: Path, target: Path):
    """A key that lies in a file in the clear is not copied into the backup, which says what it needs."""
    opened = open_store(tmp_path / "home", keychain=NoKeychain())
    assert "only together with this store's key.json" in made(opened, target).opens_with
    assert opened.unlocked.key.reveal().hex().encode() not in target.read_bytes()
    opened.store.close()
    with pytest.raises(BackupLockedError):
        restored(tmp_path / "fresh", target)
    assert restored(tmp_path / "home", target).aside is not None


def test_restoring_keeps_the_old_database_aside(opened: OpenedStore, target: Path, folder: Path):
    """The restored state is the one of the backup; what came later is in the file set aside, under the same key."""
    made(opened, target)
    put(opened, "later")
    opened.store.close()
    result = restored(folder, target, store_passphrase=WORDS)
    assert names(folder, WORDS) == {"kept"}
    assert result.aside is not None
    (folder / "auritas.db").unlink()
    result.aside.rename(folder / "auritas.db")
    assert names(folder, WORDS) == {"kept", "later"}


def test_an_open_store_is_not_replaced(opened: OpenedStore, target: Path, folder: Path):
    """Restoring under a running program is refused."""
    made(opened, target)
    with pytest.raises(StoreInUseError):
        restored(folder, target, WORDS, WORDS)


def test_writing_goes_on_during_a_backup(opened: OpenedStore, target: Path, tmp_path: Path):
    """The backup holds the state of its start, although others write while it is made."""
    stages: list[tuple[Stage, int]] = []

    def write_meanwhile(stage: Stage, done: int, total: int) -> None:
        if (stage, done) not in stages and stage is Stage.COPYING:
            put(opened, f"during {len(stages)}")
        stages.append((stage, done))
        assert 0 <= done <= total

    target.parent.mkdir()
    back_up(
        opened.store.home,
        opened.unlocked.key,
        target,
        clock=ManualClock(),
        entropy=SystemEntropy(),
        progress=write_meanwhile,
    )
    assert {stage for stage, _ in stages} == set(Stage)
    restored(tmp_path / "fresh", target, WORDS)
    assert names(tmp_path / "fresh", WORDS) == {"kept"}


@pytest.mark.parametrize("place", ["magic", "length", "header", "start", "middle", "end", "seal", "cut", "more"])
def test_a_damaged_backup_changes_nothing(tmp_path: Path, target: Path, place: str):
    """A flipped bit anywhere, a missing or an added byte: refused before the store is touched (F3)."""
    folder, keychain = tmp_path / "home", MemoryKeychain()
    opened = open_store(folder, keychain=keychain)
    made(opened, target)
    opened.store.close()
    before = (folder / "auritas.db").read_bytes()
    target.write_bytes(damaged(target, place))
    with pytest.raises((BackupDamagedError, EnvelopeDamagedError)):
        restored(folder, target, keychain=keychain)
    assert (folder / "auritas.db").read_bytes() == before
    assert not list(folder.glob("restore.*"))


def damaged(file: Path, place: str) -> bytes:
    data, header = bytearray(file.read_bytes()), len(inspect(file).encode())
    spots = {"magic": 3, "length": 17, "header": 40, "start": header + 2, "middle": len(data) // 2, "end": -40}
    if place == "cut":
        return bytes(data[:-1])
    if place == "more":
        return bytes(data + b"x")
    data[spots.get(place, -1)] ^= 4
    return bytes(data)


def test_a_check_of_the_callers_decides(opened: OpenedStore, target: Path, folder: Path):
    """What the caller checks (the audit log) is checked on the copy, at backup and again at restore; it can refuse."""
    seen = []

    def look(unit: Unit) -> None:
        seen.append(unit.connection.scalar(select(local_settings.c.key)))

    def refuse(_unit: Unit) -> None:
        raise VerificationError("The log does not verify.")

    made(opened, target, check=look)
    with pytest.raises(VerificationError):
        made(opened, target.with_name("other"), check=refuse)
    assert not target.with_name("other").exists()
    opened.store.close()
    with pytest.raises(VerificationError):
        restored(folder, target, store_passphrase=WORDS, check=refuse)
    assert seen == ["kept"]
    assert names(folder, WORDS) == {"kept"}


def test_a_failed_backup_keeps_the_one_before(opened: OpenedStore, target: Path):
    """A backup that fails leaves the file of the same name as it was, and nothing beside it."""
    made(opened, target)
    before = target.read_bytes()

    def refuse(_unit: Unit) -> None:
        raise VerificationError("The log does not verify.")

    with pytest.raises(VerificationError):
        made(opened, target, check=refuse)
    assert target.read_bytes() == before
    assert list(target.parent.iterdir()) == [target]


def test_files_that_are_no_backups(opened: OpenedStore, target: Path, folder: Path):
    """A missing file and a foreign one are told apart."""
    opened.store.close()
    with pytest.raises(NoBackupError):
        restored(folder, target, WORDS, WORDS)
    target.parent.mkdir()
    target.write_bytes(b"something else")
    with pytest.raises(BackupDamagedError):
        restored(folder, target, WORDS, WORDS)


def test_a_folder_that_is_not_there(opened: OpenedStore, target: Path):
    """A backup into a missing folder is a typed error."""
    with pytest.raises(AuritasError) as caught:
        back_up(
            opened.store.home,
            opened.unlocked.key,
            target / "deeper" / "x",
            clock=ManualClock(),
            entropy=SystemEntropy(),
        )
    assert caught.value.exit_code == StoreFullError.exit_code


@pytest.mark.parametrize("own", ["auritas.db", "auritas.db-wal", "key.json", "auritas.lock", "config.toml"])
def test_a_backup_never_replaces_a_file_of_the_store(opened: OpenedStore, folder: Path, own: str):
    """A backup that is given the name of the database, the key or a setting is refused, and nothing is touched (F5)."""
    (folder / "config.toml").write_text("")
    before = (folder / own).read_bytes()
    (folder.parent / "alias").symlink_to(folder, target_is_directory=True)
    for path in (folder / own, folder.parent / "alias" / own):
        with pytest.raises(OwnFileError):
            made(opened, path)
    assert (folder / own).read_bytes() == before


def test_an_older_backup_in_the_data_folder_may_be_replaced(opened: OpenedStore, folder: Path):
    """Only files that are no backups are protected."""
    first = made(opened, folder / "mine")
    assert made(opened, folder / "mine").path == first.path
