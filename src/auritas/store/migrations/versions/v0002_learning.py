"""What the council learns from: acts of grading, comparisons, reviewers' checks, the tree's history, public scores."""

from pathlib import Path

from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Create the tables of learning and the columns that tie runs to candidates and questions to domains."""
    connection = op.get_bind()
    script = Path(__file__).with_name("v0002") / "learning.sql"
    for statement in script.read_text(encoding="utf-8").strip().split("\n\n"):
        connection.exec_driver_sql(statement)
