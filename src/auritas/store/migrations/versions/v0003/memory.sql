ALTER TABLE corrections ADD COLUMN condition TEXT DEFAULT '' NOT NULL;

ALTER TABLE corrections ADD COLUMN place TEXT DEFAULT '' NOT NULL;

ALTER TABLE corrections ADD COLUMN query_id TEXT;

ALTER TABLE corrections ADD COLUMN message_id TEXT;

CREATE UNIQUE INDEX uq_corrections_active_slot ON corrections (scope, place, slot, condition) WHERE state = 'active' AND slot IS NOT NULL;

CREATE INDEX ix_corrections_claim ON corrections (claim);

CREATE INDEX ix_corrections_query_id ON corrections (query_id);

CREATE INDEX ix_corrections_message_id ON corrections (message_id);

CREATE TABLE correction_events_new (
    seq INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    correction_id TEXT NOT NULL,
    event TEXT NOT NULL CONSTRAINT ck_correction_events_event_choice CHECK (event IN ('created', 'confirmed', 'dismissed', 'applied', 'edited', 'pinned', 'unpinned', 'superseded', 'restored', 'erased')),
    run_id TEXT,
    at TEXT NOT NULL CONSTRAINT ck_correction_events_at_form CHECK (at LIKE '____-__-__T__:__:__.______Z'),
    act_id TEXT,
    before TEXT,
    undone INTEGER DEFAULT '0' NOT NULL CONSTRAINT ck_correction_events_undone_flag CHECK (undone IN (0, 1))
) STRICT;

INSERT INTO correction_events_new (seq, correction_id, event, run_id, at) SELECT seq, correction_id, event, run_id, at FROM correction_events;

DROP TABLE correction_events;

ALTER TABLE correction_events_new RENAME TO correction_events;

CREATE INDEX ix_correction_events_correction_id_at ON correction_events (correction_id, at);

CREATE INDEX ix_correction_events_run_id ON correction_events (run_id);

CREATE INDEX ix_correction_events_act_id ON correction_events (act_id);

ALTER TABLE run_memory ADD COLUMN reason TEXT;

ALTER TABLE run_memory ADD COLUMN tokens INTEGER DEFAULT '0' NOT NULL CONSTRAINT ck_run_memory_tokens_count CHECK (tokens >= 0);

CREATE TABLE run_context (
    run_id TEXT NOT NULL,
    kind TEXT NOT NULL CONSTRAINT ck_run_context_kind_choice CHECK (kind IN ('note', 'passage', 'recovery')),
    ref_id TEXT NOT NULL,
    score REAL CONSTRAINT ck_run_context_score_range CHECK (score BETWEEN 0 AND 1),
    tokens INTEGER DEFAULT '0' NOT NULL CONSTRAINT ck_run_context_tokens_count CHECK (tokens >= 0),
    CONSTRAINT pk_run_context PRIMARY KEY (run_id, kind, ref_id),
    CONSTRAINT fk_run_context_run_id FOREIGN KEY(run_id) REFERENCES model_runs (run_id) ON DELETE CASCADE
) STRICT;

CREATE INDEX ix_run_context_kind_ref_id ON run_context (kind, ref_id);

CREATE TABLE correction_vectors (
    correction_id TEXT NOT NULL,
    embedder TEXT NOT NULL,
    vector BLOB NOT NULL,
    CONSTRAINT pk_correction_vectors PRIMARY KEY (correction_id),
    CONSTRAINT fk_correction_vectors_correction_id FOREIGN KEY(correction_id) REFERENCES corrections (id) ON DELETE CASCADE
) STRICT;

CREATE TABLE message_vectors (
    seq INTEGER NOT NULL,
    embedder TEXT NOT NULL,
    vector BLOB NOT NULL,
    CONSTRAINT pk_message_vectors PRIMARY KEY (seq),
    CONSTRAINT fk_message_vectors_seq FOREIGN KEY(seq) REFERENCES messages (seq) ON DELETE CASCADE
) STRICT;

ALTER TABLE token_counters ADD COLUMN pending TEXT CONSTRAINT ck_token_counters_pending_choice CHECK (pending IN ('token_threshold', 'message_count', 'time_gap', 'manual', 'coverage_job_no_backup'));

ALTER TABLE token_counters ADD COLUMN pending_at TEXT CONSTRAINT ck_token_counters_pending_at_form CHECK (pending_at LIKE '____-__-__T__:__:__.______Z');

ALTER TABLE conversations ADD COLUMN source TEXT DEFAULT 'auritas' NOT NULL CONSTRAINT ck_conversations_source_choice CHECK (source IN ('auritas', 'chatgpt', 'claude'));

ALTER TABLE conversations ADD COLUMN external_id TEXT;

ALTER TABLE conversations ADD COLUMN renamed INTEGER DEFAULT '0' NOT NULL CONSTRAINT ck_conversations_renamed_flag CHECK (renamed IN (0, 1));

ALTER TABLE conversations ADD COLUMN branched_from TEXT;

CREATE UNIQUE INDEX uq_conversations_source_external_id ON conversations (source, external_id) WHERE external_id IS NOT NULL;

ALTER TABLE messages ADD COLUMN external_id TEXT;

ALTER TABLE messages ADD COLUMN edited_from TEXT;

CREATE UNIQUE INDEX uq_messages_conversation_id_external_id ON messages (conversation_id, external_id) WHERE external_id IS NOT NULL;
