"""What Alembic runs: the caller's connection, inside the caller's transaction."""

from alembic import context

context.configure(connection=context.config.attributes["connection"], version_table="schema_version")
with context.begin_transaction():
    context.run_migrations()
