"""Conversations: projects, messages, the questions asked in them and the notes that let one be resumed."""

from sqlalchemy import ForeignKey, Index, UniqueConstraint
from sqlalchemy import text as sql

from auritas.store.schema.columns import blob, choice, count, flag, fraction, json, moment, table, text, whole

LEVELS = ("fast", "balanced", "high", "maximum")
NOTE_TRIGGERS = ("token_threshold", "message_count", "time_gap", "manual", "coverage_job_no_backup")


def of_conversation(*, null: bool = False) -> ForeignKey:
    """Return the reference of a row that goes when its conversation is deleted (or only forgets it, where null)."""
    return ForeignKey("conversations.conversation_id", ondelete="SET NULL" if null else "CASCADE")


projects = table(
    "projects",
    text("project_id", primary_key=True),
    text("user_id", server_default="local"),
    text("name"),
    moment("created_at"),
    text("system_prompt", null=True),
    flag("archived"),
)

conversations = table(
    "conversations",
    text("conversation_id", primary_key=True),
    text("user_id", server_default="local"),
    text("title", server_default=""),
    text("project_id", ForeignKey("projects.project_id", ondelete="SET NULL"), null=True),
    moment("created_at"),
    moment("updated_at"),
    text("system_prompt", null=True),
    flag("archived"),
    choice("source", "auritas", "chatgpt", "claude", default="auritas"),
    text("external_id", null=True),
    flag("renamed"),
    text("branched_from", null=True),  # a message; no key, since messages refer to conversations
    flag("temporary"),
    Index(None, "updated_at", "conversation_id"),
    Index(None, "project_id"),
    Index(
        "uq_conversations_source_external_id",
        "source",
        "external_id",
        unique=True,
        sqlite_where=sql("external_id IS NOT NULL"),
        postgresql_where=sql("external_id IS NOT NULL"),
    ),
)

# seq is the row's place in the whole store, given by SQLite and never used twice: pages and the index count by it.
messages = table(
    "messages",
    whole("seq", primary_key=True),
    text("message_id", unique=True),
    text("conversation_id", of_conversation()),
    text("parent_id", ForeignKey("messages.message_id", ondelete="SET NULL"), null=True),
    choice("role", "system", "user", "assistant"),
    text("content"),
    choice("callout_type", "disagreement", "correction", null=True),
    json("models_used", "[]"),
    choice("accuracy_level", *LEVELS, null=True),
    choice("confidence", "High", "Medium", "Uncertain", null=True),
    json("notices", "[]"),
    moment("created_at"),
    text("external_id", null=True),
    text("edited_from", null=True),
    Index(None, "conversation_id", "created_at", "seq"),
    Index(None, "created_at", "seq"),
    Index(None, "parent_id"),
    Index(
        "uq_messages_conversation_id_external_id",
        "conversation_id",
        "external_id",
        unique=True,
        sqlite_where=sql("external_id IS NOT NULL"),
        postgresql_where=sql("external_id IS NOT NULL"),
    ),
    sqlite_autoincrement=True,
)

message_vectors = table(
    "message_vectors",
    whole("seq", ForeignKey("messages.seq", ondelete="CASCADE"), primary_key=True),
    text("embedder"),
    blob("vector"),
)

# A file waits without a message until the message is sent; text is what could be read of it, picture its bytes.
attachments = table(
    "attachments",
    text("attachment_id", primary_key=True),
    text("conversation_id", of_conversation(), null=True),
    text("message_id", ForeignKey("messages.message_id", ondelete="CASCADE"), null=True),
    text("name"),
    text("media_type"),
    count("size"),
    count("pages"),
    text("text", server_default=""),
    blob("picture", null=True),
    moment("created_at"),
    Index(None, "conversation_id"),
    Index(None, "message_id"),
    Index(None, "created_at"),
)

# A question is here from the moment it is asked, so that one cut short by a crash is seen.
queries = table(
    "queries",
    text("query_id", primary_key=True),
    text("conversation_id", of_conversation()),
    text("message_id", ForeignKey("messages.message_id", ondelete="SET NULL"), null=True),
    text("question_message_id", ForeignKey("messages.message_id", ondelete="SET NULL"), null=True),
    choice("level", *LEVELS),
    choice("status", "started", "finished", "failed", "interrupted", default="started"),
    text(
        "trace_id",
        ForeignKey("traces.trace_id", ondelete="SET NULL", deferrable=True, initially="DEFERRED"),
        null=True,
    ),
    count("cost_micros"),
    json("degraded", "[]"),
    moment("created_at"),
    choice("shape", "closed", "open", default="closed"),
    json("domains"),
    json("decision", null=True),
    text("policy", null=True),
    fraction("p_right"),
    choice("asks_grade", "disagreement", "audit", null=True),
    Index(None, "conversation_id", "created_at"),
    Index(None, "status"),
    Index(None, "message_id"),
    Index(None, "question_message_id"),
    Index(None, "trace_id"),
)

sessions = table(
    "sessions",
    text("id", primary_key=True),
    moment("created_at"),
    moment("updated_at"),
    text("domain", null=True),
    count("query_count"),
    json("metadata"),
    Index(None, "updated_at"),
)

token_counters = table(
    "token_counters",
    text("counter_id", primary_key=True),
    text("specialist"),
    text("conversation_id", of_conversation()),
    count("token_estimate"),
    count("message_count"),
    count("thread_number"),
    moment("updated_at"),
    choice("pending", *NOTE_TRIGGERS, null=True),
    moment("pending_at", null=True),
    UniqueConstraint("specialist", "conversation_id"),
    Index(None, "conversation_id"),
)

context_backups = table(
    "context_backups",
    text("backup_id", primary_key=True),
    text("conversation_id", of_conversation()),
    text("specialist"),
    choice("trigger", *NOTE_TRIGGERS),
    count("thread_number"),
    text("backup_text"),
    count("token_estimate"),
    whole("covers_seq"),
    moment("created_at"),
    Index(None, "conversation_id", "specialist", "created_at"),
)
