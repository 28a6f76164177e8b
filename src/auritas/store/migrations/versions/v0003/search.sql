DROP VIEW message_keywords;

DROP TRIGGER fts_msg_insert;

DROP TRIGGER fts_msg_delete;

DROP TRIGGER fts_msg_update;

DROP TABLE fts_msg_terms;

DROP TABLE fts_msg;

CREATE TABLE search_messages (
    seq INTEGER PRIMARY KEY,
    doc INTEGER NOT NULL,
    extra TEXT NOT NULL
) STRICT;

CREATE TABLE search_conversations (
    doc INTEGER PRIMARY KEY,
    conversation_id TEXT NOT NULL UNIQUE,
    title TEXT NOT NULL,
    extra TEXT NOT NULL,
    at TEXT NOT NULL
) STRICT;

CREATE TABLE search_queue (
    place INTEGER PRIMARY KEY AUTOINCREMENT,
    conversation_id TEXT NOT NULL UNIQUE,
    attempts INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE search_pending (
    part TEXT NOT NULL,
    seq INTEGER NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (part, seq)
) STRICT, WITHOUT ROWID;

CREATE INDEX ix_search_pending_seq ON search_pending (seq);

CREATE TABLE search_state (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT;

CREATE VIEW search_text AS
SELECT m.seq AS seq, m.content AS content, s.extra AS extra
FROM search_messages AS s JOIN messages AS m ON m.seq = s.seq;

CREATE VIEW search_documents AS
SELECT c.doc AS doc, c.conversation_id AS conversation_id, c.title AS title,
    (SELECT coalesce(group_concat(m.content, char(10)), '')
     FROM messages AS m JOIN search_messages AS s ON s.seq = m.seq
     WHERE m.conversation_id = c.conversation_id) AS body,
    c.extra || ' ' || (SELECT coalesce(group_concat(s.extra, ' '), '')
     FROM messages AS m JOIN search_messages AS s ON s.seq = m.seq
     WHERE m.conversation_id = c.conversation_id) AS extra
FROM search_conversations AS c;

CREATE VIRTUAL TABLE fts_conv USING fts5(
    title,
    body,
    extra,
    content = '',
    detail = none,
    prefix = '1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16',
    tokenize = "unicode61 remove_diacritics 2 tokenchars '_'"
);

CREATE VIRTUAL TABLE fts_msg USING fts5(
    content,
    extra,
    content = 'search_text',
    content_rowid = 'seq',
    tokenize = 'porter unicode61 remove_diacritics 2'
);

CREATE VIRTUAL TABLE fts_title USING fts5(
    title,
    content = 'search_conversations',
    content_rowid = 'doc',
    tokenize = 'trigram remove_diacritics 1'
);

CREATE VIRTUAL TABLE search_words USING fts5vocab('fts_conv', 'row');

CREATE VIRTUAL TABLE fts_msg_terms USING fts5vocab('fts_msg', 'instance');

CREATE VIEW message_keywords AS
SELECT DISTINCT terms.term AS keyword, m.message_id, m.conversation_id, m.role, m.created_at
FROM fts_msg_terms AS terms JOIN messages AS m ON m.seq = terms.doc;

CREATE TRIGGER search_title_insert AFTER INSERT ON search_conversations BEGIN
    INSERT INTO fts_title (rowid, title) VALUES (new.doc, new.title);
END;

CREATE TRIGGER search_title_delete AFTER DELETE ON search_conversations BEGIN
    INSERT INTO fts_title (fts_title, rowid, title) VALUES ('delete', old.doc, old.title);
END;

CREATE TRIGGER search_text_insert AFTER INSERT ON search_messages BEGIN
    INSERT INTO fts_msg (rowid, content, extra)
    SELECT seq, content, extra FROM search_text WHERE seq = new.seq;
END;

CREATE TRIGGER search_text_delete BEFORE DELETE ON search_messages BEGIN
    INSERT INTO fts_msg (fts_msg, rowid, content, extra)
    SELECT 'delete', seq, content, extra FROM search_text WHERE seq = old.seq;
END;

CREATE TRIGGER search_document_delete BEFORE DELETE ON search_conversations BEGIN
    INSERT INTO fts_conv (fts_conv, rowid, title, body, extra)
    SELECT 'delete', doc, title, body, extra FROM search_documents WHERE doc = old.doc;
END;

CREATE TRIGGER search_message_insert AFTER INSERT ON messages BEGIN
    INSERT INTO search_queue (conversation_id) VALUES (new.conversation_id) ON CONFLICT (conversation_id) DO NOTHING;
END;

CREATE TRIGGER search_message_delete BEFORE DELETE ON messages
WHEN EXISTS (SELECT 1 FROM search_messages WHERE seq = old.seq) BEGIN
    DELETE FROM search_conversations WHERE conversation_id = old.conversation_id;
    DELETE FROM search_messages WHERE seq = old.seq;
    DELETE FROM search_pending WHERE seq = old.seq;
    INSERT INTO search_queue (conversation_id) VALUES (old.conversation_id) ON CONFLICT (conversation_id) DO NOTHING;
    INSERT INTO search_state (name, value) VALUES ('residue', '1') ON CONFLICT (name) DO UPDATE SET value = '1';
END;

CREATE TRIGGER search_message_update BEFORE UPDATE OF content, conversation_id ON messages BEGIN
    DELETE FROM search_conversations WHERE conversation_id IN (old.conversation_id, new.conversation_id);
    DELETE FROM search_messages WHERE seq = old.seq;
    INSERT INTO search_queue (conversation_id) VALUES (old.conversation_id) ON CONFLICT (conversation_id) DO NOTHING;
    INSERT INTO search_queue (conversation_id) VALUES (new.conversation_id) ON CONFLICT (conversation_id) DO NOTHING;
    INSERT INTO search_state (name, value) VALUES ('residue', '1') ON CONFLICT (name) DO UPDATE SET value = '1';
END;

CREATE TRIGGER search_conversation_insert AFTER INSERT ON conversations BEGIN
    INSERT INTO search_queue (conversation_id) VALUES (new.conversation_id) ON CONFLICT (conversation_id) DO NOTHING;
END;

CREATE TRIGGER search_conversation_delete BEFORE DELETE ON conversations BEGIN
    DELETE FROM search_conversations WHERE conversation_id = old.conversation_id;
    DELETE FROM search_queue WHERE conversation_id = old.conversation_id;
    INSERT INTO search_state (name, value) VALUES ('residue', '1') ON CONFLICT (name) DO UPDATE SET value = '1';
END;

CREATE TRIGGER search_conversation_update AFTER UPDATE OF title ON conversations WHEN old.title IS NOT new.title BEGIN
    INSERT INTO search_queue (conversation_id) VALUES (new.conversation_id) ON CONFLICT (conversation_id) DO NOTHING;
END;

INSERT INTO search_queue (conversation_id) SELECT conversation_id FROM conversations ORDER BY updated_at DESC, conversation_id;
