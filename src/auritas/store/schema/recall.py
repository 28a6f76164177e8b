"""What recall keeps of each message beside its stems: where it stands, and the signs of its vector."""

from sqlalchemy import CheckConstraint, ForeignKey, Index

from auritas.store.schema.columns import blob, count, flag, moment, table, text, whole

recall_turns = table(
    "recall_turns",
    whole("seq", ForeignKey("messages.seq", ondelete="CASCADE"), primary_key=True),
    text("conversation_id"),
    text("role"),
    moment("at"),
    count("length"),
    flag("asks"),
    Index(None, "conversation_id", "seq"),
)

# Kept by triggers on recall_turns: how many messages and words there are in all, in one row.
recall_totals = table(
    "recall_totals",
    whole("only", CheckConstraint("only = 1", name="only_one"), primary_key=True),
    count("messages"),
    count("words"),
)

# `change` grows with each vector that is made anew, so that what is kept in memory is brought up to date by it.
recall_signs = table(
    "recall_signs",
    whole("change", primary_key=True),
    whole("seq", ForeignKey("messages.seq", ondelete="CASCADE"), unique=True),
    text("embedder"),
    blob("signs"),
    sqlite_autoincrement=True,
)
