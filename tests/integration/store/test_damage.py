"""F3: wrong keys and damaged pages."""

from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.unit.store.rows import fill_every_table

from auritas.kernel.randomness import SystemEntropy
from auritas.store.database import SqlStore
from auritas.store.errors import StoreDamagedError, WrongKeyError
from auritas.store.health import examine
from auritas.store.home import Home
from auritas.store.schema import local_settings, metadata
from auritas.store.secret import Secret
from auritas.store.unit import Unit

PAGE = 4096


class Sample:
    """One database with something in every table, and the folder in which its damaged copies are looked at."""

    def __init__(self, folder: Path) -> None:
        self.home = Home(folder)
        self.key = Secret(SystemEntropy().token(32))
        with SqlStore.open(folder, self.key) as store:
            with store.unit() as unit:
                fill_every_table(unit.connection, "word")
                rows = [{"key": str(n), "value": "x" * 1500} for n in range(60)]
                unit.connection.execute(local_settings.insert(), rows)
            self.content = everything(store)
        self.data = self.home.database.read_bytes()

    def flip(self, offset: int, mask: int = 1) -> None:
        """Put in place a copy in which one byte differs."""
        changed = bytearray(self.data)
        changed[offset] ^= mask
        self.home.database.write_bytes(changed)


def everything(store: SqlStore) -> dict[str, Any]:
    """Return every row of every table."""
    with store.read() as unit:
        return {table.name: unit.connection.execute(table.select()).all() for table in metadata.sorted_tables}


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Sample:
    return Sample(tmp_path_factory.mktemp("sample") / "home")


def is_detected(sample: Sample) -> bool:
    """Tell whether the check names the damage, or the file is refused as a whole (its first page)."""
    try:
        return not examine(sample.home, sample.key).ok
    except WrongKeyError:
        return True


def test_one_flipped_byte_in_each_page(sample: Sample):
    """One flipped byte in any page of the file is found by the check, for every page there is (F3)."""
    pages = len(sample.data) // PAGE
    assert pages > 150
    for page in range(pages):
        sample.flip(page * PAGE + (page * 997) % PAGE)
        assert is_detected(sample), page


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_flipped_byte(sample: Sample, data: st.DataObject):
    """Wherever the byte is and however it changes, the check finds it (F3)."""
    sample.flip(data.draw(st.integers(0, len(sample.data) - 1)), data.draw(st.integers(1, 255)))
    assert is_detected(sample)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_no_wrong_row_is_ever_read(sample: Sample, data: st.DataObject):
    """Reading a damaged file gives the rows that were written, or a typed error with exit code 6; never others (F3)."""
    sample.flip(data.draw(st.integers(0, len(sample.data) - 1)))
    with suppress(StoreDamagedError, WrongKeyError), SqlStore.open(sample.home.folder, sample.key) as store:
        assert everything(store) == sample.content


def test_writing_into_damage_is_a_typed_error(sample: Sample):
    """A write that meets a damaged page raises the typed error and lands in no part (F3)."""
    sample.home.database.write_bytes(sample.data)
    with SqlStore.open(sample.home.folder, sample.key) as store, store.read() as unit:
        asking = "SELECT rootpage FROM sqlite_master WHERE name = 'local_settings'"
        root = unit.connection.exec_driver_sql(asking).scalar_one()
    sample.flip((root - 1) * PAGE + 100)

    def write(unit: Unit) -> None:
        unit.connection.execute(metadata.tables["schedule"].insert().values(job="a"))
        unit.connection.execute(local_settings.insert().values(key="new", value=""))

    with SqlStore.open(sample.home.folder, sample.key) as store:
        with pytest.raises(StoreDamagedError) as caught, store.unit() as unit:
            write(unit)
        assert caught.value.exit_code == 6
        assert caught.value.remedy
        with store.read() as unit:
            jobs = unit.connection.execute(metadata.tables["schedule"].select()).all()
    assert [row.job for row in jobs] == ["word"]


def test_a_truncated_file_is_found(sample: Sample):
    """A file that lost its last page is damaged (F3)."""
    sample.home.database.write_bytes(sample.data[:-PAGE])
    assert is_detected(sample)


def test_damage_to_the_log_loses_only_its_end(tmp_path: Path):
    """A flipped byte in the write-ahead log ends it there: what is read is whole units, and the file is sound."""
    folder, key = tmp_path / "home", Secret(SystemEntropy().token(32))
    store = SqlStore.open(folder, key)
    store.empty_wal()
    for n in range(20):
        with store.unit() as unit:
            unit.connection.execute(local_settings.insert().values(key=f"{n:02}", value=str(n)))
    log = bytearray((folder / "auritas.db-wal").read_bytes())
    database = (folder / "auritas.db").read_bytes()
    store.close()
    log[len(log) // 2] ^= 1
    (folder / "auritas.db").write_bytes(database)
    (folder / "auritas.db-wal").write_bytes(log)
    with SqlStore.open(folder, key) as again, again.read() as unit:
        kept = [row.key for row in unit.connection.execute(local_settings.select())]
    assert kept == [f"{n:02}" for n in range(len(kept))]
    assert 0 < len(kept) < 20
    assert examine(Home(folder), key).ok


def test_the_wrong_key(tmp_path: Path):
    """Each of twenty wrong keys is refused by name, one bit off included (F3)."""
    folder, key = tmp_path / "home", Secret(SystemEntropy().token(32))
    SqlStore.open(folder, key).close()
    close = bytearray(key.reveal())
    close[31] ^= 1
    for wrong in [bytes(close), *(SystemEntropy().token(32) for _ in range(19))]:
        with pytest.raises(WrongKeyError), closing(SqlStore.open(folder, Secret(wrong))):
            pass
    SqlStore.open(folder, key).close()
