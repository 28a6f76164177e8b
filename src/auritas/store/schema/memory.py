"""Memory: what the user told us to keep, what became of it, and what was injected when."""

from sqlalchemy import ForeignKey, Index, PrimaryKeyConstraint
from sqlalchemy import text as sql

from auritas.store.schema.columns import blob, choice, count, flag, fraction, json, moment, real, table, text, whole

corrections = table(
    "corrections",
    text("id", primary_key=True),
    moment("created_at"),
    text("subject"),
    text("domain", null=True),
    text("claim"),
    text("rejected", null=True),
    fraction("confidence", null=False),
    choice("source", "arbiter", "manual"),
    fraction("effective_confidence", null=False),
    choice("decay_class", "A", "B", "C"),
    json("metadata"),
    choice(
        "type",
        "factual_correction",
        "persistent_instruction",
        "preference_rule",
        "model_preference",
        "domain_rule",
        "project_decision",
        "failure_pattern",
    ),
    choice("scope", "global", "project", "conversation", "domain", "superseded"),
    choice("state", "proposed", "active", "superseded", "erased", default="proposed"),
    text("slot", null=True),
    text("project_id", ForeignKey("projects.project_id", ondelete="SET NULL"), null=True),
    text("conversation_id", ForeignKey("conversations.conversation_id", ondelete="SET NULL"), null=True),
    text("canonical_query", null=True),
    text("instruction", null=True),
    text("reason", null=True),
    flag("pinned"),
    choice("provenance", "user_explicit", "user_implicit", "reviewer", "committee", "import"),
    text("superseded_by", ForeignKey("corrections.id", ondelete="SET NULL"), null=True),
    moment("last_used_at", null=True),
    text("condition", server_default=""),
    text("place", server_default=""),
    # What it was said about, and where: they may be deleted, and what is remembered stays.
    text("query_id", null=True),
    text("message_id", null=True),
    # No two active corrections can contradict each other: one slot, one place and one condition hold one of them.
    Index(
        "uq_corrections_active_slot",
        "scope",
        "place",
        "slot",
        "condition",
        unique=True,
        sqlite_where=sql("state = 'active' AND slot IS NOT NULL"),
        postgresql_where=sql("state = 'active' AND slot IS NOT NULL"),
    ),
    Index(None, "claim"),
    Index(None, "query_id"),
    Index(None, "message_id"),
    Index(None, "state", "scope"),
    Index(None, "slot"),
    Index(None, "project_id"),
    Index(None, "conversation_id"),
    Index(None, "superseded_by"),
    Index(None, "created_at", "id"),
)

# No foreign key on the correction: that something was erased outlives what was erased. `act_id` joins what one act of
# the person did, so that it is undone as a whole; `before` holds what an edit replaced, until it is erased; `other` is
# the conversation in which it is left out, or the correction beside which it is to hold.
correction_events = table(
    "correction_events",
    whole("seq", primary_key=True),
    text("correction_id"),
    choice(
        "event",
        "created",
        "confirmed",
        "dismissed",
        "applied",
        "edited",
        "pinned",
        "unpinned",
        "superseded",
        "restored",
        "erased",
        "left_out",
        "brought_back",
        "kept_both",
    ),
    text("run_id", null=True),
    moment("at"),
    text("act_id", null=True),
    text("before", null=True),
    text("other", null=True),
    flag("undone"),
    Index(None, "correction_id", "at"),
    Index(None, "run_id"),
    Index(None, "act_id"),
    sqlite_autoincrement=True,
)

# What the person does not want in one conversation; it holds everywhere else.
left_out = table(
    "left_out",
    text("conversation_id", ForeignKey("conversations.conversation_id", ondelete="CASCADE")),
    text("correction_id", ForeignKey("corrections.id", ondelete="CASCADE")),
    moment("created_at"),
    PrimaryKeyConstraint("conversation_id", "correction_id"),
    Index(None, "correction_id"),
)

# Two that resemble each other and both hold, because the person said so. The smaller id stands first.
kept_pairs = table(
    "kept_pairs",
    text("first_id", ForeignKey("corrections.id", ondelete="CASCADE")),
    text("second_id", ForeignKey("corrections.id", ondelete="CASCADE")),
    moment("created_at"),
    PrimaryKeyConstraint("first_id", "second_id"),
    Index(None, "second_id"),
)

# The eight factors of an injection, as they were when the prompt was built.
run_memory = table(
    "run_memory",
    text("run_id", ForeignKey("model_runs.run_id", ondelete="CASCADE")),
    text("correction_id"),
    fraction("relevance", null=False),
    fraction("failure_prevention", null=False),
    fraction("importance", null=False),
    fraction("recency", null=False),
    fraction("confidence", null=False),
    fraction("pinned", null=False),
    fraction("staleness", null=False),
    fraction("token_cost", null=False),
    real("score", null=False),
    flag("injected"),
    text("reason", null=True),
    count("tokens"),
    PrimaryKeyConstraint("run_id", "correction_id"),
    Index(None, "correction_id"),
)

# What else of the past entered a prompt: notes, passages and recovery prompts, by id.
run_context = table(
    "run_context",
    text("run_id", ForeignKey("model_runs.run_id", ondelete="CASCADE")),
    choice("kind", "note", "passage", "recovery"),
    text("ref_id"),
    fraction("score"),
    count("tokens"),
    PrimaryKeyConstraint("run_id", "kind", "ref_id"),
    Index(None, "kind", "ref_id"),
)

# Vectors of two embedders do not compare, so each says whose it is.
correction_vectors = table(
    "correction_vectors",
    text("correction_id", ForeignKey("corrections.id", ondelete="CASCADE"), primary_key=True),
    text("embedder"),
    blob("vector"),
)

model_context_prompts = table(
    "model_context_prompts",
    text("specialist", primary_key=True),
    text("text"),
    moment("generated_at"),
    text("corrections_hash"),
)

nodes = table(
    "nodes",
    text("node_id", primary_key=True),
    choice(
        "type",
        "User",
        "Event",
        "App",
        "Person",
        "Place",
        "Transaction",
        "Conversation",
        "HealthSnapshot",
        "Action",
        "Trace",
    ),
    moment("created_at"),
    moment("expires_at", null=True),
    json("properties"),
    Index(None, "type", "created_at"),
    Index(None, "expires_at"),
)

edges = table(
    "edges",
    text("edge_id", primary_key=True),
    choice(
        "type",
        "attended",
        "sent_to",
        "located_at",
        "paid_to",
        "talked_about",
        "felt_during",
        "triggered_by",
        "confirmed_by_user",
    ),
    text("source_id", ForeignKey("nodes.node_id", ondelete="CASCADE")),
    text("target_id", ForeignKey("nodes.node_id", ondelete="CASCADE")),
    moment("created_at"),
    json("properties"),
    Index(None, "source_id", "type"),
    Index(None, "target_id", "type"),
)
