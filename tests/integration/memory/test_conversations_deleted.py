"""Deleting a conversation leaves no word of it behind, and takes nothing else."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import insert, select
from tests.integration.app.hall import Hall, voice
from tests.integration.store.test_canaries import decrypted

from auritas.app.indexing import Indexing
from auritas.kernel.answers import AskResult
from auritas.kernel.clock import timestamp
from auritas.kernel.doubles import HashEmbedding
from auritas.kernel.log import Kind, LogEvent
from auritas.search.adapters.recall_sql import RecallIndex
from auritas.store import schema as t

pytestmark = pytest.mark.anyio

CANARY = "zyzzyvaquokka"
KEPT = "xylophonistic"


@pytest.fixture
def talk(tmp_path, clock, ids, rng) -> Iterator[Hall]:
    found = Hall(tmp_path / "talk", clock, ids, rng)
    yield found
    found.close()


def remember(hall: Hall, claim: str, **more: object) -> str:
    """Write a correction; return its id."""
    correction_id, now = str(hall.ids.new()), timestamp(hall.clock.now())
    row = {
        "id": correction_id,
        "created_at": now,
        "subject": claim,
        "claim": claim,
        "confidence": 1.0,
        "effective_confidence": 1.0,
        "source": "manual",
        "decay_class": "A",
        "type": "factual_correction",
        "scope": "global",
        "state": "active",
        "provenance": "user_explicit",
    }
    with hall.auritas.store.unit() as unit:
        unit.connection.execute(insert(t.corrections).values(row | more))
        event = {"correction_id": correction_id, "event": "edited", "at": now, "before": claim}
        unit.connection.execute(insert(t.correction_events).values(event))
        refs = {"correction_id": correction_id}
        if conversation := more.get("conversation_id"):
            refs["conversation_id"] = str(conversation)
        hall.auritas.log.append(unit, [LogEvent(Kind.CORRECTION_CREATED, "user", refs, claim)])
    return correction_id


async def asked(hall: Hall, word: str) -> AskResult:
    """Ask a question in which, and in whose answers, reviews, grades, notes and corrections a word stands."""
    result = await hall.ask(f"Is {word} so?")
    where = {"conversation_id": result.conversation_id}
    hall.auritas.grading.key(result.query_id, f"{word} it is")
    hall.auritas.grading.pick(result.query_id, "ada")
    now = timestamp(hall.clock.now())
    with hall.auritas.store.unit() as unit:
        run = unit.connection.execute(select(t.model_runs.c.run_id).where(t.model_runs.c.query_id == result.query_id))
        note = {"backup_id": hall.ids.new(), "specialist": "ada", "trigger": "manual", "backup_text": word}
        note |= {"covers_seq": 1, "created_at": now} | where
        unit.connection.execute(insert(t.context_backups).values(note))
        counter = {"counter_id": hall.ids.new(), "specialist": "ada", "updated_at": now} | where
        unit.connection.execute(insert(t.token_counters).prefix_with("OR IGNORE").values(counter))
        review = {"id": hall.ids.new(), "run_id": run.scalars().first(), "reviewer": "bob", "verdict": "incorrect"}
        review |= {"issues": json.dumps([word]), "correction": word, "created_at": now}
        unit.connection.execute(insert(t.reviews).values(review))
        prompt = {"specialist": f"seat of {word}", "text": word, "generated_at": now, "corrections_hash": "0"}
        unit.connection.execute(insert(t.model_context_prompts).values(prompt))
        work = {"topic": "index", "payload": json.dumps({"text": word} | where), "created_at": now, "available_at": now}
        unit.connection.execute(insert(t.outbox).values(work))
    hall.auritas.conversations.rename(result.conversation_id, f"About {word}")
    return result


def seat_two(hall: Hall, word: str) -> None:
    for name in list(hall.said):
        hall.leave(name)
    hall.seat(voice("ada", f"{word} indeed", domains=f"{word} lore"))
    hall.seat(voice("bob", f"never {word}", domains="general"))


@pytest.fixture
async def both(talk: Hall) -> tuple[Hall, AskResult, AskResult]:
    """Two conversations, each full of its word."""
    seat_two(talk, KEPT)
    kept = await asked(talk, KEPT)
    seat_two(talk, CANARY)
    gone = await asked(talk, CANARY)
    return talk, kept, gone


def index(hall: Hall) -> None:
    """Let every index hold what was said."""
    own = hall.auritas
    Indexing(own.store, own.clock, own.ids, own.diagnostics, [RecallIndex(HashEmbedding)]).catch_up()


def terms(hall: Hall, table: str) -> list[str]:
    """Return the words that an index holds."""
    with hall.auritas.store.read() as unit:
        return list(unit.connection.exec_driver_sql(f"SELECT term FROM {table}").scalars())  # noqa: S608  ours


def everything(hall: Hall) -> bytes:
    """Return every page of the decrypted store, and every other file of the folder."""
    pages = decrypted(hall.auritas.opened)
    files = [path for path in Path(hall.folder).rglob("*") if path.is_file()]
    return (pages + b"\n".join(path.read_bytes() for path in files)).lower()


async def test_a_deleted_conversation_leaves_no_word_behind(both):
    """Title, messages, explanations, reviews, grades, notes, proposals, fields, work and log entries: 0 hits after."""
    hall, _, gone = both
    remember(hall, f"{CANARY} proposed", state="proposed", scope="conversation", conversation_id=gone.conversation_id)
    remember(hall, f"{CANARY} here", scope="conversation", conversation_id=gone.conversation_id, canonical_query=CANARY)
    index(hall)
    assert CANARY in terms(hall, "fts_recall_terms")
    assert CANARY in terms(hall, "search_words")
    hall.auritas.store.empty_wal()
    assert everything(hall).count(CANARY.encode()) > 20
    deleted = hall.auritas.conversations.delete([gone.conversation_id])
    assert deleted.lingers is False
    assert everything(hall).count(CANARY.encode()) == 0
    assert hall.intact
    assert [row.event_type for row in hall.rows(t.audit_log)].count(Kind.ERASED) == 1


async def test_nothing_else_is_touched(both):
    """The other conversation, its grades, its preference and its log entries are as they were, word for word."""
    hall, kept, gone = both
    mine = kept.conversation_id
    tables = (t.conversations, t.messages, t.queries, t.model_runs, t.traces, t.context_backups, t.token_counters)
    before = {table.name: hall.rows(table, table.c.conversation_id == mine) for table in tables}
    grades = [row for row in hall.rows(t.grades) if row.run_id in {run.run_id for run in before["model_runs"]}]
    bodies = [(row.seq, row.body) for row in hall.rows(t.audit_log) if row.body and KEPT in row.body]
    hall.auritas.conversations.delete([gone.conversation_id])
    assert {table.name: hall.rows(table, table.c.conversation_id == mine) for table in tables} == before
    assert hall.rows(t.grades) == grades
    assert [(row.seq, row.body) for row in hall.rows(t.audit_log) if row.body and KEPT in row.body] == bodies
    assert [row.slot for row in hall.rows(t.corrections, t.corrections.c.state == "active")] == [
        f"pick:{kept.query_id}"
    ]
    assert [row.string for row in hall.rows(t.domain_candidates)] == [f"{KEPT} lore"]
    assert len(hall.rows(t.outbox)) == 1


async def test_what_holds_everywhere_stays_unless_it_is_to_go(both):
    """A global correction made in the conversation stays, with its words in the log, and is counted beforehand."""
    hall, _, gone = both
    where = gone.conversation_id
    everywhere = remember(hall, "limes are green", conversation_id=where)
    asked_there = remember(hall, "leaves are green", query_id=gone.query_id)
    local = remember(hall, "here limes are blue", conversation_id=where, scope="conversation")
    loss = hall.auritas.conversations.loss([where])
    assert (loss.kept_corrections, loss.messages, loss.questions, loss.notes) == (2, 2, 1, 1)
    hall.auritas.conversations.delete([where])
    states = {row.id: (row.state, row.claim) for row in hall.rows(t.corrections)}
    assert states[everywhere] == ("active", "limes are green")
    assert states[asked_there][0] == "active"
    assert states[local] == ("erased", "")
    bodies = [row.body for row in hall.rows(t.audit_log) if row.body]
    assert "limes are green" in bodies
    assert "here limes are blue" not in bodies
    assert hall.intact


async def test_with_memory_nothing_that_was_said_there_is_remembered(both):
    """Asked for it, what holds everywhere goes, too."""
    hall, _, gone = both
    remember(hall, f"{CANARY} everywhere", conversation_id=gone.conversation_id)
    hall.auritas.conversations.delete([gone.conversation_id], with_memory=True)
    assert everything(hall).count(CANARY.encode()) == 0
    assert hall.intact


async def test_several_go_at_once_or_none(both):
    """Conversations that were named together are deleted together; an unknown name among them deletes nothing."""
    hall, kept, gone = both
    with pytest.raises(Exception, match="no conversation"):
        hall.auritas.conversations.delete([gone.conversation_id, "unknown"])
    assert len(hall.rows(t.conversations)) == 2
    names = [gone.conversation_id, kept.conversation_id, gone.conversation_id]
    deleted = hall.auritas.conversations.delete(names)
    assert len(deleted.loss.conversations) == 2
    for table in (t.conversations, t.messages, t.queries, t.model_runs, t.traces, t.grades, t.grading_acts, t.outbox):
        assert hall.rows(table) == [], table.name
    assert everything(hall).count(KEPT.encode()) == 0
    assert hall.intact


async def test_a_branch_survives_its_origin(both):
    """A branch holds copies: deleting the origin counts it beforehand and leaves it whole."""
    hall, kept, _ = both
    branch = hall.auritas.conversations.branch(kept.conversation_id).conversation
    assert hall.auritas.conversations.loss([kept.conversation_id]).branches == 1
    hall.auritas.conversations.delete([kept.conversation_id])
    left = hall.auritas.conversations.show(branch.id)
    assert len(left.messages) == 2
    assert left.conversation.branched_from is None


async def test_deleting_a_project_keeps_its_conversations(both):
    """What was remembered in the project only goes, its conversations stay without it, and its name leaves the log."""
    hall, _, gone = both
    project = hall.auritas.projects.create("Quinquereme")
    hall.auritas.conversations.move(gone.conversation_id, "Quinquereme")
    mine = remember(hall, "oars are green", scope="project", project_id=project.id)
    loss = hall.auritas.projects.loss("quinquereme")
    assert (loss.corrections, loss.conversations, loss.messages) == (1, (), 0)
    hall.auritas.projects.delete("quinquereme")
    assert hall.auritas.projects.active() is None
    assert hall.auritas.conversations.named(gone.conversation_id).project is None
    assert [row.claim for row in hall.rows(t.corrections, t.corrections.c.id == mine)] == [""]
    assert b"quinquereme" not in everything(hall)
    assert hall.intact


async def test_a_project_can_go_with_its_conversations(both):
    """Then no word of them is left either, and those of other projects stay."""
    hall, kept, gone = both
    hall.auritas.projects.create("Ship")
    hall.auritas.conversations.move(gone.conversation_id, "Ship")
    deleted = hall.auritas.projects.delete("Ship", with_conversations=True)
    assert [each.id for each in deleted.loss.conversations] == [gone.conversation_id]
    assert everything(hall).count(CANARY.encode()) == 0
    assert [each.id for each in hall.auritas.conversations.newest().conversations] == [kept.conversation_id]
    assert hall.intact


async def test_learning_goes_on_after_a_deletion(both):
    """What was learned stays in force, and the next question is answered and graded as before."""
    hall, _, gone = both
    hall.auritas.learning.refit_if_due()
    hall.auritas.conversations.delete([gone.conversation_id])
    assert len(hall.rows(t.council_weights)) >= 1
    result = await hall.ask("Is it so now?")
    assert result.decision.winner is not None
    hall.auritas.grading.verdict(result.query_id, right=True)
    assert hall.intact
