"""What a question is about, from the classifier to the trace, on a real encrypted store."""

import json

import pytest
from tests.integration.app.hall import CLOSED, Hall, voice

from auritas.kernel.answers import AccuracyLevel
from auritas.kernel.doubles import HashEmbedding
from auritas.store import schema as t

pytestmark = pytest.mark.anyio
BALANCED, HIGH = AccuracyLevel.BALANCED, AccuracyLevel.HIGH
CALCULUS = "What is the derivative of x squared in calculus?"
MEDICAL = "What dose of ibuprofen is safe for a child?"


def signals_of(hall: Hall, trace_id: str) -> dict[str, str]:
    (row,) = hall.rows(t.traces, t.traces.c.trace_id == trace_id)
    return {signal["kind"]: signal["text"] for signal in json.loads(row.document)["signals"]}


async def test_the_trace_says_what_the_question_is_about_and_how_it_was_decided(hall):
    """Domains, the rule for its shape, what was learned from, who said what, reviewed, and made the difference."""
    hall.seat(voice("ada", "2x"), 18)
    hall.seat(voice("bob", "x"), 12)
    result = await hall.ask(CALCULUS)
    signals = signals_of(hall, result.trace_id)
    assert signals["domains"] == "mathematics 1.00"
    assert signals["shape"] == "closed question: nothing in it asks for a text"
    assert signals["learned from"] == "0 graded questions; rule guarded"
    assert signals["ada"].startswith("said 2x")
    assert signals["review by bob"] == "correct"
    assert signals["without ada"] == "x would have been chosen"
    assert result.domains == {"mathematics": 1.0}
    (row,) = hall.rows(t.queries)
    assert json.loads(row.domains) == {"mathematics": 1.0}
    assert {run.domain for run in hall.rows(t.model_runs)} == {"mathematics"}


async def test_no_member_can_move_a_question_to_its_own_field(hall):
    """Domains are fixed before any answer: whatever members file their answers under, the choice stays the same."""
    ada, bob = hall.seat(voice("ada", "2x"), 15), hall.seat(voice("bob", "x"), 15)
    for number in range(24):
        field = {"domains": json.dumps({"mathematics": 1.0} if number % 2 else {"medical": 1.0})}
        hall.past({"ada": "2x", "bob": "x"}, right="2x" if number % 2 else "x", **field)
    hall.auritas.learning.refit()
    found = []
    for mine, theirs in (("general", "general"), ("mathematics", "medical"), ("medical", "medical, law, health")):
        ada.reply, bob.reply = voice("ada", "2x", domains=mine).reply, voice("bob", "x", domains=theirs).reply
        result = await hall.ask(CALCULUS, BALANCED)
        found.append((result.domains, result.decision.chosen, [(c.text, c.p) for c in result.decision.candidates]))
    assert found[0] == found[1] == found[2]
    assert found[0][0] == {"mathematics": 1.0}
    medical = await hall.ask(MEDICAL, BALANCED)
    assert {c.text: c.p for c in medical.decision.candidates} != dict(found[0][2])


async def test_what_members_name_is_counted(hall):
    """Each field that a member files its answer under is a mention of it, in the same unit of work as the run."""
    hall.seat(voice("ada", "2x", domains="Category-Theory, mathematics"), 18)
    hall.seat(voice("bob", "2x", domains="category theory"), 17)
    await hall.ask(CALCULUS, BALANCED)
    runs = {row.run_id: row.specialist for row in hall.rows(t.model_runs)}
    named = {(row.string, runs[row.run_id]) for row in hall.rows(t.domain_mentions)}
    assert {("category theory", "ada"), ("category theory", "bob")} <= named
    view = hall.auritas.domains.view()
    assert any(candidate.string == "category theory" for node in view.nodes for candidate in node.candidates)
    assert {row.specialist: json.loads(row.domains_said) for row in hall.rows(t.model_runs)}["bob"]


@pytest.mark.parametrize("level", [BALANCED, HIGH])
async def test_a_question_about_health_always_comes_with_its_notice(hall, level):
    """Medicine gets its notice whatever the members say, and a question without an answer gets none."""
    hall.seat(voice("ada", "10 mg per kg"), 18)
    hall.seat(voice("bob", "10 mg per kg"), 17)
    result = await hall.ask(MEDICAL, level)
    assert len(result.notices) == 1
    assert (await hall.ask(CLOSED, level)).notices == ()


async def test_with_an_embedder_the_vector_is_kept_beside_the_question(hall):
    """The question's vector is computed once and kept with the name of what made it."""
    hall.auritas.embedder = HashEmbedding()
    hall.seat(voice("ada", "2x"), 18)
    result = await hall.ask(CALCULUS, BALANCED)
    (row,) = hall.rows(t.question_vectors)
    assert (row.query_id, row.embedder) == (result.query_id, HashEmbedding.id)
    assert sum(result.domains.values()) == pytest.approx(1)
