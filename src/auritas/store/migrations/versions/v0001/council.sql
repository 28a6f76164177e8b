CREATE TABLE models (
    name TEXT NOT NULL,
    kind TEXT NOT NULL CONSTRAINT ck_models_kind_choice CHECK (kind IN ('embedded', 'openai', 'anthropic', 'any_llm')),
    base_url TEXT,
    model_id TEXT NOT NULL,
    digest TEXT,
    path TEXT,
    window INTEGER DEFAULT '4096' NOT NULL CONSTRAINT ck_models_window_positive CHECK (window > 0),
    input_price_micros INTEGER DEFAULT 0 NOT NULL CONSTRAINT ck_models_input_price_micros_count CHECK (input_price_micros >= 0),
    output_price_micros INTEGER DEFAULT 0 NOT NULL CONSTRAINT ck_models_output_price_micros_count CHECK (output_price_micros >= 0),
    enabled INTEGER DEFAULT '1' NOT NULL CONSTRAINT ck_models_enabled_flag CHECK (enabled IN (0, 1)),
    key_ref TEXT,
    roles TEXT DEFAULT '[]' NOT NULL,
    self_test TEXT,
    added_at TEXT NOT NULL CONSTRAINT ck_models_added_at_form CHECK (added_at LIKE '____-__-__T__:__:__.______Z'),
    CONSTRAINT pk_models PRIMARY KEY (name)
) STRICT;

CREATE TABLE promotions (
    id TEXT NOT NULL,
    created_at TEXT NOT NULL CONSTRAINT ck_promotions_created_at_form CHECK (created_at LIKE '____-__-__T__:__:__.______Z'),
    specialist TEXT NOT NULL,
    event TEXT NOT NULL CONSTRAINT ck_promotions_event_choice CHECK (event IN ('promote', 'rollback')),
    from_model TEXT,
    to_model TEXT NOT NULL,
    reverted INTEGER DEFAULT 0 NOT NULL CONSTRAINT ck_promotions_reverted_flag CHECK (reverted IN (0, 1)),
    metadata TEXT DEFAULT '{}' NOT NULL,
    CONSTRAINT pk_promotions PRIMARY KEY (id)
) STRICT;

CREATE INDEX ix_promotions_specialist_created_at ON promotions (specialist, created_at);

CREATE TABLE model_runs (
    run_id TEXT NOT NULL,
    query_id TEXT,
    conversation_id TEXT NOT NULL,
    specialist TEXT NOT NULL,
    round TEXT DEFAULT 'answer' NOT NULL CONSTRAINT ck_model_runs_round_choice CHECK (round IN ('answer', 'peer_review')),
    utility_score REAL,
    confidence_score REAL CONSTRAINT ck_model_runs_confidence_score_range CHECK (confidence_score BETWEEN 0 AND 1),
    vcg_welfare_score REAL,
    vcg_winner INTEGER DEFAULT 0 NOT NULL CONSTRAINT ck_model_runs_vcg_winner_flag CHECK (vcg_winner IN (0, 1)),
    corrections_applied TEXT DEFAULT '[]' NOT NULL,
    latency_ms REAL,
    total_ms REAL,
    domain TEXT,
    domain_l0 TEXT,
    domain_path TEXT,
    created_at TEXT NOT NULL CONSTRAINT ck_model_runs_created_at_form CHECK (created_at LIKE '____-__-__T__:__:__.______Z'),
    tokens_in INTEGER DEFAULT 0 NOT NULL CONSTRAINT ck_model_runs_tokens_in_count CHECK (tokens_in >= 0),
    tokens_out INTEGER DEFAULT 0 NOT NULL CONSTRAINT ck_model_runs_tokens_out_count CHECK (tokens_out >= 0),
    cost_micros INTEGER DEFAULT 0 NOT NULL CONSTRAINT ck_model_runs_cost_micros_count CHECK (cost_micros >= 0),
    graded INTEGER DEFAULT 0 NOT NULL CONSTRAINT ck_model_runs_graded_flag CHECK (graded IN (0, 1)),
    correct INTEGER CONSTRAINT ck_model_runs_correct_flag CHECK (correct IN (0, 1)),
    grade_source TEXT,
    attempts INTEGER DEFAULT '1' NOT NULL CONSTRAINT ck_model_runs_attempts_count CHECK (attempts >= 0),
    text TEXT DEFAULT '' NOT NULL,
    explanation TEXT DEFAULT '' NOT NULL,
    abstained INTEGER DEFAULT 0 NOT NULL CONSTRAINT ck_model_runs_abstained_flag CHECK (abstained IN (0, 1)),
    error TEXT,
    stated_confidence REAL CONSTRAINT ck_model_runs_stated_confidence_range CHECK (stated_confidence BETWEEN 0 AND 1),
    model TEXT,
    digest TEXT,
    seed INTEGER,
    engine TEXT,
    CONSTRAINT pk_model_runs PRIMARY KEY (run_id),
    CONSTRAINT fk_model_runs_query_id FOREIGN KEY(query_id) REFERENCES queries (query_id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
    CONSTRAINT fk_model_runs_conversation_id FOREIGN KEY(conversation_id) REFERENCES conversations (conversation_id) ON DELETE CASCADE
) STRICT;

CREATE INDEX ix_model_runs_conversation_id_created_at ON model_runs (conversation_id, created_at);

CREATE INDEX ix_model_runs_created_at_run_id ON model_runs (created_at, run_id);

CREATE INDEX ix_model_runs_query_id ON model_runs (query_id);

CREATE INDEX ix_model_runs_specialist_domain_l0_graded ON model_runs (specialist, domain_l0, graded);

CREATE TABLE grades (
    id TEXT NOT NULL,
    run_id TEXT NOT NULL,
    correct INTEGER CONSTRAINT ck_grades_correct_flag CHECK (correct IN (0, 1)),
    source TEXT NOT NULL,
    reliability REAL NOT NULL CONSTRAINT ck_grades_reliability_range CHECK (reliability BETWEEN 0 AND 1),
    at TEXT NOT NULL CONSTRAINT ck_grades_at_form CHECK (at LIKE '____-__-__T__:__:__.______Z'),
    undone_by TEXT,
    CONSTRAINT pk_grades PRIMARY KEY (id),
    CONSTRAINT fk_grades_run_id FOREIGN KEY(run_id) REFERENCES model_runs (run_id) ON DELETE CASCADE
) STRICT;

CREATE INDEX ix_grades_at_id ON grades (at, id);

CREATE INDEX ix_grades_run_id ON grades (run_id);

CREATE TABLE reviews (
    id TEXT NOT NULL,
    run_id TEXT NOT NULL,
    reviewer TEXT NOT NULL,
    verdict TEXT NOT NULL CONSTRAINT ck_reviews_verdict_choice CHECK (verdict IN ('correct', 'incorrect', 'partially_correct', 'unreviewed')),
    issues TEXT DEFAULT '[]' NOT NULL,
    correction TEXT,
    known_answer INTEGER DEFAULT 0 NOT NULL CONSTRAINT ck_reviews_known_answer_flag CHECK (known_answer IN (0, 1)),
    created_at TEXT NOT NULL CONSTRAINT ck_reviews_created_at_form CHECK (created_at LIKE '____-__-__T__:__:__.______Z'),
    CONSTRAINT pk_reviews PRIMARY KEY (id),
    CONSTRAINT fk_reviews_run_id FOREIGN KEY(run_id) REFERENCES model_runs (run_id) ON DELETE CASCADE
) STRICT;

CREATE INDEX ix_reviews_reviewer_known_answer ON reviews (reviewer, known_answer);

CREATE INDEX ix_reviews_run_id ON reviews (run_id);

CREATE TABLE assertion_events (
    id TEXT NOT NULL,
    session_id TEXT,
    run_id TEXT,
    assertion_name TEXT NOT NULL,
    level TEXT NOT NULL CONSTRAINT ck_assertion_events_level_choice CHECK (level IN ('blocking', 'soft', 'info')),
    passed INTEGER DEFAULT 0 NOT NULL CONSTRAINT ck_assertion_events_passed_flag CHECK (passed IN (0, 1)),
    bonus_applied REAL,
    retries_used INTEGER DEFAULT 0 NOT NULL CONSTRAINT ck_assertion_events_retries_used_count CHECK (retries_used >= 0),
    latency_ms REAL,
    domain TEXT,
    policy_name TEXT,
    created_at TEXT NOT NULL CONSTRAINT ck_assertion_events_created_at_form CHECK (created_at LIKE '____-__-__T__:__:__.______Z'),
    CONSTRAINT pk_assertion_events PRIMARY KEY (id),
    CONSTRAINT fk_assertion_events_session_id FOREIGN KEY(session_id) REFERENCES sessions (id) ON DELETE SET NULL,
    CONSTRAINT fk_assertion_events_run_id FOREIGN KEY(run_id) REFERENCES model_runs (run_id) ON DELETE CASCADE
) STRICT;

CREATE INDEX ix_assertion_events_created_at ON assertion_events (created_at);

CREATE INDEX ix_assertion_events_run_id ON assertion_events (run_id);

CREATE INDEX ix_assertion_events_session_id ON assertion_events (session_id);

CREATE TABLE check_streaks (
    specialist TEXT NOT NULL,
    assertion_name TEXT NOT NULL,
    streak INTEGER DEFAULT 0 NOT NULL CONSTRAINT ck_check_streaks_streak_count CHECK (streak >= 0),
    updated_at TEXT NOT NULL CONSTRAINT ck_check_streaks_updated_at_form CHECK (updated_at LIKE '____-__-__T__:__:__.______Z'),
    CONSTRAINT pk_check_streaks PRIMARY KEY (specialist, assertion_name)
) STRICT;

CREATE TABLE council_weights (
    id TEXT NOT NULL,
    created_at TEXT NOT NULL CONSTRAINT ck_council_weights_created_at_form CHECK (created_at LIKE '____-__-__T__:__:__.______Z'),
    policy TEXT NOT NULL,
    weights TEXT DEFAULT '{}' NOT NULL,
    basis TEXT DEFAULT '{}' NOT NULL,
    grades INTEGER DEFAULT 0 NOT NULL CONSTRAINT ck_council_weights_grades_count CHECK (grades >= 0),
    in_force INTEGER DEFAULT 0 NOT NULL CONSTRAINT ck_council_weights_in_force_flag CHECK (in_force IN (0, 1)),
    CONSTRAINT pk_council_weights PRIMARY KEY (id)
) STRICT;

CREATE INDEX ix_council_weights_policy_in_force ON council_weights (policy, in_force);

CREATE TABLE calibrations (
    id TEXT NOT NULL,
    created_at TEXT NOT NULL CONSTRAINT ck_calibrations_created_at_form CHECK (created_at LIKE '____-__-__T__:__:__.______Z'),
    specialist TEXT NOT NULL,
    kind TEXT NOT NULL,
    parameters TEXT DEFAULT '{}' NOT NULL,
    grades INTEGER DEFAULT 0 NOT NULL CONSTRAINT ck_calibrations_grades_count CHECK (grades >= 0),
    CONSTRAINT pk_calibrations PRIMARY KEY (id)
) STRICT;

CREATE INDEX ix_calibrations_specialist_created_at ON calibrations (specialist, created_at);

CREATE TABLE score_ledger (
    specialist TEXT NOT NULL,
    query_id TEXT NOT NULL,
    part TEXT NOT NULL CONSTRAINT ck_score_ledger_part_choice CHECK (part IN ('brier', 'award')),
    amount REAL,
    basis TEXT NOT NULL,
    created_at TEXT NOT NULL CONSTRAINT ck_score_ledger_created_at_form CHECK (created_at LIKE '____-__-__T__:__:__.______Z'),
    CONSTRAINT pk_score_ledger PRIMARY KEY (specialist, query_id, part)
) STRICT;

CREATE INDEX ix_score_ledger_query_id ON score_ledger (query_id);

CREATE TABLE domain_nodes (
    node_id TEXT NOT NULL,
    parent_id TEXT,
    depth INTEGER DEFAULT 0 NOT NULL CONSTRAINT ck_domain_nodes_depth_count CHECK (depth >= 0),
    aliases TEXT DEFAULT '[]' NOT NULL,
    created_at TEXT NOT NULL CONSTRAINT ck_domain_nodes_created_at_form CHECK (created_at LIKE '____-__-__T__:__:__.______Z'),
    CONSTRAINT pk_domain_nodes PRIMARY KEY (node_id),
    CONSTRAINT fk_domain_nodes_parent_id FOREIGN KEY(parent_id) REFERENCES domain_nodes (node_id)
) STRICT;

CREATE INDEX ix_domain_nodes_parent_id ON domain_nodes (parent_id);

CREATE TABLE domain_candidates (
    string TEXT NOT NULL,
    nearest TEXT NOT NULL,
    similarity REAL CONSTRAINT ck_domain_candidates_similarity_range CHECK (similarity BETWEEN 0 AND 1),
    query_count INTEGER DEFAULT 0 NOT NULL CONSTRAINT ck_domain_candidates_query_count_count CHECK (query_count >= 0),
    models TEXT DEFAULT '[]' NOT NULL,
    first_seen TEXT NOT NULL CONSTRAINT ck_domain_candidates_first_seen_form CHECK (first_seen LIKE '____-__-__T__:__:__.______Z'),
    last_seen TEXT NOT NULL CONSTRAINT ck_domain_candidates_last_seen_form CHECK (last_seen LIKE '____-__-__T__:__:__.______Z'),
    CONSTRAINT pk_domain_candidates PRIMARY KEY (string)
) STRICT;

CREATE INDEX ix_domain_candidates_nearest ON domain_candidates (nearest);
