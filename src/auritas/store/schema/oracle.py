"""The oracle: contested questions, their evidence, the committee's ballots and the verdicts."""

from sqlalchemy import ForeignKey, Index, UniqueConstraint

from auritas.store.schema.columns import HASH_BYTES, blob, choice, count, fraction, json, moment, table, text, whole


def of_question() -> ForeignKey:
    """Return the reference of a row that belongs to one question."""
    return ForeignKey("questions.question_id", ondelete="CASCADE")


questions = table(
    "questions",
    text("question_id", primary_key=True),
    moment("created_at"),
    text("text"),
    text("criteria", server_default=""),
    moment("resolves_at", null=True),
    json("plan"),
    json("parameters"),
    whole("seed"),
    blob("evidence_root", length=HASH_BYTES, null=True),
    blob("ballots_root", length=HASH_BYTES, null=True),
    choice("status", "planned", "running", "decided", "undecided", "failed", default="planned"),
    text("conversation_id", ForeignKey("conversations.conversation_id", ondelete="SET NULL"), null=True),
    whole("audit_seq", null=True),
    Index(None, "status"),
    Index(None, "conversation_id"),
    Index(None, "created_at", "question_id"),
)

evidence = table(
    "evidence",
    text("evidence_id", primary_key=True),
    text("question_id", of_question()),
    count("position"),
    text("source"),
    text("url", null=True),
    moment("fetched_at"),
    moment("published_at", null=True),
    text("text"),
    blob("leaf_hash", length=HASH_BYTES),
    json("flags", "[]"),
    UniqueConstraint("question_id", "position"),
)

raters = table(
    "raters",
    text("rater_id", primary_key=True),
    text("model"),
    text("digest", server_default=""),
    text("archetype"),
    text("prompt_version"),
    json("confusion"),
    count("resolved_count"),
    moment("updated_at"),
    UniqueConstraint("model", "digest", "archetype", "prompt_version"),
)

# The unique key lets a killed run resume: nothing is asked twice, nothing counts twice.
ballots = table(
    "ballots",
    text("ballot_id", primary_key=True),
    text("question_id", of_question()),
    count("iteration"),
    text("seat"),
    text("prompt_hash"),
    text("rater_id", ForeignKey("raters.rater_id")),
    choice("vote", "YES", "NO", "NULL", null=True),
    choice("reason_code", "too_early", "ambiguous", "insufficient_evidence", "abstain", null=True),
    json("supporting", "[]"),
    json("refuting", "[]"),
    json("rubric"),
    text("reasoning", server_default=""),
    choice("state", "valid", "unsupported", "parse_failure"),
    fraction("stated_confidence"),
    blob("salt"),
    blob("commitment", length=HASH_BYTES),
    count("tokens_in"),
    count("tokens_out"),
    count("cost_micros"),
    moment("created_at"),
    UniqueConstraint("question_id", "iteration", "seat", "prompt_hash"),
    Index(None, "rater_id"),
)

verdicts = table(
    "verdicts",
    text("verdict_id", primary_key=True),
    text("question_id", of_question()),
    moment("created_at"),
    text("outcome"),
    json("document"),
    blob("evidence_root", length=HASH_BYTES),
    blob("ballots_root", length=HASH_BYTES),
    text("trace_id", null=True),
    text("revises", ForeignKey("verdicts.verdict_id", ondelete="SET NULL"), null=True),
    text("transaction_id", null=True),
    whole("audit_seq", null=True),
    Index(None, "question_id", "created_at"),
    Index(None, "revises"),
)
