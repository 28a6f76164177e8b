CREATE VIRTUAL TABLE fts_msg USING fts5(
    content,
    content = 'messages',
    content_rowid = 'seq',
    tokenize = 'porter unicode61'
);

INSERT INTO fts_msg (fts_msg, rank) VALUES ('secure-delete', 1);

CREATE TRIGGER fts_msg_insert AFTER INSERT ON messages BEGIN
    INSERT INTO fts_msg (rowid, content) VALUES (new.seq, new.content);
END;

CREATE TRIGGER fts_msg_delete AFTER DELETE ON messages BEGIN
    INSERT INTO fts_msg (fts_msg, rowid, content) VALUES ('delete', old.seq, old.content);
END;

CREATE TRIGGER fts_msg_update AFTER UPDATE OF content ON messages BEGIN
    INSERT INTO fts_msg (fts_msg, rowid, content) VALUES ('delete', old.seq, old.content);
    INSERT INTO fts_msg (rowid, content) VALUES (new.seq, new.content);
END;

CREATE VIRTUAL TABLE fts_msg_terms USING fts5vocab('fts_msg', 'instance');

CREATE VIEW message_keywords AS
SELECT DISTINCT terms.term AS keyword, m.message_id, m.conversation_id, m.role, m.created_at
FROM fts_msg_terms AS terms JOIN messages AS m ON m.seq = terms.doc;

CREATE TRIGGER context_backups_append_only BEFORE UPDATE ON context_backups BEGIN
    SELECT RAISE(ABORT, 'context_backups is append-only');
END;
