"""F2: nothing that is written can be read on the disk."""

from pathlib import Path

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from sqlalchemy import func, select
from sqlalchemy.exc import IntegrityError
from tests.unit.store.rows import fill_every_table

from auritas.app.sweeping import swept
from auritas.kernel.clock import ManualClock
from auritas.kernel.randomness import SystemEntropy
from auritas.search.adapters.index_sql import SqlWordIndex
from auritas.store import schema
from auritas.store.backup import back_up
from auritas.store.keychain import NoKeychain
from auritas.store.opening import OpenedStore, open_store
from auritas.store.restore import restore
from auritas.store.rotation import back_up_daily
from auritas.store.schema import metadata

CANARY = "zyzzyvaquokka"
WORDS = "correct horse battery"
PAGE, SALT, BEHIND = 4096, 16, 80


def occurrences(*places: Path) -> dict[str, int]:
    """Count the canary, in whatever case, in every file below the given places."""
    files = [file for place in places for file in (place.rglob("*") if place.is_dir() else [place]) if file.is_file()]
    assert files
    counts = {file.name: file.read_bytes().lower().count(CANARY.encode()) for file in files}
    return {name: count for name, count in counts.items() if count}


@pytest.fixture
def opened(tmp_path: Path) -> OpenedStore:
    opened = open_store(tmp_path / "home", WORDS, keychain=NoKeychain())
    with opened.store.unit() as unit:
        fill_every_table(unit.connection, CANARY)
        for name in SqlWordIndex().take(unit, 9):
            SqlWordIndex().put(unit, name, ())
    return opened


def test_every_table_was_filled(opened: OpenedStore):
    """The test looks for something: the word is in every table, and in the index of words."""
    with opened.store.read() as unit:
        for table in metadata.sorted_tables:
            assert CANARY in str(unit.connection.execute(table.select()).all()), table.name
        found = unit.connection.exec_driver_sql("SELECT count(*) FROM message_keywords WHERE keyword LIKE 'zyzzy%'")
        assert found.scalar() == 1
    opened.store.close()


def test_no_canary_in_files(opened: OpenedStore, tmp_path: Path):
    """The word is 0 times in database, write-ahead log, shared memory and key file, open or closed (F2)."""
    home = tmp_path / "home"
    assert (home / "auritas.db-wal").stat().st_size > 0
    assert not occurrences(home)
    opened.store.sync()
    opened.store.empty_wal()
    assert not occurrences(home)
    opened.store.close()
    assert not occurrences(home)


def test_no_canary_in_backups(opened: OpenedStore, tmp_path: Path):
    """The word is 0 times in backups, in what a restore leaves, and in every file on the way (F2)."""
    clock, entropy, seen = ManualClock(), SystemEntropy(), []
    target = tmp_path / "out.backup"
    home = opened.store.home

    def look(*_progress: object) -> None:
        seen.append(occurrences(tmp_path))

    back_up_daily(home, opened.unlocked.key, clock=clock, entropy=entropy, progress=look)
    back_up(home, opened.unlocked.key, target, clock=clock, entropy=entropy, passphrase=WORDS, progress=look)
    opened.store.close()
    restore(
        home.folder,
        target,
        clock=clock,
        entropy=entropy,
        keychain=NoKeychain(),
        passphrase=WORDS,
        store_passphrase=WORDS,
        progress=look,
    )
    assert len(seen) > 10
    assert not any(seen)
    assert not occurrences(tmp_path)


def test_no_canary_in_errors(opened: OpenedStore):
    """An error of the database names the rule that was broken, and no word of what was written (F2)."""
    row = {"key": CANARY, "value": CANARY}
    with pytest.raises(IntegrityError) as caught, opened.store.unit() as unit:
        unit.connection.execute(schema.local_settings.insert().values(row))
    assert "UNIQUE" in str(caught.value)
    assert CANARY not in str(caught.value)
    with opened.store.read() as unit:
        assert unit.connection.scalar(select(func.count()).select_from(schema.local_settings)) == 1
    opened.store.close()


def test_an_erased_word_is_on_no_page(opened: OpenedStore):
    """After deleting, the word is on no page of a decrypted copy, free pages and index included (F13, store)."""
    opened.store.empty_wal()
    assert CANARY.encode() in decrypted(opened).lower()
    with opened.store.unit() as unit:
        unit.connection.exec_driver_sql("PRAGMA defer_foreign_keys=ON")
        for table in reversed(metadata.sorted_tables):
            unit.connection.execute(table.delete())
    assert swept(opened.store)  # as after each deletion by a person
    assert b"CREATE TABLE messages" in decrypted(opened)
    assert CANARY.encode() not in decrypted(opened).lower()
    opened.store.close()


def decrypted(opened: OpenedStore) -> bytes:
    """Return the file page by page decrypted, free pages included (SQLCipher 4: AES-256-CBC, 80 bytes behind)."""
    data, pages = opened.store.home.database.read_bytes(), []
    for start in range(0, len(data), PAGE):
        page = data[start : start + PAGE]
        sealed, vector = page[SALT if start == 0 else 0 : PAGE - BEHIND], page[PAGE - BEHIND : PAGE - BEHIND + 16]
        decryptor = Cipher(algorithms.AES(opened.unlocked.key.reveal()), modes.CBC(vector)).decryptor()
        pages.append(decryptor.update(sealed))
    return b"".join(pages)
