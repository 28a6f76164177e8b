"""What breaks beside the members: classifier, embedder, reviews and the store itself."""

import json
from collections.abc import Sequence

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError
from tests.integration.app.hall import Hall, asked_for, voice

from auritas.gateway.adapters.scripted import ScriptedModel
from auritas.gateway.errors import FailureKind, ProviderFailed
from auritas.kernel.answers import AccuracyLevel
from auritas.store import schema as t

pytestmark = pytest.mark.anyio
BALANCED, HIGH, MAXIMUM = AccuracyLevel.BALANCED, AccuracyLevel.HIGH, AccuracyLevel.MAXIMUM


class BrokenEmbedding:
    """An embedder that fails in the middle of its work, with words of the user in its error."""

    id = "broken"
    dimensions = 64

    def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        raise RuntimeError(f"cannot embed {texts}")


def refusing(hall: Hall, table: str, when: str = "1") -> None:
    """Let the store refuse every new row of a table."""
    raising = (
        f"CREATE TRIGGER refuse_{table} BEFORE INSERT ON {table} WHEN {when} BEGIN SELECT RAISE(ABORT, 'full'); END"
    )
    with hall.auritas.store.unit() as unit:
        unit.connection.execute(text(raising))


async def test_a_broken_embedder_costs_the_domains_and_not_the_answer(hall):
    """Classifier and comparison by meaning fail: the question is general, answers compare by words, and it is noted."""
    hall.auritas.embedder = BrokenEmbedding()
    hall.seat(voice("ada", "It sinks quickly in water"), 18)
    hall.seat(voice("bob", "It sinks rapidly in water"), 12)
    result = await hall.ask(level=HIGH)
    assert [c.text for c in result.decision.candidates] == ["It sinks quickly in water", "It sinks rapidly in water"]
    assert [row.status for row in hall.rows(t.queries)] == ["finished"]
    assert {place for place, _ in hall.auritas.kept.troubles} == {"domains of a question", "meaning of answers"}
    signals = {s["kind"]: s["text"] for s in json.loads(hall.rows(t.traces)[0].document)["signals"]}
    assert signals["domains"] == "not classified"
    assert hall.intact


async def test_a_second_look_that_breaks_leaves_the_decision(hall):
    """What is stored about reviewers cannot be read: the answer stands, unreviewed, and that is said."""
    hall.seat(voice("ada", "yes"), 18)
    hall.seat(voice("bob", "yes"), 12)
    with hall.auritas.store.unit() as unit:
        unit.connection.execute(text("ALTER TABLE reviewer_checks RENAME TO lost"))
    result = await hall.ask(level=HIGH)
    assert result.decision.winner.text == "yes"
    assert result.reviews == ()
    assert any("reviewed" in notice for notice in result.notices)
    assert "second look" in {place for place, _ in hall.auritas.kept.troubles}
    assert [row.status for row in hall.rows(t.queries)] == ["finished"]


@pytest.mark.parametrize(
    ("table", "when"),
    [("reviews", "1"), ("traces", "NEW.kind = 'ask'"), ("assertion_events", "1"), ("messages", "NEW.role <> 'user'")],
)
async def test_a_store_that_refuses_the_end_marks_the_question_failed(hall, table, when):
    """Nothing of the answer is final: no message, no grade; runs are kept, the trace says failed, the log verifies."""
    hall.seat(voice("ada", "yes"), 18)
    hall.seat(voice("bob", "yes"), 12)
    refusing(hall, table, when)
    with pytest.raises(IntegrityError, match="full"):
        await hall.ask(level=HIGH)
    assert [row.status for row in hall.rows(t.queries)] == ["failed"]
    assert [row.role for row in hall.rows(t.messages)] == ["user"]
    assert {row.specialist for row in hall.rows(t.model_runs)} == {"ada", "bob"}
    assert hall.rows(t.grades) == hall.rows(t.reviews) == hall.rows(t.grading_acts) == []
    (trace,) = hall.rows(t.traces)
    assert json.loads(trace.document)["reason_code"] == "failed"
    assert hall.intact


async def test_a_question_that_cannot_be_opened_asks_nobody(hall):
    """Without its entry in the log no prompt leaves the program (nothing is sent before its entry)."""
    model = hall.seat(voice("ada"), 18)
    refusing(hall, "audit_log")
    with pytest.raises(IntegrityError, match="full"):
        await hall.ask(level=HIGH)
    assert model.calls == []
    assert hall.rows(t.queries) == []


async def test_nobody_reviews_or_compares_what_nobody_said(hall):
    """Where no member answers, nothing is looked at again, whatever the level."""
    models = [hall.seat(ScriptedModel(name, [[" "]]), 15) for name in ("ada", "bob")]
    result = await hall.ask(level=MAXIMUM)
    assert result.decision.winner is None
    assert {kind for model in models for kind in asked_for(model)} == {"answer"}
    assert result.notices == ()


async def test_who_left_the_council_is_no_longer_named_as_out_of_action(hall):
    """A member that fails five times is left alone and named; once it is removed, no answer speaks of it."""
    hall.seat(voice("ada", "yes"), 18)
    busy = ProviderFailed("busy", kind=FailureKind.SERVER)
    hall.seat(ScriptedModel("bob", ((busy,),)), 12)
    asked = [await hall.ask(level=MAXIMUM) for _ in range(6)]
    assert asked[-1].degraded == ("bob",)
    hall.leave("bob")
    assert (await hall.ask(level=MAXIMUM)).degraded == ()
