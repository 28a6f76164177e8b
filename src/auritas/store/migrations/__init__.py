"""The numbered, forward-only migrations, and how Alembic is run without a configuration file."""
