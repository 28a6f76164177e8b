"""Moving a database to the newest schema: forward only, in one transaction, after a backup."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

from sqlalchemy import Connection, create_engine, event
from sqlalchemy.pool import StaticPool
from sqlcipher3 import dbapi2

from auritas.store.errors import NewerSchemaError, damaged, translated

SCRIPTS = Path(__file__).with_name("migrations")
VERSIONS = SCRIPTS / "versions"
VERSION_TABLE = "schema_version"

BeforeMigration: TypeAlias = Callable[[str, str], None]
"""Is called with the schema's version and the one it is going to have; an error stops the migration."""


def known_versions(versions: Path = VERSIONS) -> tuple[str, ...]:
    """Return the numbers of all migrations in order, from the names of their files: importing Alembic is slow."""
    return tuple(sorted(file.name[1:5] for file in versions.glob("v[0-9][0-9][0-9][0-9]_*.py")))


def version_of(connection: Any) -> str | None:
    """Return the schema's version in the database behind a raw connection, or None when it is empty.

    Raises StoreDamagedError when there are tables but no version.
    """
    tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if not tables:
        return None
    row = connection.execute("SELECT version_num FROM schema_version").fetchone() if VERSION_TABLE in tables else None
    if row is None:
        raise damaged(Path("The database"), "It has tables but no schema version")
    return str(row[0])


def require_known(version: str | None, known: tuple[str, ...]) -> None:
    """Raise NewerSchemaError when `version` is none of ours."""
    if version is not None and version not in known:
        raise NewerSchemaError(
            f"The database has schema {version}, and this Auritas knows {known[-1]} at most. It was not touched.",
            remedy="Use the newer Auritas that wrote it, or restore an older backup.",
        )


def migrate(connection: Any, path: Path, versions: Path = VERSIONS, target: str = "head") -> None:
    """Bring the database behind a raw connection to `target`; afterwards everything is done or nothing.

    Raises the typed errors of `auritas.store.errors`; StoreDamagedError when a row refers to a missing one.
    """
    connection.execute("PRAGMA foreign_keys=OFF")  # rebuilding a table drops it for a moment; checked before the commit
    engine = create_engine(
        "sqlite://", module=dbapi2, creator=lambda: connection, poolclass=StaticPool, hide_parameters=True
    )
    event.listen(engine, "begin", lambda begun: begun.exec_driver_sql("BEGIN IMMEDIATE"))
    try:
        with engine.begin() as transaction:
            _run(transaction, versions, target)
            _require_references(transaction, path)
    except Exception as error:
        typed = translated(getattr(error, "orig", error), path)
        if typed is None:
            raise
        raise typed from error
    finally:
        connection.execute("PRAGMA foreign_keys=ON")


def _require_references(connection: Connection, path: Path) -> None:
    if connection.exec_driver_sql("PRAGMA foreign_key_check").first() is not None:
        raise damaged(path, "Rows refer to rows that are not there")


def _run(connection: Connection, versions: Path, target: str) -> None:
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(SCRIPTS).replace("%", "%%"))
    config.set_main_option("version_locations", str(versions).replace("%", "%%"))
    config.set_main_option("path_separator", "newline")
    config.attributes["connection"] = connection
    command.upgrade(config, target)
