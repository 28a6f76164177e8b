CREATE TABLE corrections (
    id TEXT NOT NULL,
    created_at TEXT NOT NULL CONSTRAINT ck_corrections_created_at_form CHECK (created_at LIKE '____-__-__T__:__:__.______Z'),
    subject TEXT NOT NULL,
    domain TEXT,
    claim TEXT NOT NULL,
    rejected TEXT,
    confidence REAL NOT NULL CONSTRAINT ck_corrections_confidence_range CHECK (confidence BETWEEN 0 AND 1),
    source TEXT NOT NULL CONSTRAINT ck_corrections_source_choice CHECK (source IN ('arbiter', 'manual')),
    effective_confidence REAL NOT NULL CONSTRAINT ck_corrections_effective_confidence_range CHECK (effective_confidence BETWEEN 0 AND 1),
    decay_class TEXT NOT NULL CONSTRAINT ck_corrections_decay_class_choice CHECK (decay_class IN ('A', 'B', 'C')),
    metadata TEXT DEFAULT '{}' NOT NULL,
    type TEXT NOT NULL CONSTRAINT ck_corrections_type_choice CHECK (type IN ('factual_correction', 'persistent_instruction', 'preference_rule', 'model_preference', 'domain_rule', 'project_decision', 'failure_pattern')),
    scope TEXT NOT NULL CONSTRAINT ck_corrections_scope_choice CHECK (scope IN ('global', 'project', 'conversation', 'domain', 'superseded')),
    state TEXT DEFAULT 'proposed' NOT NULL CONSTRAINT ck_corrections_state_choice CHECK (state IN ('proposed', 'active', 'superseded', 'erased')),
    slot TEXT,
    project_id TEXT,
    conversation_id TEXT,
    canonical_query TEXT,
    instruction TEXT,
    reason TEXT,
    pinned INTEGER DEFAULT 0 NOT NULL CONSTRAINT ck_corrections_pinned_flag CHECK (pinned IN (0, 1)),
    provenance TEXT NOT NULL CONSTRAINT ck_corrections_provenance_choice CHECK (provenance IN ('user_explicit', 'user_implicit', 'reviewer', 'committee', 'import')),
    superseded_by TEXT,
    last_used_at TEXT CONSTRAINT ck_corrections_last_used_at_form CHECK (last_used_at LIKE '____-__-__T__:__:__.______Z'),
    CONSTRAINT pk_corrections PRIMARY KEY (id),
    CONSTRAINT fk_corrections_project_id FOREIGN KEY(project_id) REFERENCES projects (project_id) ON DELETE SET NULL,
    CONSTRAINT fk_corrections_conversation_id FOREIGN KEY(conversation_id) REFERENCES conversations (conversation_id) ON DELETE SET NULL,
    CONSTRAINT fk_corrections_superseded_by FOREIGN KEY(superseded_by) REFERENCES corrections (id) ON DELETE SET NULL
) STRICT;

CREATE INDEX ix_corrections_conversation_id ON corrections (conversation_id);

CREATE INDEX ix_corrections_created_at_id ON corrections (created_at, id);

CREATE INDEX ix_corrections_project_id ON corrections (project_id);

CREATE INDEX ix_corrections_slot ON corrections (slot);

CREATE INDEX ix_corrections_state_scope ON corrections (state, scope);

CREATE INDEX ix_corrections_superseded_by ON corrections (superseded_by);

CREATE TABLE correction_events (
    seq INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    correction_id TEXT NOT NULL,
    event TEXT NOT NULL CONSTRAINT ck_correction_events_event_choice CHECK (event IN ('created', 'applied', 'edited', 'superseded', 'erased')),
    run_id TEXT,
    at TEXT NOT NULL CONSTRAINT ck_correction_events_at_form CHECK (at LIKE '____-__-__T__:__:__.______Z')
) STRICT;

CREATE INDEX ix_correction_events_correction_id_at ON correction_events (correction_id, at);

CREATE INDEX ix_correction_events_run_id ON correction_events (run_id);

CREATE TABLE run_memory (
    run_id TEXT NOT NULL,
    correction_id TEXT NOT NULL,
    relevance REAL NOT NULL CONSTRAINT ck_run_memory_relevance_range CHECK (relevance BETWEEN 0 AND 1),
    failure_prevention REAL NOT NULL CONSTRAINT ck_run_memory_failure_prevention_range CHECK (failure_prevention BETWEEN 0 AND 1),
    importance REAL NOT NULL CONSTRAINT ck_run_memory_importance_range CHECK (importance BETWEEN 0 AND 1),
    recency REAL NOT NULL CONSTRAINT ck_run_memory_recency_range CHECK (recency BETWEEN 0 AND 1),
    confidence REAL NOT NULL CONSTRAINT ck_run_memory_confidence_range CHECK (confidence BETWEEN 0 AND 1),
    pinned REAL NOT NULL CONSTRAINT ck_run_memory_pinned_range CHECK (pinned BETWEEN 0 AND 1),
    staleness REAL NOT NULL CONSTRAINT ck_run_memory_staleness_range CHECK (staleness BETWEEN 0 AND 1),
    token_cost REAL NOT NULL CONSTRAINT ck_run_memory_token_cost_range CHECK (token_cost BETWEEN 0 AND 1),
    score REAL NOT NULL,
    injected INTEGER DEFAULT 0 NOT NULL CONSTRAINT ck_run_memory_injected_flag CHECK (injected IN (0, 1)),
    CONSTRAINT pk_run_memory PRIMARY KEY (run_id, correction_id),
    CONSTRAINT fk_run_memory_run_id FOREIGN KEY(run_id) REFERENCES model_runs (run_id) ON DELETE CASCADE
) STRICT;

CREATE INDEX ix_run_memory_correction_id ON run_memory (correction_id);

CREATE TABLE model_context_prompts (
    specialist TEXT NOT NULL,
    text TEXT NOT NULL,
    generated_at TEXT NOT NULL CONSTRAINT ck_model_context_prompts_generated_at_form CHECK (generated_at LIKE '____-__-__T__:__:__.______Z'),
    corrections_hash TEXT NOT NULL,
    CONSTRAINT pk_model_context_prompts PRIMARY KEY (specialist)
) STRICT;

CREATE TABLE nodes (
    node_id TEXT NOT NULL,
    type TEXT NOT NULL CONSTRAINT ck_nodes_type_choice CHECK (type IN ('User', 'Event', 'App', 'Person', 'Place', 'Transaction', 'Conversation', 'HealthSnapshot', 'Action', 'Trace')),
    created_at TEXT NOT NULL CONSTRAINT ck_nodes_created_at_form CHECK (created_at LIKE '____-__-__T__:__:__.______Z'),
    expires_at TEXT CONSTRAINT ck_nodes_expires_at_form CHECK (expires_at LIKE '____-__-__T__:__:__.______Z'),
    properties TEXT DEFAULT '{}' NOT NULL,
    CONSTRAINT pk_nodes PRIMARY KEY (node_id)
) STRICT;

CREATE INDEX ix_nodes_expires_at ON nodes (expires_at);

CREATE INDEX ix_nodes_type_created_at ON nodes (type, created_at);

CREATE TABLE edges (
    edge_id TEXT NOT NULL,
    type TEXT NOT NULL CONSTRAINT ck_edges_type_choice CHECK (type IN ('attended', 'sent_to', 'located_at', 'paid_to', 'talked_about', 'felt_during', 'triggered_by', 'confirmed_by_user')),
    source_id TEXT NOT NULL,
    target_id TEXT NOT NULL,
    created_at TEXT NOT NULL CONSTRAINT ck_edges_created_at_form CHECK (created_at LIKE '____-__-__T__:__:__.______Z'),
    properties TEXT DEFAULT '{}' NOT NULL,
    CONSTRAINT pk_edges PRIMARY KEY (edge_id),
    CONSTRAINT fk_edges_source_id FOREIGN KEY(source_id) REFERENCES nodes (node_id) ON DELETE CASCADE,
    CONSTRAINT fk_edges_target_id FOREIGN KEY(target_id) REFERENCES nodes (node_id) ON DELETE CASCADE
) STRICT;

CREATE INDEX ix_edges_source_id_type ON edges (source_id, type);

CREATE INDEX ix_edges_target_id_type ON edges (target_id, type);
