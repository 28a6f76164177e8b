CREATE TABLE questions (
    question_id TEXT NOT NULL,
    created_at TEXT NOT NULL CONSTRAINT ck_questions_created_at_form CHECK (created_at LIKE '____-__-__T__:__:__.______Z'),
    text TEXT NOT NULL,
    criteria TEXT DEFAULT '' NOT NULL,
    resolves_at TEXT CONSTRAINT ck_questions_resolves_at_form CHECK (resolves_at LIKE '____-__-__T__:__:__.______Z'),
    "plan" TEXT DEFAULT '{}' NOT NULL,
    parameters TEXT DEFAULT '{}' NOT NULL,
    seed INTEGER NOT NULL,
    evidence_root BLOB CONSTRAINT ck_questions_evidence_root_length CHECK (length(evidence_root) = 32),
    ballots_root BLOB CONSTRAINT ck_questions_ballots_root_length CHECK (length(ballots_root) = 32),
    status TEXT DEFAULT 'planned' NOT NULL CONSTRAINT ck_questions_status_choice CHECK (status IN ('planned', 'running', 'decided', 'undecided', 'failed')),
    conversation_id TEXT,
    audit_seq INTEGER,
    CONSTRAINT pk_questions PRIMARY KEY (question_id),
    CONSTRAINT fk_questions_conversation_id FOREIGN KEY(conversation_id) REFERENCES conversations (conversation_id) ON DELETE SET NULL
) STRICT;

CREATE INDEX ix_questions_conversation_id ON questions (conversation_id);

CREATE INDEX ix_questions_created_at_question_id ON questions (created_at, question_id);

CREATE INDEX ix_questions_status ON questions (status);

CREATE TABLE evidence (
    evidence_id TEXT NOT NULL,
    question_id TEXT NOT NULL,
    position INTEGER DEFAULT 0 NOT NULL CONSTRAINT ck_evidence_position_count CHECK (position >= 0),
    source TEXT NOT NULL,
    url TEXT,
    fetched_at TEXT NOT NULL CONSTRAINT ck_evidence_fetched_at_form CHECK (fetched_at LIKE '____-__-__T__:__:__.______Z'),
    published_at TEXT CONSTRAINT ck_evidence_published_at_form CHECK (published_at LIKE '____-__-__T__:__:__.______Z'),
    text TEXT NOT NULL,
    leaf_hash BLOB NOT NULL CONSTRAINT ck_evidence_leaf_hash_length CHECK (length(leaf_hash) = 32),
    flags TEXT DEFAULT '[]' NOT NULL,
    CONSTRAINT pk_evidence PRIMARY KEY (evidence_id),
    CONSTRAINT uq_evidence_question_id_position UNIQUE (question_id, position),
    CONSTRAINT fk_evidence_question_id FOREIGN KEY(question_id) REFERENCES questions (question_id) ON DELETE CASCADE
) STRICT;

CREATE TABLE raters (
    rater_id TEXT NOT NULL,
    model TEXT NOT NULL,
    digest TEXT DEFAULT '' NOT NULL,
    archetype TEXT NOT NULL,
    prompt_version TEXT NOT NULL,
    confusion TEXT DEFAULT '{}' NOT NULL,
    resolved_count INTEGER DEFAULT 0 NOT NULL CONSTRAINT ck_raters_resolved_count_count CHECK (resolved_count >= 0),
    updated_at TEXT NOT NULL CONSTRAINT ck_raters_updated_at_form CHECK (updated_at LIKE '____-__-__T__:__:__.______Z'),
    CONSTRAINT pk_raters PRIMARY KEY (rater_id),
    CONSTRAINT uq_raters_model_digest_archetype_prompt_version UNIQUE (model, digest, archetype, prompt_version)
) STRICT;

CREATE TABLE ballots (
    ballot_id TEXT NOT NULL,
    question_id TEXT NOT NULL,
    iteration INTEGER DEFAULT 0 NOT NULL CONSTRAINT ck_ballots_iteration_count CHECK (iteration >= 0),
    seat TEXT NOT NULL,
    prompt_hash TEXT NOT NULL,
    rater_id TEXT NOT NULL,
    vote TEXT CONSTRAINT ck_ballots_vote_choice CHECK (vote IN ('YES', 'NO', 'NULL')),
    reason_code TEXT CONSTRAINT ck_ballots_reason_code_choice CHECK (reason_code IN ('too_early', 'ambiguous', 'insufficient_evidence', 'abstain')),
    supporting TEXT DEFAULT '[]' NOT NULL,
    refuting TEXT DEFAULT '[]' NOT NULL,
    rubric TEXT DEFAULT '{}' NOT NULL,
    reasoning TEXT DEFAULT '' NOT NULL,
    state TEXT NOT NULL CONSTRAINT ck_ballots_state_choice CHECK (state IN ('valid', 'unsupported', 'parse_failure')),
    stated_confidence REAL CONSTRAINT ck_ballots_stated_confidence_range CHECK (stated_confidence BETWEEN 0 AND 1),
    salt BLOB NOT NULL,
    commitment BLOB NOT NULL CONSTRAINT ck_ballots_commitment_length CHECK (length(commitment) = 32),
    tokens_in INTEGER DEFAULT 0 NOT NULL CONSTRAINT ck_ballots_tokens_in_count CHECK (tokens_in >= 0),
    tokens_out INTEGER DEFAULT 0 NOT NULL CONSTRAINT ck_ballots_tokens_out_count CHECK (tokens_out >= 0),
    cost_micros INTEGER DEFAULT 0 NOT NULL CONSTRAINT ck_ballots_cost_micros_count CHECK (cost_micros >= 0),
    created_at TEXT NOT NULL CONSTRAINT ck_ballots_created_at_form CHECK (created_at LIKE '____-__-__T__:__:__.______Z'),
    CONSTRAINT pk_ballots PRIMARY KEY (ballot_id),
    CONSTRAINT uq_ballots_question_id_iteration_seat_prompt_hash UNIQUE (question_id, iteration, seat, prompt_hash),
    CONSTRAINT fk_ballots_question_id FOREIGN KEY(question_id) REFERENCES questions (question_id) ON DELETE CASCADE,
    CONSTRAINT fk_ballots_rater_id FOREIGN KEY(rater_id) REFERENCES raters (rater_id)
) STRICT;

CREATE INDEX ix_ballots_rater_id ON ballots (rater_id);

CREATE TABLE verdicts (
    verdict_id TEXT NOT NULL,
    question_id TEXT NOT NULL,
    created_at TEXT NOT NULL CONSTRAINT ck_verdicts_created_at_form CHECK (created_at LIKE '____-__-__T__:__:__.______Z'),
    outcome TEXT NOT NULL,
    document TEXT DEFAULT '{}' NOT NULL,
    evidence_root BLOB NOT NULL CONSTRAINT ck_verdicts_evidence_root_length CHECK (length(evidence_root) = 32),
    ballots_root BLOB NOT NULL CONSTRAINT ck_verdicts_ballots_root_length CHECK (length(ballots_root) = 32),
    trace_id TEXT,
    revises TEXT,
    transaction_id TEXT,
    audit_seq INTEGER,
    CONSTRAINT pk_verdicts PRIMARY KEY (verdict_id),
    CONSTRAINT fk_verdicts_question_id FOREIGN KEY(question_id) REFERENCES questions (question_id) ON DELETE CASCADE,
    CONSTRAINT fk_verdicts_revises FOREIGN KEY(revises) REFERENCES verdicts (verdict_id) ON DELETE SET NULL
) STRICT;

CREATE INDEX ix_verdicts_question_id_created_at ON verdicts (question_id, created_at);

CREATE INDEX ix_verdicts_revises ON verdicts (revises);
