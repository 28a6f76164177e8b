"""The council: models and their runs, grades, reviews, checks, the domain tree and the scoring ledger."""

from sqlalchemy import CheckConstraint, ForeignKey, Index, PrimaryKeyConstraint

from auritas.store.schema.columns import blob, choice, count, flag, fraction, json, moment, real, table, text, whole
from auritas.store.schema.conversation import of_conversation

models = table(
    "models",
    text("name", primary_key=True),
    choice("kind", "embedded", "openai", "anthropic", "any_llm"),
    text("base_url", null=True),
    text("model_id"),
    text("digest", null=True),
    text("path", null=True),
    whole("window", CheckConstraint("window > 0", name="window_positive"), server_default="4096"),
    count("input_price_micros"),
    count("output_price_micros"),
    flag("enabled", default=True),
    text("key_ref", null=True),
    json("roles", "[]"),
    json("self_test", null=True),
    moment("added_at"),
)

promotions = table(
    "promotions",
    text("id", primary_key=True),
    moment("created_at"),
    text("specialist"),
    choice("event", "promote", "rollback"),
    text("from_model", null=True),
    text("to_model"),
    flag("reverted"),
    json("metadata"),
    Index(None, "specialist", "created_at"),
)

# `specialist` is the member's seat; `model` and `digest` say who sat in it at the time.
model_runs = table(
    "model_runs",
    text("run_id", primary_key=True),
    text(
        "query_id",
        ForeignKey("queries.query_id", ondelete="CASCADE", deferrable=True, initially="DEFERRED"),
        null=True,
    ),
    text("conversation_id", of_conversation()),
    text("specialist"),
    choice("round", "answer", "peer_review", default="answer"),
    real("utility_score"),
    fraction("confidence_score"),
    real("vcg_welfare_score"),
    flag("vcg_winner"),
    json("corrections_applied", "[]"),
    real("latency_ms"),
    real("total_ms"),
    text("domain", null=True),
    text("domain_l0", null=True),
    text("domain_path", null=True),
    moment("created_at"),
    count("tokens_in"),
    count("tokens_out"),
    count("cost_micros"),
    flag("graded"),
    flag("correct", null=True),
    text("grade_source", null=True),
    count("attempts", 1),
    text("text", server_default=""),
    text("explanation", server_default=""),
    flag("abstained"),
    text("error", null=True),
    fraction("stated_confidence"),
    text("model", null=True),
    text("digest", null=True),
    whole("seed", null=True),
    text("engine", null=True),
    text("candidate", null=True),
    json("domains_said", "[]"),
    Index(None, "query_id"),
    Index(None, "conversation_id", "created_at"),
    Index(None, "specialist", "domain_l0", "graded"),
    Index(None, "created_at", "run_id"),
)

grades = table(
    "grades",
    text("id", primary_key=True),
    text("run_id", ForeignKey("model_runs.run_id", ondelete="CASCADE")),
    flag("correct", null=True),
    text("source"),
    fraction("reliability", null=False),
    moment("at"),
    text("undone_by", null=True),
    text("act_id", ForeignKey("grading_acts.id", ondelete="CASCADE"), null=True),
    text("given_by", null=True),
    Index(None, "run_id"),
    Index(None, "at", "id"),
    Index(None, "act_id"),
)

# One thing that somebody said about a question; it grades several runs, and is undone as a whole.
grading_acts = table(
    "grading_acts",
    text("id", primary_key=True),
    text("query_id", ForeignKey("queries.query_id", ondelete="CASCADE")),
    choice("kind", "verdict", "key", "pick", "none_right", "merge", "checker", "reviewer"),
    json("document"),
    moment("created_at"),
    moment("undone_at", null=True),
    Index(None, "query_id"),
    Index(None, "created_at", "id"),
)

reviews = table(
    "reviews",
    text("id", primary_key=True),
    text("run_id", ForeignKey("model_runs.run_id", ondelete="CASCADE")),
    text("reviewer"),
    choice("verdict", "correct", "incorrect", "partially_correct", "unreviewed"),
    json("issues", "[]"),
    text("correction", null=True),
    flag("known_answer"),
    moment("created_at"),
    Index(None, "run_id"),
    Index(None, "reviewer", "known_answer"),
)

# What a reviewer said of an answer whose truth was known beforehand: an item of ours, or a run that a person graded.
reviewer_checks = table(
    "reviewer_checks",
    text("id", primary_key=True),
    text("reviewer"),
    text("digest", null=True),
    text("item"),
    flag("is_right"),
    choice("verdict", "correct", "incorrect", "partially_correct", "unreviewed"),
    moment("created_at"),
    Index(None, "reviewer", "created_at"),
)

# Two answers compared blind, in both orders: by the content judge, or by members who wrote neither.
comparisons = table(
    "comparisons",
    text("id", primary_key=True),
    text("query_id", ForeignKey("queries.query_id", ondelete="CASCADE")),
    text("judge"),
    choice("kind", "judge", "pairwise"),
    text("first"),
    text("second"),
    choice("forward", "first", "second", "neither"),
    choice("backward", "first", "second", "neither"),
    flag("used"),
    moment("created_at"),
    Index(None, "query_id"),
    Index(None, "judge", "kind", "created_at"),
)

assertion_events = table(
    "assertion_events",
    text("id", primary_key=True),
    text("session_id", ForeignKey("sessions.id", ondelete="SET NULL"), null=True),
    text("run_id", ForeignKey("model_runs.run_id", ondelete="CASCADE"), null=True),
    text("assertion_name"),
    choice("level", "blocking", "soft", "info"),
    flag("passed"),
    real("bonus_applied"),
    count("retries_used"),
    real("latency_ms"),
    text("domain", null=True),
    text("policy_name", null=True),
    moment("created_at"),
    Index(None, "session_id"),
    Index(None, "run_id"),
    Index(None, "created_at"),
)

check_streaks = table(
    "check_streaks",
    text("specialist"),
    text("assertion_name"),
    count("streak"),
    moment("updated_at"),
    PrimaryKeyConstraint("specialist", "assertion_name"),
)

council_weights = table(
    "council_weights",
    text("id", primary_key=True),
    moment("created_at"),
    text("policy"),
    json("weights"),
    json("basis"),
    count("grades"),
    flag("in_force"),
    Index(None, "policy", "in_force"),
)

calibrations = table(
    "calibrations",
    text("id", primary_key=True),
    moment("created_at"),
    text("specialist"),
    text("kind"),
    json("parameters"),
    count("grades"),
    Index(None, "specialist", "created_at"),
)

# Credit outlives the conversation in which it was earned, and holds no word of it: so no foreign key.
score_ledger = table(
    "score_ledger",
    text("specialist"),
    text("query_id"),
    choice("part", "brier", "award"),
    real("amount"),
    text("basis"),
    moment("created_at"),
    PrimaryKeyConstraint("specialist", "query_id", "part"),
    Index(None, "query_id"),
)

domain_nodes = table(
    "domain_nodes",
    text("node_id", primary_key=True),
    text("parent_id", ForeignKey("domain_nodes.node_id"), null=True),
    count("depth"),
    json("aliases", "[]"),
    moment("created_at"),
    Index(None, "parent_id"),
)

domain_candidates = table(
    "domain_candidates",
    text("string", primary_key=True),
    text("nearest"),
    fraction("similarity"),
    count("query_count"),
    json("models", "[]"),
    moment("first_seen"),
    moment("last_seen"),
    Index(None, "nearest"),
)

# The user's and the program's own changes of the tree, each with what is needed to take it back.
domain_events = table(
    "domain_events",
    whole("seq", primary_key=True),
    choice("event", "promote", "merge", "demote", "rename", "alias", "prune"),
    text("node_id"),
    json("before"),
    json("after"),
    moment("created_at"),
    moment("undone_at", null=True),
    Index(None, "node_id"),
    sqlite_autoincrement=True,
)

# Which member filed its answer under which field, in its own words.
domain_mentions = table(
    "domain_mentions",
    text("string"),
    text("run_id", ForeignKey("model_runs.run_id", ondelete="CASCADE")),
    PrimaryKeyConstraint("string", "run_id"),
    Index(None, "run_id"),
)

question_vectors = table(
    "question_vectors",
    text("query_id", ForeignKey("queries.query_id", ondelete="CASCADE"), primary_key=True),
    text("embedder"),
    blob("vector"),
    moment("created_at"),
)

# How often a model is right in public examinations; rows of the user's own win over those that come with the program.
public_scores = table(
    "public_scores",
    text("model", primary_key=True),
    fraction("score", null=False),
    text("source"),
    moment("updated_at"),
)
