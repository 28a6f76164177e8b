CREATE TABLE audit_log (
    seq INTEGER NOT NULL CONSTRAINT ck_audit_log_seq_count CHECK (seq >= 0),
    id TEXT NOT NULL,
    created_at TEXT NOT NULL CONSTRAINT ck_audit_log_created_at_form CHECK (created_at LIKE '____-__-__T__:__:__.______Z'),
    event_type TEXT NOT NULL,
    actor TEXT NOT NULL,
    refs TEXT DEFAULT '{}' NOT NULL,
    session_id TEXT,
    trace_id TEXT,
    token_id TEXT,
    field TEXT,
    specialist TEXT,
    u_score REAL,
    confidence REAL,
    latency_ms REAL,
    details TEXT,
    salt BLOB,
    body TEXT,
    leaf_hash BLOB NOT NULL CONSTRAINT ck_audit_log_leaf_hash_length CHECK (length(leaf_hash) = 32),
    prev_hash BLOB NOT NULL CONSTRAINT ck_audit_log_prev_hash_length CHECK (length(prev_hash) = 32),
    curr_hash BLOB NOT NULL CONSTRAINT ck_audit_log_curr_hash_length CHECK (length(curr_hash) = 32),
    CONSTRAINT pk_audit_log PRIMARY KEY (seq),
    CONSTRAINT uq_audit_log_id UNIQUE (id)
) STRICT;

CREATE INDEX ix_audit_log_created_at_seq ON audit_log (created_at, seq);

CREATE INDEX ix_audit_log_event_type_seq ON audit_log (event_type, seq);

CREATE INDEX ix_audit_log_trace_id ON audit_log (trace_id);

CREATE TABLE audit_tiles (
    level INTEGER DEFAULT 0 NOT NULL CONSTRAINT ck_audit_tiles_level_count CHECK (level >= 0),
    idx INTEGER DEFAULT 0 NOT NULL CONSTRAINT ck_audit_tiles_idx_count CHECK (idx >= 0),
    hashes BLOB NOT NULL CONSTRAINT ck_audit_tiles_hashes_length CHECK (length(hashes) = 8192),
    CONSTRAINT pk_audit_tiles PRIMARY KEY (level, idx)
) STRICT;

CREATE TABLE checkpoints (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    size INTEGER DEFAULT 0 NOT NULL CONSTRAINT ck_checkpoints_size_count CHECK (size >= 0),
    root BLOB NOT NULL CONSTRAINT ck_checkpoints_root_length CHECK (length(root) = 32),
    note TEXT NOT NULL,
    level TEXT NOT NULL CONSTRAINT ck_checkpoints_level_choice CHECK (level IN ('unsigned', 'signed', 'witnessed', 'posted')),
    created_at TEXT NOT NULL CONSTRAINT ck_checkpoints_created_at_form CHECK (created_at LIKE '____-__-__T__:__:__.______Z'),
    reason TEXT NOT NULL,
    day TEXT CONSTRAINT ck_checkpoints_day_form CHECK (day LIKE '____-__-__'),
    witness TEXT
) STRICT;

CREATE INDEX ix_checkpoints_size ON checkpoints (size);

CREATE UNIQUE INDEX uq_checkpoints_day ON checkpoints (day) WHERE day IS NOT NULL;

CREATE TABLE traces (
    trace_id TEXT NOT NULL CONSTRAINT ck_traces_trace_id_form CHECK (trace_id LIKE 'tr\_%' ESCAPE '\'),
    ts TEXT NOT NULL CONSTRAINT ck_traces_ts_form CHECK (ts LIKE '____-__-__T__:__:__.______Z'),
    kind TEXT NOT NULL CONSTRAINT ck_traces_kind_choice CHECK (kind IN ('ask', 'resolution', 'action', 'refusal')),
    query_id TEXT,
    conversation_id TEXT,
    document TEXT DEFAULT '{}' NOT NULL,
    audit_seq INTEGER,
    CONSTRAINT pk_traces PRIMARY KEY (trace_id),
    CONSTRAINT fk_traces_conversation_id FOREIGN KEY(conversation_id) REFERENCES conversations (conversation_id) ON DELETE CASCADE
) STRICT;

CREATE INDEX ix_traces_conversation_id ON traces (conversation_id);

CREATE INDEX ix_traces_query_id ON traces (query_id);

CREATE INDEX ix_traces_ts_trace_id ON traces (ts, trace_id);

CREATE TABLE egress (
    id TEXT NOT NULL,
    at TEXT NOT NULL CONSTRAINT ck_egress_at_form CHECK (at LIKE '____-__-__T__:__:__.______Z'),
    url_host TEXT NOT NULL,
    url TEXT NOT NULL CONSTRAINT ck_egress_url_without_query CHECK (url NOT LIKE '%?%'),
    method TEXT NOT NULL,
    model TEXT,
    purpose TEXT NOT NULL,
    query_id TEXT,
    conversation_id TEXT,
    bytes_out INTEGER DEFAULT 0 NOT NULL CONSTRAINT ck_egress_bytes_out_count CHECK (bytes_out >= 0),
    commitment BLOB NOT NULL CONSTRAINT ck_egress_commitment_length CHECK (length(commitment) = 32),
    salt BLOB,
    loopback INTEGER DEFAULT 0 NOT NULL CONSTRAINT ck_egress_loopback_flag CHECK (loopback IN (0, 1)),
    status TEXT,
    audit_seq INTEGER,
    CONSTRAINT pk_egress PRIMARY KEY (id)
) STRICT;

CREATE INDEX ix_egress_at_id ON egress (at, id);

CREATE INDEX ix_egress_conversation_id ON egress (conversation_id);

CREATE INDEX ix_egress_query_id ON egress (query_id);
