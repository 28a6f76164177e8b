"""Every table of the store, under the name it has in the file.

Ids are text (UUIDv7), times are text as `kernel.clock.timestamp` writes them, money is integer micro-units and JSON is
text. The names are those of the schema this one continues; what this program calls a seat is the column `specialist`.
"""

from auritas.store.schema.columns import HASH_BYTES, metadata
from auritas.store.schema.conversation import (
    context_backups,
    conversations,
    messages,
    projects,
    queries,
    sessions,
    token_counters,
)
from auritas.store.schema.council import (
    assertion_events,
    calibrations,
    check_streaks,
    council_weights,
    domain_candidates,
    domain_nodes,
    grades,
    model_runs,
    models,
    promotions,
    reviews,
    score_ledger,
)
from auritas.store.schema.memory import (
    correction_events,
    corrections,
    edges,
    model_context_prompts,
    nodes,
    run_memory,
)
from auritas.store.schema.operation import local_settings, outbox, schedule, secrets, tokens
from auritas.store.schema.oracle import ballots, evidence, questions, raters, verdicts
from auritas.store.schema.proof import TILE_HASHES, audit_log, audit_tiles, checkpoints, egress, traces

__all__ = [
    "HASH_BYTES",
    "TILE_HASHES",
    "assertion_events",
    "audit_log",
    "audit_tiles",
    "ballots",
    "calibrations",
    "check_streaks",
    "checkpoints",
    "context_backups",
    "conversations",
    "correction_events",
    "corrections",
    "council_weights",
    "domain_candidates",
    "domain_nodes",
    "edges",
    "egress",
    "evidence",
    "grades",
    "local_settings",
    "messages",
    "metadata",
    "model_context_prompts",
    "model_runs",
    "models",
    "nodes",
    "outbox",
    "projects",
    "promotions",
    "queries",
    "questions",
    "raters",
    "reviews",
    "run_memory",
    "schedule",
    "score_ledger",
    "secrets",
    "sessions",
    "token_counters",
    "tokens",
    "traces",
    "verdicts",
]
