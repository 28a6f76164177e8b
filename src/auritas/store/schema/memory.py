"""Memory: what the user told us to keep, what became of it, and what was injected when."""

from sqlalchemy import ForeignKey, Index, PrimaryKeyConstraint

from auritas.store.schema.columns import choice, flag, fraction, json, moment, real, table, text, whole

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
    Index(None, "state", "scope"),
    Index(None, "slot"),
    Index(None, "project_id"),
    Index(None, "conversation_id"),
    Index(None, "superseded_by"),
    Index(None, "created_at", "id"),
)

# No foreign key on the correction: that something was erased outlives what was erased.
correction_events = table(
    "correction_events",
    whole("seq", primary_key=True),
    text("correction_id"),
    choice("event", "created", "applied", "edited", "superseded", "erased"),
    text("run_id", null=True),
    moment("at"),
    Index(None, "correction_id", "at"),
    Index(None, "run_id"),
    sqlite_autoincrement=True,
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
    PrimaryKeyConstraint("run_id", "correction_id"),
    Index(None, "correction_id"),
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
