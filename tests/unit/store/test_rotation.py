"""Scheduled backups: when one is due, and which go."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from auritas.kernel.clock import ManualClock
from auritas.kernel.randomness import SystemEntropy
from auritas.store.database import SqlStore
from auritas.store.home import Home
from auritas.store.keychain import NoKeychain
from auritas.store.opening import open_store
from auritas.store.rotation import (
    KEPT,
    back_up_daily,
    before_migration,
    daily_name,
    is_due,
    migration_name,
    newest,
    to_drop,
)

START = datetime(2026, 1, 1, tzinfo=UTC)
MOMENTS = st.lists(st.integers(0, 10**6), unique=True, max_size=20)


@given(MOMENTS, st.integers(0, 10))
def test_the_newest_are_kept(minutes: list[int], keep: int):
    """Exactly the newest ones stay, and files with other names are never dropped."""
    names = [daily_name(START + timedelta(minutes=m)) for m in minutes]
    others = ["notes.txt", migration_name(START, "0001", "0002"), "auritas-99999999T999999Z.backup"]
    dropped = to_drop([*others, *names], keep)
    assert len(names) - len(dropped) == min(keep, len(names))
    assert not set(dropped) & set(others)
    assert all(gone < stays for gone in dropped for stays in set(names) - set(dropped))


def test_when_one_is_due():
    """One is due at first, after a day, and after a clock was set back; not before."""
    assert is_due(None, START)
    assert not is_due(START, START + timedelta(hours=23))
    assert is_due(START, START + timedelta(days=1))
    assert is_due(START, START - timedelta(seconds=1))


def test_the_newest_of_a_folder():
    """Only scheduled backups count as the last one."""
    later = START + timedelta(days=3)
    assert newest([daily_name(START), daily_name(later), migration_name(later, "1", "2"), "x"]) == later
    assert newest(["x"]) is None


def test_ten_days(folder: Path):
    """Ten days with hourly looks make one backup a day, and seven stay."""
    opened = open_store(folder, keychain=NoKeychain())
    opened.store.close()
    home, clock, count = Home(folder), ManualClock(START), 0
    for _ in range(10 * 4):
        made = back_up_daily(home, opened.unlocked.key, clock=clock, entropy=SystemEntropy())
        count += made is not None
        clock.advance(6 * 3600)
    assert count == 10
    assert len(list(home.backups.iterdir())) == KEPT


def test_leftovers_of_a_killed_backup_go(folder: Path):
    """What a killed backup left is removed by the next one."""
    opened = open_store(folder, keychain=NoKeychain())
    opened.store.close()
    home = Home(folder)
    home.backups.mkdir()
    leftover = home.backups / f".{daily_name(START)}.copy"
    leftover.write_bytes(b"x")
    back_up_daily(home, opened.unlocked.key, clock=ManualClock(), entropy=SystemEntropy())
    assert not leftover.exists()


def test_the_backup_before_a_migration(folder: Path):
    """The step before a migration leaves one verified backup, named after both versions, that rotation never drops."""
    opened = open_store(folder, keychain=NoKeychain())
    opened.store.close()
    home = Home(folder)
    before_migration(home, opened.unlocked.key, ManualClock(START), SystemEntropy())("0001", "0002")
    name = "auritas-20260101T000000Z-schema-0001-to-0002.backup"
    assert [path.name for path in home.backups.iterdir()] == [name]
    assert not to_drop([name], 0)
    SqlStore.open(folder, opened.unlocked.key).close()
