"""Files that are attached to messages, and conversations that leave nothing behind."""

from pathlib import Path

from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Add a table and a flag."""
    connection = op.get_bind()
    script = Path(__file__).with_name("v0005") / "attachments.sql"
    for statement in script.read_text(encoding="utf-8").strip().split("\n\n"):
        connection.exec_driver_sql(statement)
