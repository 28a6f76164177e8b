CREATE TABLE projects (
    project_id TEXT NOT NULL,
    user_id TEXT DEFAULT 'local' NOT NULL,
    name TEXT NOT NULL,
    created_at TEXT NOT NULL CONSTRAINT ck_projects_created_at_form CHECK (created_at LIKE '____-__-__T__:__:__.______Z'),
    system_prompt TEXT,
    archived INTEGER DEFAULT 0 NOT NULL CONSTRAINT ck_projects_archived_flag CHECK (archived IN (0, 1)),
    CONSTRAINT pk_projects PRIMARY KEY (project_id)
) STRICT;

CREATE TABLE conversations (
    conversation_id TEXT NOT NULL,
    user_id TEXT DEFAULT 'local' NOT NULL,
    title TEXT DEFAULT '' NOT NULL,
    project_id TEXT,
    created_at TEXT NOT NULL CONSTRAINT ck_conversations_created_at_form CHECK (created_at LIKE '____-__-__T__:__:__.______Z'),
    updated_at TEXT NOT NULL CONSTRAINT ck_conversations_updated_at_form CHECK (updated_at LIKE '____-__-__T__:__:__.______Z'),
    system_prompt TEXT,
    archived INTEGER DEFAULT 0 NOT NULL CONSTRAINT ck_conversations_archived_flag CHECK (archived IN (0, 1)),
    CONSTRAINT pk_conversations PRIMARY KEY (conversation_id),
    CONSTRAINT fk_conversations_project_id FOREIGN KEY(project_id) REFERENCES projects (project_id) ON DELETE SET NULL
) STRICT;

CREATE INDEX ix_conversations_project_id ON conversations (project_id);

CREATE INDEX ix_conversations_updated_at_conversation_id ON conversations (updated_at, conversation_id);

CREATE TABLE messages (
    seq INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    message_id TEXT NOT NULL,
    conversation_id TEXT NOT NULL,
    parent_id TEXT,
    role TEXT NOT NULL CONSTRAINT ck_messages_role_choice CHECK (role IN ('system', 'user', 'assistant')),
    content TEXT NOT NULL,
    callout_type TEXT CONSTRAINT ck_messages_callout_type_choice CHECK (callout_type IN ('disagreement', 'correction')),
    models_used TEXT DEFAULT '[]' NOT NULL,
    accuracy_level TEXT CONSTRAINT ck_messages_accuracy_level_choice CHECK (accuracy_level IN ('fast', 'balanced', 'high', 'maximum')),
    confidence TEXT CONSTRAINT ck_messages_confidence_choice CHECK (confidence IN ('High', 'Medium', 'Uncertain')),
    notices TEXT DEFAULT '[]' NOT NULL,
    created_at TEXT NOT NULL CONSTRAINT ck_messages_created_at_form CHECK (created_at LIKE '____-__-__T__:__:__.______Z'),
    CONSTRAINT uq_messages_message_id UNIQUE (message_id),
    CONSTRAINT fk_messages_conversation_id FOREIGN KEY(conversation_id) REFERENCES conversations (conversation_id) ON DELETE CASCADE,
    CONSTRAINT fk_messages_parent_id FOREIGN KEY(parent_id) REFERENCES messages (message_id) ON DELETE SET NULL
) STRICT;

CREATE INDEX ix_messages_conversation_id_created_at_seq ON messages (conversation_id, created_at, seq);

CREATE INDEX ix_messages_created_at_seq ON messages (created_at, seq);

CREATE INDEX ix_messages_parent_id ON messages (parent_id);

CREATE TABLE queries (
    query_id TEXT NOT NULL,
    conversation_id TEXT NOT NULL,
    message_id TEXT,
    question_message_id TEXT,
    level TEXT NOT NULL CONSTRAINT ck_queries_level_choice CHECK (level IN ('fast', 'balanced', 'high', 'maximum')),
    status TEXT DEFAULT 'started' NOT NULL CONSTRAINT ck_queries_status_choice CHECK (status IN ('started', 'finished', 'failed', 'interrupted')),
    trace_id TEXT,
    cost_micros INTEGER DEFAULT 0 NOT NULL CONSTRAINT ck_queries_cost_micros_count CHECK (cost_micros >= 0),
    degraded TEXT DEFAULT '[]' NOT NULL,
    created_at TEXT NOT NULL CONSTRAINT ck_queries_created_at_form CHECK (created_at LIKE '____-__-__T__:__:__.______Z'),
    CONSTRAINT pk_queries PRIMARY KEY (query_id),
    CONSTRAINT fk_queries_conversation_id FOREIGN KEY(conversation_id) REFERENCES conversations (conversation_id) ON DELETE CASCADE,
    CONSTRAINT fk_queries_message_id FOREIGN KEY(message_id) REFERENCES messages (message_id) ON DELETE SET NULL,
    CONSTRAINT fk_queries_question_message_id FOREIGN KEY(question_message_id) REFERENCES messages (message_id) ON DELETE SET NULL,
    CONSTRAINT fk_queries_trace_id FOREIGN KEY(trace_id) REFERENCES traces (trace_id) ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE INDEX ix_queries_conversation_id_created_at ON queries (conversation_id, created_at);

CREATE INDEX ix_queries_message_id ON queries (message_id);

CREATE INDEX ix_queries_question_message_id ON queries (question_message_id);

CREATE INDEX ix_queries_status ON queries (status);

CREATE INDEX ix_queries_trace_id ON queries (trace_id);

CREATE TABLE sessions (
    id TEXT NOT NULL,
    created_at TEXT NOT NULL CONSTRAINT ck_sessions_created_at_form CHECK (created_at LIKE '____-__-__T__:__:__.______Z'),
    updated_at TEXT NOT NULL CONSTRAINT ck_sessions_updated_at_form CHECK (updated_at LIKE '____-__-__T__:__:__.______Z'),
    domain TEXT,
    query_count INTEGER DEFAULT 0 NOT NULL CONSTRAINT ck_sessions_query_count_count CHECK (query_count >= 0),
    metadata TEXT DEFAULT '{}' NOT NULL,
    CONSTRAINT pk_sessions PRIMARY KEY (id)
) STRICT;

CREATE INDEX ix_sessions_updated_at ON sessions (updated_at);

CREATE TABLE token_counters (
    counter_id TEXT NOT NULL,
    specialist TEXT NOT NULL,
    conversation_id TEXT NOT NULL,
    token_estimate INTEGER DEFAULT 0 NOT NULL CONSTRAINT ck_token_counters_token_estimate_count CHECK (token_estimate >= 0),
    message_count INTEGER DEFAULT 0 NOT NULL CONSTRAINT ck_token_counters_message_count_count CHECK (message_count >= 0),
    thread_number INTEGER DEFAULT 0 NOT NULL CONSTRAINT ck_token_counters_thread_number_count CHECK (thread_number >= 0),
    updated_at TEXT NOT NULL CONSTRAINT ck_token_counters_updated_at_form CHECK (updated_at LIKE '____-__-__T__:__:__.______Z'),
    CONSTRAINT pk_token_counters PRIMARY KEY (counter_id),
    CONSTRAINT uq_token_counters_specialist_conversation_id UNIQUE (specialist, conversation_id),
    CONSTRAINT fk_token_counters_conversation_id FOREIGN KEY(conversation_id) REFERENCES conversations (conversation_id) ON DELETE CASCADE
) STRICT;

CREATE INDEX ix_token_counters_conversation_id ON token_counters (conversation_id);

CREATE TABLE context_backups (
    backup_id TEXT NOT NULL,
    conversation_id TEXT NOT NULL,
    specialist TEXT NOT NULL,
    "trigger" TEXT NOT NULL CONSTRAINT ck_context_backups_trigger_choice CHECK (trigger IN ('token_threshold', 'message_count', 'time_gap', 'manual', 'coverage_job_no_backup')),
    thread_number INTEGER DEFAULT 0 NOT NULL CONSTRAINT ck_context_backups_thread_number_count CHECK (thread_number >= 0),
    backup_text TEXT NOT NULL,
    token_estimate INTEGER DEFAULT 0 NOT NULL CONSTRAINT ck_context_backups_token_estimate_count CHECK (token_estimate >= 0),
    covers_seq INTEGER NOT NULL,
    created_at TEXT NOT NULL CONSTRAINT ck_context_backups_created_at_form CHECK (created_at LIKE '____-__-__T__:__:__.______Z'),
    CONSTRAINT pk_context_backups PRIMARY KEY (backup_id),
    CONSTRAINT fk_context_backups_conversation_id FOREIGN KEY(conversation_id) REFERENCES conversations (conversation_id) ON DELETE CASCADE
) STRICT;

CREATE INDEX ix_context_backups_conversation_id_specialist_created_at ON context_backups (conversation_id, specialist, created_at);
