"""Running the program: settings, secrets, access tokens, scheduled jobs and the outbox."""

from sqlalchemy import Index

from auritas.store.schema.columns import HASH_BYTES, blob, choice, count, json, moment, table, text, whole

local_settings = table(
    "local_settings",
    text("key", primary_key=True),
    text("value"),
    moment("updated_at", null=True),
)

secrets = table(
    "secrets",
    text("name", primary_key=True),
    text("value"),
    moment("updated_at"),
)

# Only a token's hash is kept: the token itself is shown once. A browser's session is a token of its own kind.
tokens = table(
    "tokens",
    text("token_id", primary_key=True),
    text("name"),
    text("owner", server_default="local"),
    blob("token_hash", length=HASH_BYTES),
    json("scopes", "[]"),
    moment("created_at"),
    moment("expires_at", null=True),
    moment("last_used_at", null=True),
    moment("revoked_at", null=True),
    choice("kind", "api", "browser", default="api"),
    Index("uq_tokens_token_hash", "token_hash", unique=True),
)

# `holder` and `held_until` are the lease by which one process owns a job.
schedule = table(
    "schedule",
    text("job", primary_key=True),
    moment("next_run_at", null=True),
    moment("last_run_at", null=True),
    text("last_error", null=True),
    count("failures"),
    text("holder", null=True),
    moment("held_until", null=True),
    json("state"),
    Index(None, "next_run_at"),
)

outbox = table(
    "outbox",
    whole("seq", primary_key=True),
    text("topic"),
    json("payload"),
    moment("created_at"),
    moment("available_at"),
    moment("done_at", null=True),
    count("attempts"),
    text("last_error", null=True),
    Index(None, "done_at", "available_at", "seq"),
    sqlite_autoincrement=True,
)
