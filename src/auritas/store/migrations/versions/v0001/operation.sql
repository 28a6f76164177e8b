CREATE TABLE local_settings (
    "key" TEXT NOT NULL,
    value TEXT NOT NULL,
    updated_at TEXT CONSTRAINT ck_local_settings_updated_at_form CHECK (updated_at LIKE '____-__-__T__:__:__.______Z'),
    CONSTRAINT pk_local_settings PRIMARY KEY ("key")
) STRICT;

CREATE TABLE secrets (
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    updated_at TEXT NOT NULL CONSTRAINT ck_secrets_updated_at_form CHECK (updated_at LIKE '____-__-__T__:__:__.______Z'),
    CONSTRAINT pk_secrets PRIMARY KEY (name)
) STRICT;

CREATE TABLE tokens (
    token_id TEXT NOT NULL,
    name TEXT NOT NULL,
    owner TEXT DEFAULT 'local' NOT NULL,
    token_hash BLOB NOT NULL CONSTRAINT ck_tokens_token_hash_length CHECK (length(token_hash) = 32),
    scopes TEXT DEFAULT '[]' NOT NULL,
    created_at TEXT NOT NULL CONSTRAINT ck_tokens_created_at_form CHECK (created_at LIKE '____-__-__T__:__:__.______Z'),
    expires_at TEXT CONSTRAINT ck_tokens_expires_at_form CHECK (expires_at LIKE '____-__-__T__:__:__.______Z'),
    last_used_at TEXT CONSTRAINT ck_tokens_last_used_at_form CHECK (last_used_at LIKE '____-__-__T__:__:__.______Z'),
    revoked_at TEXT CONSTRAINT ck_tokens_revoked_at_form CHECK (revoked_at LIKE '____-__-__T__:__:__.______Z'),
    CONSTRAINT pk_tokens PRIMARY KEY (token_id)
) STRICT;

CREATE UNIQUE INDEX uq_tokens_token_hash ON tokens (token_hash);

CREATE TABLE schedule (
    job TEXT NOT NULL,
    next_run_at TEXT CONSTRAINT ck_schedule_next_run_at_form CHECK (next_run_at LIKE '____-__-__T__:__:__.______Z'),
    last_run_at TEXT CONSTRAINT ck_schedule_last_run_at_form CHECK (last_run_at LIKE '____-__-__T__:__:__.______Z'),
    last_error TEXT,
    failures INTEGER DEFAULT 0 NOT NULL CONSTRAINT ck_schedule_failures_count CHECK (failures >= 0),
    holder TEXT,
    held_until TEXT CONSTRAINT ck_schedule_held_until_form CHECK (held_until LIKE '____-__-__T__:__:__.______Z'),
    state TEXT DEFAULT '{}' NOT NULL,
    CONSTRAINT pk_schedule PRIMARY KEY (job)
) STRICT;

CREATE INDEX ix_schedule_next_run_at ON schedule (next_run_at);

CREATE TABLE outbox (
    seq INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    topic TEXT NOT NULL,
    payload TEXT DEFAULT '{}' NOT NULL,
    created_at TEXT NOT NULL CONSTRAINT ck_outbox_created_at_form CHECK (created_at LIKE '____-__-__T__:__:__.______Z'),
    available_at TEXT NOT NULL CONSTRAINT ck_outbox_available_at_form CHECK (available_at LIKE '____-__-__T__:__:__.______Z'),
    done_at TEXT CONSTRAINT ck_outbox_done_at_form CHECK (done_at LIKE '____-__-__T__:__:__.______Z'),
    attempts INTEGER DEFAULT 0 NOT NULL CONSTRAINT ck_outbox_attempts_count CHECK (attempts >= 0),
    last_error TEXT
) STRICT;

CREATE INDEX ix_outbox_done_at_available_at_seq ON outbox (done_at, available_at, seq);
