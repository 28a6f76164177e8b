"""The health check."""

from contextlib import closing
from pathlib import Path

import pytest
from tests.unit.store.rows import fill_every_table

from auritas.store.database import SqlStore
from auritas.store.engine import Access, connect
from auritas.store.errors import StoreDamagedError
from auritas.store.health import examine, require_sound
from auritas.store.home import Home
from auritas.store.migration import known_versions
from auritas.store.schema import local_settings
from auritas.store.secret import Secret


def test_a_sound_store(store: SqlStore, key: Secret):
    """A sound, open store has no findings, its version, and real sizes."""
    with store.unit() as unit:
        fill_every_table(unit.connection, "word")
    health = examine(store.home, key)
    assert health.ok
    assert health.schema == known_versions()[-1]
    assert health.size > 0
    assert health.wal_size > 0
    assert health.free > 0


def test_a_reference_to_nothing_is_found(folder: Path, key: Secret):
    """A row that refers to a missing one is named with both tables."""
    SqlStore.open(folder, key).close()
    with closing(connect(Home(folder).database, key, Access.WRITE)) as raw:
        raw.execute("PRAGMA foreign_keys=OFF")
        raw.execute(
            "INSERT INTO token_counters (counter_id, specialist, conversation_id, updated_at) "
            "VALUES ('a', 'b', 'nowhere', '2026-01-01T00:00:00.000000Z')"
        )
    health = examine(Home(folder), key)
    assert health.findings == ("A row of token_counters refers to a row of conversations that is not there",)
    with pytest.raises(StoreDamagedError, match="token_counters"):
        require_sound(Home(folder).database, key)


def test_what_is_still_in_the_log_is_no_damage(store: SqlStore, key: Secret):
    """Pages that are newer in the log, or only there while a reader keeps it, are not taken for damage."""
    rows = [{"key": str(n), "value": "x" * 2000} for n in range(400)]
    with store.unit() as unit:
        unit.connection.execute(local_settings.insert(), rows)
    with store.read():
        for _ in range(3):
            with store.unit() as unit:
                unit.connection.execute(local_settings.update().values(value="y" * 4000))
            assert examine(store.home, key).findings == ()
    assert examine(store.home, key).findings == ()
