"""The first schema. Its statements are frozen in the files beside this one, separated by empty lines."""

from pathlib import Path

from alembic import op

revision = "0001"
down_revision = None

_PARTS = ("conversation", "council", "memory", "oracle", "proof", "operation", "keywords")


def upgrade() -> None:
    """Create every table, index, trigger and view."""
    connection = op.get_bind()
    for part in _PARTS:
        script = Path(__file__).with_name("v0001") / f"{part}.sql"
        for statement in script.read_text(encoding="utf-8").strip().split("\n\n"):
            connection.exec_driver_sql(statement)
