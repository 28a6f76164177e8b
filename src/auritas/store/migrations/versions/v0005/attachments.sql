ALTER TABLE conversations ADD COLUMN temporary INTEGER DEFAULT '0' NOT NULL CONSTRAINT ck_conversations_temporary_flag CHECK (temporary IN (0, 1));

CREATE TABLE attachments (
    attachment_id TEXT NOT NULL,
    conversation_id TEXT,
    message_id TEXT,
    name TEXT NOT NULL,
    media_type TEXT NOT NULL,
    size INTEGER DEFAULT '0' NOT NULL CONSTRAINT ck_attachments_size_count CHECK (size >= 0),
    pages INTEGER DEFAULT '0' NOT NULL CONSTRAINT ck_attachments_pages_count CHECK (pages >= 0),
    text TEXT DEFAULT '' NOT NULL,
    picture BLOB,
    created_at TEXT NOT NULL CONSTRAINT ck_attachments_created_at_form CHECK (created_at LIKE '____-__-__T__:__:__.______Z'),
    CONSTRAINT pk_attachments PRIMARY KEY (attachment_id),
    CONSTRAINT fk_attachments_conversation_id FOREIGN KEY(conversation_id) REFERENCES conversations (conversation_id) ON DELETE CASCADE,
    CONSTRAINT fk_attachments_message_id FOREIGN KEY(message_id) REFERENCES messages (message_id) ON DELETE CASCADE
) STRICT;

CREATE INDEX ix_attachments_conversation_id ON attachments (conversation_id);

CREATE INDEX ix_attachments_message_id ON attachments (message_id);

CREATE INDEX ix_attachments_created_at ON attachments (created_at);
