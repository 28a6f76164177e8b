CREATE TABLE recall_turns (
    seq INTEGER NOT NULL,
    conversation_id TEXT NOT NULL,
    role TEXT NOT NULL,
    at TEXT NOT NULL CONSTRAINT ck_recall_turns_at_form CHECK (at LIKE '____-__-__T__:__:__.______Z'),
    length INTEGER DEFAULT '0' NOT NULL CONSTRAINT ck_recall_turns_length_count CHECK (length >= 0),
    asks INTEGER DEFAULT '0' NOT NULL CONSTRAINT ck_recall_turns_asks_flag CHECK (asks IN (0, 1)),
    CONSTRAINT pk_recall_turns PRIMARY KEY (seq),
    CONSTRAINT fk_recall_turns_seq FOREIGN KEY(seq) REFERENCES messages (seq) ON DELETE CASCADE
) STRICT;

CREATE INDEX ix_recall_turns_conversation_id_seq ON recall_turns (conversation_id, seq);

CREATE VIRTUAL TABLE fts_recall USING fts5(terms, tokenize = 'unicode61 remove_diacritics 0');

INSERT INTO fts_recall (fts_recall, rank) VALUES ('secure-delete', 1);

CREATE VIRTUAL TABLE fts_recall_terms USING fts5vocab('fts_recall', 'row');

CREATE TABLE recall_totals (
    only INTEGER NOT NULL CONSTRAINT ck_recall_totals_only_one CHECK (only = 1),
    messages INTEGER DEFAULT '0' NOT NULL CONSTRAINT ck_recall_totals_messages_count CHECK (messages >= 0),
    words INTEGER DEFAULT '0' NOT NULL CONSTRAINT ck_recall_totals_words_count CHECK (words >= 0),
    CONSTRAINT pk_recall_totals PRIMARY KEY (only)
) STRICT;

INSERT INTO recall_totals (only, messages, words) VALUES (1, 0, 0);

CREATE TRIGGER recall_turns_insert AFTER INSERT ON recall_turns BEGIN
    UPDATE recall_totals SET messages = messages + 1, words = words + new.length;
END;

CREATE TRIGGER recall_turns_delete AFTER DELETE ON recall_turns BEGIN
    DELETE FROM fts_recall WHERE rowid = old.seq;
    UPDATE recall_totals SET messages = messages - 1, words = words - old.length;
END;

CREATE TABLE recall_signs (
    change INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    seq INTEGER NOT NULL,
    embedder TEXT NOT NULL,
    signs BLOB NOT NULL,
    CONSTRAINT uq_recall_signs_seq UNIQUE (seq),
    CONSTRAINT fk_recall_signs_seq FOREIGN KEY(seq) REFERENCES messages (seq) ON DELETE CASCADE
) STRICT;
