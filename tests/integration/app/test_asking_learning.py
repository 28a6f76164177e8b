"""What follows from grades: weights, the ledger, probabilities and effective votes, on a real encrypted store."""

import json

import pytest
from tests.integration.app.hall import CLOSED, Hall, lines, voice

from auritas.gateway.adapters.scripted import ScriptedModel
from auritas.kernel.answers import AccuracyLevel, ConfidenceLabel
from auritas.kernel.model import Prompt
from auritas.kernel.randomness import SeededRng
from auritas.store import schema as t

pytestmark = pytest.mark.anyio
FAST, BALANCED, HIGH, MAXIMUM = AccuracyLevel
DISAGREEING = {"ada": "Sydney", "bob": "Canberra", "eve": "Canberra"}


def three(hall: Hall) -> None:
    for name, text in DISAGREEING.items():
        hall.seat(voice(name, text))


def history(hall: Hall, count: int, seed: int = 3) -> None:
    """Write graded questions in which ada is right in 40 %, bob in 70 %, eve in 85 %, each for itself."""
    drawn = SeededRng(seed)
    for _ in range(count):
        said = {
            name: "Canberra" if drawn.uniform() < rate else "Sydney"
            for name, rate in (("ada", 0.4), ("bob", 0.7), ("eve", 0.85))
        }
        hall.past(said, right="Canberra")


# --- weights ----------------------------------------------------------------------------------------------------------


async def test_what_was_learned_is_in_force_and_survives_a_restart(hall):
    """A refit keeps a snapshot with its entry in the log; the next start decides by the very same one."""
    three(hall)
    prior = hall.auritas.learning.current()
    history(hall, 30)
    learned = hall.auritas.learning.refit()
    assert learned.grades == 30
    assert learned.weights != prior.weights
    assert max(learned.weights.seats, key=lambda seat: learned.weights.seats[seat]) == "eve"
    (row,) = hall.rows(t.council_weights)
    assert (row.in_force, row.grades) == (True, 30)
    entries = [json.loads(row.refs) for row in hall.rows(t.audit_log) if row.event_type == "weights"]
    assert row.id in {refs.get("weights_id") for refs in entries}
    hall.restart()
    assert hall.auritas.learning.current() == learned
    assert hall.auritas.learning.refit_if_due() is None
    assert hall.intact


async def test_each_grade_and_each_undo_puts_one_new_snapshot_in_force(hall):
    """What is in force follows the grades that hold; after an undo nothing is left of the grade."""
    three(hall)
    history(hall, 3)
    before = hall.auritas.learning.refit()
    await hall.ask(level=BALANCED)
    for change in (lambda: hall.auritas.grading.pick(None, "ada"), hall.auritas.grading.undo):
        hall.clock.advance(1)
        change()
        assert [row.in_force for row in hall.rows(t.council_weights)].count(True) == 1
        assert hall.auritas.learning.refit_if_due() is None
    assert [row.grades for row in sorted(hall.rows(t.council_weights), key=lambda row: row.created_at)] == [3, 4, 3]
    assert hall.auritas.learning.current().record == before.record
    assert hall.intact


async def test_grades_of_a_person_change_who_is_believed(hall):
    """After the user has sided with one member against two often enough, that one leads, and the reason says why."""
    three(hall)
    first = await hall.ask(level=HIGH)
    assert first.decision.winner.text == "Canberra"
    for _ in range(12):
        hall.past(DISAGREEING, right="Sydney")
    hall.auritas.grading.key(first.query_id, "Sydney")
    later = await hall.ask(level=HIGH)
    assert later.decision.winner.text == "Sydney"
    assert later.decision.shown_seat == "ada"
    assert "13 of 13 graded right" in later.decision.reason


async def test_being_chosen_or_agreed_with_is_no_grade(hall):
    """Fifteen questions that nobody grades leave grades, ledger and track record empty."""
    for name in ("ada", "bob"):
        hall.seat(voice(name))
    for _ in range(15):
        await hall.ask(level=BALANCED)
    assert hall.rows(t.grades) == hall.rows(t.score_ledger) == []
    assert hall.auritas.learning.refit().record.counts == {}


def right_in(share: float, seed: int) -> ScriptedModel:
    """Return a model that answers each question with its key in `share` of the cases, else with something else."""
    drawn = SeededRng(seed)

    def reply(prompt: Prompt) -> list[str]:
        key = prompt.question.split()[-1].rstrip("?")
        return [lines(f"place {key}" if drawn.uniform() < share else f"elsewhere {drawn.bits(2)}")]

    return ScriptedModel(f"right in {share:.0%}", reply=reply)


@pytest.mark.parametrize("count", [60, pytest.param(200, marks=pytest.mark.slow)])
async def test_the_better_of_two_leads_once_questions_were_graded(hall, count):
    """A is right in 30 %, B in 95 %: B's words are shown in at least 80 % of the last half of the questions (C7)."""
    a, b = hall.seat(right_in(0.30, 1)), hall.seat(right_in(0.95, 2))
    shown = []
    for number in range(count):
        result = await hall.ask(f"Where lies the village number {number}?", BALANCED)
        shown.append(result.decision.shown_seat)
        hall.auritas.grading.key(None, f"place {number}")
    assert len(a.calls) == count
    assert shown[count // 2 :].count(b.name) >= 0.8 * count / 2
    assert hall.intact


# --- probabilities ----------------------------------------------------------------------------------------------------


async def test_a_score_becomes_a_probability_at_a_hundred_grades(hall):
    """With 99 grades P is a score that says so; with 100 a probability, in result, trace and store (promise 6)."""
    three(hall)
    history(hall, 99)
    hall.auritas.learning.refit()
    before = await hall.ask(level=HIGH)
    assert before.decision.confidence.p is None
    assert "no probability; 99 of the 100 grades" in before.decision.confidence.basis
    assert before.decision.winner.p is not None
    hall.auritas.grading.key(before.query_id, "Canberra")
    after = await hall.ask(level=HIGH)
    assert after.decision.confidence.p == after.decision.winner.p
    assert 0 < after.decision.confidence.p < 1
    assert "100 graded questions" in after.decision.confidence.basis
    components = [components_of(hall, result.trace_id) for result in (before, after)]
    assert ["score" in components[0], "P" in components[0]] == [True, False]
    assert ["score" in components[1], "P" in components[1]] == [False, True]
    stored = {row.query_id: row.p_right for row in hall.rows(t.queries)}
    assert stored[after.query_id] == pytest.approx(after.decision.confidence.p)


def components_of(hall: Hall, trace_id: str) -> dict[str, float]:
    (row,) = hall.rows(t.traces, t.traces.c.trace_id == trace_id)
    document = json.loads(row.document)
    (chosen,) = (c for c in document["candidates"] if c["id"] == document["chosen"])
    found: dict[str, float] = chosen["components"]
    return found


async def test_effective_votes_are_null_before_fifty_grades(hall):
    """With 49 grades nobody knows how independent the members are; with 50 it is said, and stored."""
    three(hall)
    history(hall, 49)
    hall.auritas.learning.refit()
    before = await hall.ask(level=HIGH)
    assert before.decision.effective_votes is None
    hall.auritas.grading.key(before.query_id, "Canberra")
    after = await hall.ask(level=HIGH)
    assert after.decision.effective_votes is not None
    assert 1 <= after.decision.effective_votes <= 3
    (row,) = hall.rows(t.queries, t.queries.c.query_id == after.query_id)
    assert json.loads(row.decision)["effective_votes"] == after.decision.effective_votes


async def test_copies_are_worth_one_vote(hall):
    """Three members that are always right and wrong together are worth about one."""
    for name in ("ada", "bob", "eve"):
        hall.seat(voice(name))
    for number in range(60):
        hall.past(dict.fromkeys(("ada", "bob", "eve"), "yes" if number % 3 else "no"), right="yes")
    hall.auritas.learning.refit()
    result = await hall.ask(level=HIGH)
    assert result.decision.effective_votes == pytest.approx(1, abs=0.05)


# --- the ledger -------------------------------------------------------------------------------------------------------


async def test_a_grade_fills_the_ledger_and_its_undo_empties_it(hall):
    """Every member earns y - (p - y)², the shown one's award says that there is no price yet; undo takes all back."""
    hall.seat(voice("ada", "yes", confidence=90), 18)
    hall.seat(voice("bob", "no", confidence=60), 12)
    result = await hall.ask(level=BALANCED)
    assert hall.rows(t.score_ledger) == []
    hall.auritas.grading.verdict(None, right=True)
    rows = {(row.specialist, row.part): row for row in hall.rows(t.score_ledger)}
    assert rows["ada", "brier"].amount == pytest.approx(1 - 0.1**2)
    assert rows["bob", "brier"].amount == pytest.approx(0 - 0.6**2)
    shown = result.decision.shown_seat
    assert {seat for seat, part in rows if part == "award"} == {shown}
    assert "price" in rows[shown, "award"].basis
    hall.auritas.grading.undo()
    assert hall.rows(t.score_ledger) == []
    hall.auritas.grading.verdict(None, right=False)
    again = {(row.specialist, row.part): row.amount for row in hall.rows(t.score_ledger)}
    assert again["ada", "brier"] == pytest.approx(-(0.9**2))
    assert hall.intact


async def test_reports_have_no_weight_before_they_were_measured(hall):
    """A member that boasts gains nothing: without graded reports a stated confidence moves no candidate."""
    modest, boasting = hall.seat(voice("ada", "yes", confidence=55), 15), voice("ada", "yes", confidence=100)
    hall.seat(voice("bob", "no", confidence=55), 14)
    before = await hall.ask(level=BALANCED)
    modest.reply = boasting.reply
    after = await hall.ask(level=BALANCED)
    assert [a.stated_confidence for a in after.answers if a.seat.name == "ada"] == [1.0]
    assert {c.text: c.p for c in after.decision.candidates} == {c.text: c.p for c in before.decision.candidates}


# --- asking for grades ------------------------------------------------------------------------------------------------


async def test_a_disagreement_asks_the_person_and_a_sum_never_does(hall):
    """Where members disagree a grade teaches most; what was computed teaches nothing."""
    hall.calculator()
    hall.seat(voice("ada", "yes"), 15)
    hall.seat(voice("bob", "no"), 15)
    result = await hall.ask(CLOSED, BALANCED)
    assert result.asks_grade == "disagreement"
    (row,) = hall.rows(t.queries)
    assert row.asks_grade == "disagreement"
    assert (await hall.ask("What is 17*23?", FAST)).asks_grade is None


async def test_without_each_member_something_else_might_have_been_chosen(hall):
    """For every seat that answered it is kept what its absence would have changed, and the trace names who decided."""
    hall.seat(voice("ada", "yes"), 18)
    hall.seat(voice("bob", "no"), 15)
    hall.seat(voice("eve", "perhaps"), 8)
    result = await hall.ask(level=HIGH)
    text = {c.id: c.text for c in result.decision.candidates}
    assert {seat: text[other or ""] for seat, other in result.decision.without.items()} == {
        "ada": "no",
        "bob": "yes",
        "eve": "yes",
    }
    signals = {s["kind"]: s["text"] for s in json.loads(hall.rows(t.traces)[0].document)["signals"]}
    assert signals["without ada"] == "no would have been chosen"
    assert result.decision.confidence.label is not ConfidenceLabel.HIGH
