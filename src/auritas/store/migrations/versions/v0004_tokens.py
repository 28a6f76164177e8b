"""Tokens of programs and sessions of browsers, told apart."""

from alembic import op

revision = "0004"
down_revision = "0003"
KIND = (
    "ALTER TABLE tokens ADD COLUMN kind TEXT DEFAULT 'api' NOT NULL "
    "CONSTRAINT ck_tokens_kind_choice CHECK (kind IN ('api', 'browser'))"
)


def upgrade() -> None:
    """Add the column; what was there belongs to programs."""
    op.get_bind().exec_driver_sql(KIND)
