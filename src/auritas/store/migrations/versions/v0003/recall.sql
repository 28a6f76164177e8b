CREATE TABLE recall_turns (
    seq INTEGER PRIMARY KEY REFERENCES messages (seq) ON DELETE CASCADE,
    conversation_id TEXT NOT NULL,
    role TEXT NOT NULL,
    at TEXT NOT NULL,
    length INTEGER NOT NULL,
    asks INTEGER NOT NULL
) STRICT;

CREATE INDEX ix_recall_turns_conversation_id_seq ON recall_turns (conversation_id, seq);

CREATE VIRTUAL TABLE fts_recall USING fts5(terms, tokenize = 'unicode61 remove_diacritics 0');

INSERT INTO fts_recall (fts_recall, rank) VALUES ('secure-delete', 1);

CREATE VIRTUAL TABLE fts_recall_terms USING fts5vocab('fts_recall', 'row');

CREATE TABLE recall_totals (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    messages INTEGER NOT NULL,
    words INTEGER NOT NULL
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
    change INTEGER PRIMARY KEY AUTOINCREMENT,
    seq INTEGER NOT NULL UNIQUE REFERENCES messages (seq) ON DELETE CASCADE,
    embedder TEXT NOT NULL,
    signs BLOB NOT NULL
) STRICT;
