"""Migrations: numbered, forward only, whole or not at all, after a backup."""

import shutil
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import CheckConstraint, inspect
from sqlalchemy.exc import OperationalError

from auritas.kernel.clock import ManualClock
from auritas.kernel.randomness import SystemEntropy
from auritas.store.database import SqlStore
from auritas.store.engine import Access, connect
from auritas.store.errors import NewerSchemaError, PlaintextError, StoreDamagedError, StoreReadOnlyError, WrongKeyError
from auritas.store.home import Home, create_private
from auritas.store.keychain import NoKeychain
from auritas.store.migration import SCRIPTS, known_versions, migrate, version_of
from auritas.store.opening import open_store
from auritas.store.restore import inspect as inspect_backup
from auritas.store.restore import restore
from auritas.store.schema import metadata
from auritas.store.secret import Secret

VERSIONS = known_versions()
NOW, NEXT, AFTER = VERSIONS[-1], "9001", "9002"

SECOND = f'''"""One more migration."""

from alembic import op

revision = "{NEXT}"
down_revision = "{NOW}"


def upgrade():
    """Add a table."""
    op.get_bind().exec_driver_sql("CREATE TABLE second (id TEXT PRIMARY KEY)")
'''

FAILING = SECOND.replace(NEXT, AFTER).replace(f'"{NOW}"', f'"{NEXT}"').replace("second (id", "third (id")
FAILING += "    op.get_bind().exec_driver_sql('DROP TABLE nowhere')\n"


@pytest.fixture
def raw(tmp_path: Path, key: Secret) -> Any:
    path = tmp_path / "raw.db"
    create_private(path)
    with closing(connect(path, key, Access.CREATE)) as connection:
        yield connection


@pytest.fixture
def later(tmp_path: Path) -> Path:
    """Our migrations and two made-up ones: the first works, the second fails half-way."""
    folder = tmp_path / "versions"
    shutil.copytree(SCRIPTS / "versions", folder, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / f"v{NEXT}_second.py").write_text(SECOND)
    (folder / f"v{AFTER}_failing.py").write_text(FAILING)
    return folder


def tables(raw: Any) -> set[str]:
    return {row[0] for row in raw.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}


@pytest.mark.parametrize("start", [None, *VERSIONS])
def test_from_every_earlier_version(raw: Any, tmp_path: Path, start: str | None):
    """From each earlier version, and from nothing, the newest schema is reached and is the one in the code."""
    path = tmp_path / "raw.db"
    if start is not None:
        migrate(raw, path, target=start)
        assert version_of(raw) == start
    migrate(raw, path)
    assert version_of(raw) == VERSIONS[-1]
    assert not raw.execute("PRAGMA foreign_key_check").fetchall()


def test_the_schema_in_the_code_is_the_one_in_the_file(store: SqlStore):
    """Tables, columns, types, indexes, keys and rules of the migrated file are those of the schema module."""

    def ours(_object: Any, name: str | None, kind: str, *_rest: Any) -> bool:
        # The tables of the indexes are the engine's own, like those of FTS5 beside them: they can be rebuilt.
        return not (kind == "table" and (name or "").startswith(("fts_", "recall_", "search_", "sqlite_")))

    with store.read() as unit:
        options = {"version_table": "schema_version", "include_object": ours}
        context = MigrationContext.configure(unit.connection, opts=options)
        assert compare_metadata(context, metadata) == []


def test_rules_and_defaults_in_the_code_are_those_in_the_file(store: SqlStore):
    """Each CHECK and each default of the schema module stands in the file (Alembic does not compare these)."""
    asking = "SELECT name, sql FROM sqlite_master WHERE type = 'table'"
    with store.read() as unit:
        written = {row[0]: row[1] for row in unit.connection.exec_driver_sql(asking)}
        defaults = {table: inspect(unit.connection).get_columns(table) for table in metadata.tables}
    for table in metadata.sorted_tables:
        for rule in (c for c in table.constraints if isinstance(c, CheckConstraint)):
            assert f"CONSTRAINT {rule.name} CHECK ({rule.sqltext})" in written[table.name]
        found = {column["name"]: str(column["default"] or "").strip("'") for column in defaults[table.name]}
        ours = {c.name: str(getattr(c.server_default, "arg", "")) for c in table.columns}
        assert found == ours
        assert written[table.name].endswith("STRICT")


def test_a_failed_migration_leaves_the_old_version(raw: Any, tmp_path: Path, later: Path):
    """When a migration fails half-way, everything since the last version is undone, tables included."""
    migrate(raw, tmp_path / "raw.db", later, NOW)
    with pytest.raises(OperationalError):
        migrate(raw, tmp_path / "raw.db", later)
    assert version_of(raw) == NOW
    assert not {"second", "third"} & tables(raw)
    migrate(raw, tmp_path / "raw.db", later, NEXT)
    assert "second" in tables(raw)


def test_a_migration_that_breaks_references_is_undone(raw: Any, tmp_path: Path, later: Path):
    """A migration may rebuild tables, but not leave a row that refers to nothing."""
    orphan = "INSERT INTO token_counters (counter_id, specialist, conversation_id, updated_at) VALUES ('a', 'b', 'c', "
    breaking = SECOND.replace("CREATE TABLE second (id TEXT PRIMARY KEY)", orphan + "'2026-01-01T00:00:00.000000Z')")
    (later / f"v{NEXT}_second.py").write_text(breaking)
    migrate(raw, tmp_path / "raw.db", later, NOW)
    with pytest.raises(StoreDamagedError):
        migrate(raw, tmp_path / "raw.db", later, NEXT)
    assert version_of(raw) == NOW
    assert raw.execute("PRAGMA foreign_keys").fetchone() == (1,)


def pretend(folder: Path, key: Secret, version: str) -> bytes:
    with closing(connect(Home(folder).database, key, Access.WRITE)) as raw:
        raw.execute("UPDATE schema_version SET version_num = ?", (version,))
    return Home(folder).database.read_bytes()


def test_a_newer_file_is_refused_untouched(folder: Path, key: Secret):
    """A file of a newer schema is refused with a clear error, and not a byte of it changes."""
    SqlStore.open(folder, key).close()
    before = pretend(folder, key, "9999")
    with pytest.raises(NewerSchemaError, match="9999"):
        SqlStore.open(folder, key)
    assert Home(folder).database.read_bytes() == before


def test_what_runs_before_a_migration_can_stop_it(folder: Path, key: Secret, later: Path):
    """The step before a migration hears both versions; when it fails, nothing is migrated."""
    heard = []

    def stop(before: str, after: str) -> None:
        heard.append((before, after))
        raise StoreReadOnlyError("No room for a backup.")

    SqlStore.open(folder, key).close()
    (later / f"v{AFTER}_failing.py").unlink()
    with pytest.raises(StoreReadOnlyError):
        SqlStore.open(folder, key, before_migration=stop, versions=later)
    assert heard == [(NOW, NEXT)]
    SqlStore.open(folder, key, before_migration=lambda *_: None, versions=later).close()
    with closing(connect(Home(folder).database, key, Access.READ)) as raw:
        assert version_of(raw) == NEXT


def test_a_backup_comes_before_a_migration(folder: Path, later: Path):
    """Opening a store of an older schema leaves one backup of it, which restores the state before."""
    (later / f"v{AFTER}_failing.py").unlink()
    opened = open_store(folder, keychain=NoKeychain())
    opened.store.close()
    opened = open_store(folder, keychain=NoKeychain(), clock=ManualClock(), versions=later)
    opened.store.close()
    (backup,) = (folder / "backups").iterdir()
    assert backup.name == f"auritas-20260101T000000Z-schema-{NOW}-to-{NEXT}.backup"
    assert inspect_backup(backup).schema == NOW
    with pytest.raises(NewerSchemaError):
        open_store(folder, keychain=NoKeychain())
    restore(folder, backup, clock=ManualClock(), entropy=SystemEntropy(), keychain=NoKeychain())
    open_store(folder, keychain=NoKeychain()).store.close()


def test_a_wrong_key_is_refused(folder: Path, key: Secret):
    """A wrong key opens nothing, changes nothing and is called by its name (F3)."""
    SqlStore.open(folder, key).close()
    before = Home(folder).database.read_bytes()
    with pytest.raises(WrongKeyError) as caught:
        SqlStore.open(folder, Secret(bytes(32)))
    assert caught.value.exit_code == 6
    assert caught.value.remedy
    assert Home(folder).database.read_bytes() == before


def test_a_plaintext_file_is_refused(folder: Path, key: Secret):
    """An ordinary SQLite file in the place of the database is refused and stays as it is."""
    import sqlite3

    folder.mkdir()
    with closing(sqlite3.connect(folder / "auritas.db")) as plain:
        plain.execute("CREATE TABLE t (a)")
        plain.commit()
    before = (folder / "auritas.db").read_bytes()
    with pytest.raises(PlaintextError):
        SqlStore.open(folder, key)
    assert (folder / "auritas.db").read_bytes() == before


def test_tables_without_a_version_are_damage(folder: Path, key: Secret):
    """A database with tables but no version is not taken for a new one."""
    SqlStore.open(folder, key).close()
    with closing(connect(Home(folder).database, key, Access.WRITE)) as raw:
        raw.execute("DROP TABLE schema_version")
    with pytest.raises(StoreDamagedError):
        SqlStore.open(folder, key)


def test_an_interrupted_first_start_is_finished(folder: Path, key: Secret):
    """A database file that is empty, or has no table yet, is what a first start left: it is set up."""
    folder.mkdir()
    create_private(Home(folder).database)
    SqlStore.open(folder, key).close()
    Home(folder).database.unlink()
    create_private(Home(folder).database)
    with closing(connect(Home(folder).database, key, Access.CREATE)) as raw:
        raw.execute("PRAGMA journal_mode=WAL")
    SqlStore.open(folder, key).close()
