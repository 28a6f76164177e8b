"""Memory, search and conversations: slots and acts, notes that wait, indexes that are filled from a queue, imports."""

from pathlib import Path

from alembic import op

revision = "0003"
down_revision = "0002"
SCRIPTS = ("memory", "search", "recall")


def upgrade() -> None:
    """Add what memory and search need; the indexes of earlier messages are queued, not built."""
    connection = op.get_bind()
    for name in SCRIPTS:
        script = Path(__file__).with_name("v0003") / f"{name}.sql"
        for statement in script.read_text(encoding="utf-8").strip().split("\n\n"):
            connection.exec_driver_sql(statement)
