"""The schema: names, rules and references."""

import pytest
from sqlalchemy import Integer, UniqueConstraint, text
from sqlalchemy.exc import IntegrityError
from tests.unit.store.rows import MOMENT, fill_every_table, row_of

from auritas.search.adapters.index_sql import SqlWordIndex
from auritas.store import schema
from auritas.store.database import SqlStore
from auritas.store.schema import metadata

# The columns that other programs and pages know by name; the schema may have more.
PROMISED = {
    "promotions": "id created_at specialist event from_model to_model reverted metadata",
    "corrections": "id created_at subject domain claim rejected confidence source effective_confidence decay_class "
    "metadata type scope project_id conversation_id canonical_query instruction reason pinned provenance superseded_by",
    "correction_events": "correction_id event run_id at",
    "sessions": "id created_at updated_at domain query_count metadata",
    "audit_log": "id created_at event_type session_id trace_id token_id field specialist u_score confidence latency_ms "
    "details prev_hash curr_hash seq leaf_hash salt body actor refs",
    "assertion_events": "id session_id assertion_name level passed bonus_applied retries_used latency_ms domain "
    "policy_name",
    "conversations": "conversation_id user_id title project_id created_at updated_at",
    "messages": "message_id conversation_id role content callout_type models_used accuracy_level confidence created_at "
    "parent_id seq notices",
    "model_runs": "run_id query_id conversation_id specialist round utility_score confidence_score vcg_welfare_score "
    "vcg_winner corrections_applied latency_ms domain domain_l0 domain_path created_at tokens_in tokens_out "
    "cost_micros graded correct grade_source attempts text explanation abstained error stated_confidence model digest "
    "seed engine",
    "token_counters": "counter_id specialist conversation_id token_estimate message_count thread_number updated_at",
    "context_backups": "backup_id conversation_id specialist trigger thread_number backup_text token_estimate "
    "created_at covers_seq",
    "projects": "project_id user_id name created_at",
    "domain_nodes": "node_id parent_id depth aliases",
    "domain_candidates": "string nearest similarity query_count models first_seen last_seen",
    "model_context_prompts": "specialist text generated_at corrections_hash",
    "local_settings": "key value",
    "grades": "id run_id correct source reliability at undone_by",
    "run_memory": "run_id correction_id relevance failure_prevention importance recency confidence pinned staleness "
    "token_cost score injected",
    "score_ledger": "specialist query_id part amount basis",
    "audit_tiles": "level idx hashes",
    "checkpoints": "size root note level created_at reason day witness",
    "egress": "id at url_host url method model purpose query_id conversation_id bytes_out commitment salt loopback "
    "status audit_seq",
    "models": "name kind base_url model_id digest path window input_price_micros output_price_micros enabled key_ref "
    "roles self_test added_at",
    "traces": "trace_id ts kind query_id conversation_id document audit_seq",
    "secrets": "name value updated_at",
    "queries": "query_id conversation_id message_id level question_message_id created_at status trace_id cost_micros "
    "degraded",
    **dict.fromkeys(("reviews", "check_streaks", "council_weights", "calibrations", "questions", "evidence"), ""),
    **dict.fromkeys(("ballots", "verdicts", "raters", "nodes", "edges", "tokens", "schedule", "outbox"), ""),
}


@pytest.mark.parametrize("name", PROMISED)
def test_promised_columns(name: str):
    """Each table has the columns that are promised by name."""
    assert set(PROMISED[name].split()) <= set(metadata.tables[name].columns.keys())


def test_every_reference_is_indexed():
    """Deleting a row never scans a whole table: each foreign key leads an index, a key or a unique rule."""
    for table in metadata.tables.values():
        led = {next(iter(index.columns)).name for index in table.indexes}
        led |= {next(iter(c.columns)).name for c in table.constraints if isinstance(c, UniqueConstraint)}
        led.add(next(iter(table.primary_key.columns)).name)
        for reference in table.foreign_keys:
            assert reference.parent.name in led, reference.parent


def test_money_is_whole():
    """Money is a whole number of micro-units in every table."""
    money = [c for t in metadata.tables.values() for c in t.columns if "cost" in c.name or "price" in c.name]
    assert {c.name for c in money if c.name.endswith("_micros")} == {c.name for c in money} - {"token_cost"}
    assert all(isinstance(c.type, Integer) for c in money if c.name.endswith("_micros"))


def test_a_row_in_every_table(store: SqlStore):
    """A valid row can be written into every table at once, and all references hold."""
    with store.unit() as unit:
        fill_every_table(unit.connection, "word")
    with store.read() as unit:
        for table in metadata.sorted_tables:
            assert unit.connection.execute(table.select()).all(), table.name


@pytest.mark.parametrize(
    ("table", "change"),
    [
        ("local_settings", {"updated_at": "2026-01-01 00:00:00"}),
        ("local_settings", {"value": b"bytes"}),
        ("corrections", {"provenance": "page"}),
        ("corrections", {"provenance": None}),
        ("corrections", {"confidence": 1.5}),
        ("messages", {"role": "tool"}),
        ("messages", {"conversation_id": "nowhere"}),
        ("model_runs", {"cost_micros": -1}),
        ("audit_log", {"leaf_hash": b"short"}),
        ("audit_log", {"leaf_hash": "0" * 32}),
        ("egress", {"url": "https://example.org/?key=1"}),
        ("traces", {"trace_id": "trx"}),
    ],
)
def test_bad_rows_are_refused(store: SqlStore, table: str, change: dict[str, object]):
    """The database itself refuses wrong forms, choices, ranges, types and references."""
    with store.unit() as unit:
        fill_every_table(unit.connection, "word")
    target = metadata.tables[table]
    row = row_of(target, "word") | {next(iter(target.primary_key.columns)).name: 7} | change
    names = ", ".join(row)
    marks = ", ".join(f":{name}" for name in row)
    with pytest.raises(IntegrityError), store.unit() as unit:
        unit.connection.execute(text(f"INSERT INTO {table} ({names}) VALUES ({marks})"), row)  # noqa: S608  our own names


def test_deleting_a_conversation_deletes_what_was_said(store: SqlStore):
    """With a conversation go its messages, questions, runs and traces; nothing refers to it any more."""
    with store.unit() as unit:
        fill_every_table(unit.connection, "word")
    with store.unit() as unit:
        unit.connection.execute(schema.conversations.delete())
    with store.read() as unit:
        for gone in (schema.messages, schema.queries, schema.model_runs, schema.traces, schema.grades):
            assert not unit.connection.execute(gone.select()).all()
        assert not unit.connection.exec_driver_sql("PRAGMA foreign_key_check").all()


def test_keywords_follow_the_messages(store: SqlStore):
    """The view of keywords shows each indexed word by its stem, and forgets changed and deleted words at once."""
    asking = "SELECT keyword, message_id, conversation_id, role FROM message_keywords ORDER BY keyword"
    talk = {"conversation_id": "c", "created_at": MOMENT, "updated_at": MOMENT}
    said = {"message_id": "m", "conversation_id": "c", "role": "user", "content": "posting posts", "created_at": MOMENT}
    index = SqlWordIndex()
    with store.unit() as unit:
        unit.connection.execute(schema.conversations.insert().values(talk))
        unit.connection.execute(schema.messages.insert().values(said))
        index.put(unit, "c", ())
        assert unit.connection.exec_driver_sql(asking).all() == [("post", "m", "c", "user")]
        unit.connection.execute(schema.messages.update().values(content="Zebra"))
        assert not unit.connection.exec_driver_sql(asking).all()
        index.put(unit, "c", ())
        assert unit.connection.exec_driver_sql(asking).all() == [("zebra", "m", "c", "user")]
        unit.connection.execute(schema.messages.delete())
        assert not unit.connection.exec_driver_sql(asking).all()


def test_notes_are_append_only(store: SqlStore):
    """A note that was stored is never changed; deleting is erasing and stays possible."""
    with store.unit() as unit:
        fill_every_table(unit.connection, "word")
    with pytest.raises(IntegrityError, match="append-only"), store.unit() as unit:
        unit.connection.execute(schema.context_backups.update().values(backup_text="other"))
    with store.unit() as unit:
        assert unit.connection.execute(schema.context_backups.delete()).rowcount == 1
