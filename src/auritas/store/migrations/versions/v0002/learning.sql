CREATE TABLE grading_acts (
    id TEXT NOT NULL,
    query_id TEXT NOT NULL,
    kind TEXT NOT NULL CONSTRAINT ck_grading_acts_kind_choice CHECK (kind IN ('verdict', 'key', 'pick', 'none_right', 'merge', 'checker', 'reviewer')),
    document TEXT DEFAULT '{}' NOT NULL,
    created_at TEXT NOT NULL CONSTRAINT ck_grading_acts_created_at_form CHECK (created_at LIKE '____-__-__T__:__:__.______Z'),
    undone_at TEXT CONSTRAINT ck_grading_acts_undone_at_form CHECK (undone_at LIKE '____-__-__T__:__:__.______Z'),
    CONSTRAINT pk_grading_acts PRIMARY KEY (id),
    CONSTRAINT fk_grading_acts_query_id FOREIGN KEY(query_id) REFERENCES queries (query_id) ON DELETE CASCADE
) STRICT;

CREATE INDEX ix_grading_acts_created_at_id ON grading_acts (created_at, id);

CREATE INDEX ix_grading_acts_query_id ON grading_acts (query_id);

CREATE TABLE reviewer_checks (
    id TEXT NOT NULL,
    reviewer TEXT NOT NULL,
    digest TEXT,
    item TEXT NOT NULL,
    is_right INTEGER DEFAULT '0' NOT NULL CONSTRAINT ck_reviewer_checks_is_right_flag CHECK (is_right IN (0, 1)),
    verdict TEXT NOT NULL CONSTRAINT ck_reviewer_checks_verdict_choice CHECK (verdict IN ('correct', 'incorrect', 'partially_correct', 'unreviewed')),
    created_at TEXT NOT NULL CONSTRAINT ck_reviewer_checks_created_at_form CHECK (created_at LIKE '____-__-__T__:__:__.______Z'),
    CONSTRAINT pk_reviewer_checks PRIMARY KEY (id)
) STRICT;

CREATE INDEX ix_reviewer_checks_reviewer_created_at ON reviewer_checks (reviewer, created_at);

CREATE TABLE comparisons (
    id TEXT NOT NULL,
    query_id TEXT NOT NULL,
    judge TEXT NOT NULL,
    kind TEXT NOT NULL CONSTRAINT ck_comparisons_kind_choice CHECK (kind IN ('judge', 'pairwise')),
    first TEXT NOT NULL,
    second TEXT NOT NULL,
    forward TEXT NOT NULL CONSTRAINT ck_comparisons_forward_choice CHECK (forward IN ('first', 'second', 'neither')),
    backward TEXT NOT NULL CONSTRAINT ck_comparisons_backward_choice CHECK (backward IN ('first', 'second', 'neither')),
    used INTEGER DEFAULT '0' NOT NULL CONSTRAINT ck_comparisons_used_flag CHECK (used IN (0, 1)),
    created_at TEXT NOT NULL CONSTRAINT ck_comparisons_created_at_form CHECK (created_at LIKE '____-__-__T__:__:__.______Z'),
    CONSTRAINT pk_comparisons PRIMARY KEY (id),
    CONSTRAINT fk_comparisons_query_id FOREIGN KEY(query_id) REFERENCES queries (query_id) ON DELETE CASCADE
) STRICT;

CREATE INDEX ix_comparisons_judge_kind_created_at ON comparisons (judge, kind, created_at);

CREATE INDEX ix_comparisons_query_id ON comparisons (query_id);

CREATE TABLE domain_events (
    seq INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    event TEXT NOT NULL CONSTRAINT ck_domain_events_event_choice CHECK (event IN ('promote', 'merge', 'demote', 'rename', 'alias', 'prune')),
    node_id TEXT NOT NULL,
    "before" TEXT DEFAULT '{}' NOT NULL,
    "after" TEXT DEFAULT '{}' NOT NULL,
    created_at TEXT NOT NULL CONSTRAINT ck_domain_events_created_at_form CHECK (created_at LIKE '____-__-__T__:__:__.______Z'),
    undone_at TEXT CONSTRAINT ck_domain_events_undone_at_form CHECK (undone_at LIKE '____-__-__T__:__:__.______Z')
) STRICT;

CREATE INDEX ix_domain_events_node_id ON domain_events (node_id);

CREATE TABLE domain_mentions (
    string TEXT NOT NULL,
    run_id TEXT NOT NULL,
    CONSTRAINT pk_domain_mentions PRIMARY KEY (string, run_id),
    CONSTRAINT fk_domain_mentions_run_id FOREIGN KEY(run_id) REFERENCES model_runs (run_id) ON DELETE CASCADE
) STRICT;

CREATE INDEX ix_domain_mentions_run_id ON domain_mentions (run_id);

CREATE TABLE question_vectors (
    query_id TEXT NOT NULL,
    embedder TEXT NOT NULL,
    vector BLOB NOT NULL,
    created_at TEXT NOT NULL CONSTRAINT ck_question_vectors_created_at_form CHECK (created_at LIKE '____-__-__T__:__:__.______Z'),
    CONSTRAINT pk_question_vectors PRIMARY KEY (query_id),
    CONSTRAINT fk_question_vectors_query_id FOREIGN KEY(query_id) REFERENCES queries (query_id) ON DELETE CASCADE
) STRICT;

CREATE TABLE public_scores (
    model TEXT NOT NULL,
    score REAL NOT NULL CONSTRAINT ck_public_scores_score_range CHECK (score BETWEEN 0 AND 1),
    source TEXT NOT NULL,
    updated_at TEXT NOT NULL CONSTRAINT ck_public_scores_updated_at_form CHECK (updated_at LIKE '____-__-__T__:__:__.______Z'),
    CONSTRAINT pk_public_scores PRIMARY KEY (model)
) STRICT;

ALTER TABLE queries ADD COLUMN shape TEXT DEFAULT 'closed' NOT NULL CONSTRAINT ck_queries_shape_choice CHECK (shape IN ('closed', 'open'));

ALTER TABLE queries ADD COLUMN domains TEXT DEFAULT '{}' NOT NULL;

ALTER TABLE queries ADD COLUMN decision TEXT;

ALTER TABLE queries ADD COLUMN policy TEXT;

ALTER TABLE queries ADD COLUMN p_right REAL CONSTRAINT ck_queries_p_right_range CHECK (p_right BETWEEN 0 AND 1);

ALTER TABLE queries ADD COLUMN asks_grade TEXT CONSTRAINT ck_queries_asks_grade_choice CHECK (asks_grade IN ('disagreement', 'audit'));

ALTER TABLE model_runs ADD COLUMN candidate TEXT;

ALTER TABLE model_runs ADD COLUMN domains_said TEXT DEFAULT '[]' NOT NULL;

CREATE TABLE grades_with_acts (
    id TEXT NOT NULL,
    run_id TEXT NOT NULL,
    correct INTEGER CONSTRAINT ck_grades_correct_flag CHECK (correct IN (0, 1)),
    source TEXT NOT NULL,
    reliability REAL NOT NULL CONSTRAINT ck_grades_reliability_range CHECK (reliability BETWEEN 0 AND 1),
    at TEXT NOT NULL CONSTRAINT ck_grades_at_form CHECK (at LIKE '____-__-__T__:__:__.______Z'),
    undone_by TEXT,
    act_id TEXT,
    given_by TEXT,
    CONSTRAINT pk_grades PRIMARY KEY (id),
    CONSTRAINT fk_grades_run_id FOREIGN KEY(run_id) REFERENCES model_runs (run_id) ON DELETE CASCADE,
    CONSTRAINT fk_grades_act_id FOREIGN KEY(act_id) REFERENCES grading_acts (id) ON DELETE CASCADE
) STRICT;

INSERT INTO grades_with_acts (id, run_id, correct, source, reliability, at, undone_by)
SELECT id, run_id, correct, source, reliability, at, undone_by FROM grades;

DROP TABLE grades;

ALTER TABLE grades_with_acts RENAME TO grades;

CREATE INDEX ix_grades_run_id ON grades (run_id);

CREATE INDEX ix_grades_at_id ON grades (at, id);

CREATE INDEX ix_grades_act_id ON grades (act_id);
