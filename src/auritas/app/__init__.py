"""Use cases, settings and the one place where everything is put together."""
