"""What a person leaves out of one conversation, and pairs of which both are to hold."""

from pathlib import Path

from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Add two tables, and to the history of corrections the acts on them."""
    connection = op.get_bind()
    script = Path(__file__).with_name("v0006") / "steering.sql"
    for statement in script.read_text(encoding="utf-8").strip().split("\n\n"):
        connection.exec_driver_sql(statement)
