"""Proof: the audit log with its tiles and checkpoints, traces, and the ledger of what left the machine.

`audit_seq` names an entry of the log and is no foreign key: the log is held together by its own proofs, and a copy
with a damaged log must stay readable, so that the damage can be shown.
"""

from sqlalchemy import CheckConstraint, Index, PrimaryKeyConstraint
from sqlalchemy import text as sql

from auritas.store.schema.columns import HASH_BYTES, blob, choice, count, flag, json, moment, real, table, text, whole
from auritas.store.schema.conversation import of_conversation

TILE_HASHES = 256

audit_log = table(
    "audit_log",
    whole("seq", CheckConstraint("seq >= 0", name="seq_count"), primary_key=True, autoincrement=False),
    text("id", unique=True),
    moment("created_at"),
    text("event_type"),
    text("actor"),
    json("refs"),
    text("session_id", null=True),
    text("trace_id", null=True),
    text("token_id", null=True),
    text("field", null=True),
    text("specialist", null=True),
    real("u_score"),
    real("confidence"),
    real("latency_ms"),
    text("details", null=True),
    blob("salt", null=True),
    text("body", null=True),
    blob("leaf_hash", length=HASH_BYTES),
    blob("prev_hash", length=HASH_BYTES),
    blob("curr_hash", length=HASH_BYTES),
    Index(None, "event_type", "seq"),
    Index(None, "created_at", "seq"),
    Index(None, "trace_id"),
)

audit_tiles = table(
    "audit_tiles",
    count("level"),
    count("idx"),
    blob("hashes", length=HASH_BYTES * TILE_HASHES),
    PrimaryKeyConstraint("level", "idx"),
)

checkpoints = table(
    "checkpoints",
    whole("id", primary_key=True),
    count("size"),
    blob("root", length=HASH_BYTES),
    text("note"),
    choice("level", "unsigned", "signed", "witnessed", "posted"),
    moment("created_at"),
    text("reason"),
    text("day", CheckConstraint("day LIKE '____-__-__'", name="day_form"), null=True),
    text("witness", null=True),
    Index(None, "size"),
    Index("uq_checkpoints_day", "day", unique=True, sqlite_where=sql("day IS NOT NULL")),
    sqlite_autoincrement=True,
)

traces = table(
    "traces",
    text("trace_id", CheckConstraint("trace_id LIKE 'tr\\_%' ESCAPE '\\'", name="trace_id_form"), primary_key=True),
    moment("ts"),
    choice("kind", "ask", "resolution", "action", "refusal"),
    text("query_id", null=True),
    text("conversation_id", of_conversation(), null=True),
    json("document"),
    whole("audit_seq", null=True),
    Index(None, "ts", "trace_id"),
    Index(None, "query_id"),
    Index(None, "conversation_id"),
)

# Written before a request is sent; `url` has no query string, which is where secrets hide.
egress = table(
    "egress",
    text("id", primary_key=True),
    moment("at"),
    text("url_host"),
    text("url", CheckConstraint("url NOT LIKE '%?%'", name="url_without_query")),
    text("method"),
    text("model", null=True),
    text("purpose"),
    text("query_id", null=True),
    text("conversation_id", null=True),
    count("bytes_out"),
    blob("commitment", length=HASH_BYTES),
    blob("salt", null=True),
    flag("loopback"),
    text("status", null=True),
    whole("audit_seq", null=True),
    Index(None, "at", "id"),
    Index(None, "conversation_id"),
    Index(None, "query_id"),
)
