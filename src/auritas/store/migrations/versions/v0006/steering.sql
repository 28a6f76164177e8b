CREATE TABLE left_out (
    conversation_id TEXT NOT NULL,
    correction_id TEXT NOT NULL,
    created_at TEXT NOT NULL CONSTRAINT ck_left_out_created_at_form CHECK (created_at LIKE '____-__-__T__:__:__.______Z'),
    CONSTRAINT pk_left_out PRIMARY KEY (conversation_id, correction_id),
    CONSTRAINT fk_left_out_conversation_id FOREIGN KEY(conversation_id) REFERENCES conversations (conversation_id) ON DELETE CASCADE,
    CONSTRAINT fk_left_out_correction_id FOREIGN KEY(correction_id) REFERENCES corrections (id) ON DELETE CASCADE
) STRICT;

CREATE INDEX ix_left_out_correction_id ON left_out (correction_id);

CREATE TABLE kept_pairs (
    first_id TEXT NOT NULL,
    second_id TEXT NOT NULL,
    created_at TEXT NOT NULL CONSTRAINT ck_kept_pairs_created_at_form CHECK (created_at LIKE '____-__-__T__:__:__.______Z'),
    CONSTRAINT pk_kept_pairs PRIMARY KEY (first_id, second_id),
    CONSTRAINT fk_kept_pairs_first_id FOREIGN KEY(first_id) REFERENCES corrections (id) ON DELETE CASCADE,
    CONSTRAINT fk_kept_pairs_second_id FOREIGN KEY(second_id) REFERENCES corrections (id) ON DELETE CASCADE
) STRICT;

CREATE INDEX ix_kept_pairs_second_id ON kept_pairs (second_id);

CREATE TABLE correction_events_new (
    seq INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    correction_id TEXT NOT NULL,
    event TEXT NOT NULL CONSTRAINT ck_correction_events_event_choice CHECK (event IN ('created', 'confirmed', 'dismissed', 'applied', 'edited', 'pinned', 'unpinned', 'superseded', 'restored', 'erased', 'left_out', 'brought_back', 'kept_both')),
    run_id TEXT,
    at TEXT NOT NULL CONSTRAINT ck_correction_events_at_form CHECK (at LIKE '____-__-__T__:__:__.______Z'),
    act_id TEXT,
    before TEXT,
    other TEXT,
    undone INTEGER DEFAULT '0' NOT NULL CONSTRAINT ck_correction_events_undone_flag CHECK (undone IN (0, 1))
) STRICT;

INSERT INTO correction_events_new (seq, correction_id, event, run_id, at, act_id, before, undone) SELECT seq, correction_id, event, run_id, at, act_id, before, undone FROM correction_events;

DROP TABLE correction_events;

ALTER TABLE correction_events_new RENAME TO correction_events;

CREATE INDEX ix_correction_events_correction_id_at ON correction_events (correction_id, at);

CREATE INDEX ix_correction_events_run_id ON correction_events (run_id);

CREATE INDEX ix_correction_events_act_id ON correction_events (act_id);
