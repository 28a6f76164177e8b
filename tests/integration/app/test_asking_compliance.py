"""Rules on replies, as a question goes through the whole program on a real encrypted store."""

import pytest
from tests.integration.app.hall import CLOSED, OPEN, Hall, lines, voice

from auritas.gateway.adapters.scripted import ScriptedModel
from auritas.kernel.answers import AccuracyLevel
from auritas.kernel.model import ModelCard, Role
from auritas.store import schema as t

pytestmark = pytest.mark.anyio
BALANCED = AccuracyLevel.BALANCED
UNTAGGED = "It is so.\nANSWER: yes\nCONFIDENCE: 70"


def streaks(hall: Hall) -> dict[tuple[str, str], int]:
    return {(row.specialist, row.assertion_name): row.streak for row in hall.rows(t.check_streaks)}


def system_of(model: ScriptedModel) -> str:
    prompt, _ = model.calls[-1]
    return "\n".join(message.content for message in prompt.messages if message.role is Role.SYSTEM)


async def test_every_reply_is_checked_and_its_results_are_kept(hall):
    """A row for each rule and run, with the domain; the calculator, which is a part of us, is left out."""
    hall.calculator()
    hall.seat(voice("ada"), 18)
    hall.seat(ScriptedModel("bob", [[UNTAGGED]]), 17)
    await hall.ask(level=BALANCED)
    runs = {row.run_id: row.specialist for row in hall.rows(t.model_runs)}
    events = hall.rows(t.assertion_events)
    passed = {(runs[row.run_id], row.assertion_name): row.passed for row in events}
    assert passed["ada", "domain_tag"]
    assert not passed["bob", "domain_tag"]
    assert passed["bob", "answer_lines"]
    assert {seat for seat, _ in passed} == {"ada", "bob"}
    assert {row.domain for row in events} == {"general"}
    assert streaks(hall)["bob", "domain_tag"] == 1
    assert streaks(hall).get(("ada", "domain_tag"), 0) == 0


async def test_after_two_failures_the_seat_is_told_the_rule_in_bold(hall):
    """Fail, fail: the next prompt of that seat, and of no other, has it in bold; a pass takes it back (C10)."""
    ada = hall.seat(voice("ada"), 18)
    bob = hall.seat(ScriptedModel("bob", [[UNTAGGED], [UNTAGGED], [lines("yes")]]), 17)
    for _ in range(2):
        await hall.ask(level=BALANCED)
        assert "**" not in system_of(bob)
    await hall.ask(level=BALANCED)
    assert "**" in system_of(bob)
    assert "DOMAINS:.**" in system_of(bob)
    assert "**" not in system_of(ada)
    assert streaks(hall)["bob", "domain_tag"] == 0
    await hall.ask(level=BALANCED)
    assert "**" not in system_of(bob)


async def test_after_four_failures_the_rule_closes_the_prompt_too(hall):
    """The fifth prompt says it first and last."""
    bob = hall.seat(ScriptedModel("bob", [[UNTAGGED]]), 17)
    for _ in range(5):
        await hall.ask(level=BALANCED)
    assert system_of(bob).count("DOMAINS:.**") == 2
    assert system_of(bob).endswith("**")
    assert streaks(hall)["bob", "domain_tag"] == 5


async def test_streaks_survive_a_restart(hall):
    """What a seat kept breaking is known at the next start."""
    bob = hall.seat(ScriptedModel("bob", [[UNTAGGED]]), 17)
    for _ in range(2):
        await hall.ask(level=BALANCED)
    hall.restart()
    await hall.ask(level=BALANCED)
    assert "**" in system_of(bob)


async def test_a_tag_five_lines_up_counts_as_missing(hall):
    """Only the last three lines that are not blank are looked at (C12)."""
    reply = "DOMAINS: general\nOne.\nTwo.\nThree.\nANSWER: yes\nCONFIDENCE: 70"
    hall.seat(ScriptedModel("bob", [[reply]]), 17)
    await hall.ask(level=BALANCED)
    (event,) = (row for row in hall.rows(t.assertion_events) if row.assertion_name == "domain_tag")
    assert not event.passed


async def test_a_user_may_speak_of_auctions(hall):
    """Who asks about Vickrey-Clarke-Groves auctions gets them explained without tripping a rule (C11)."""
    text = "A Vickrey-Clarke-Groves auction pays each bidder its externality; truthful bids are dominant."
    hall.seat(voice("ada", text), 18)
    await hall.ask("What does each bidder pay in a VCG auction?", BALANCED)
    assert [row.assertion_name for row in hall.rows(t.assertion_events) if not row.passed] == []


async def test_what_the_user_said_before_is_no_leak_later(hall):
    """A subject that the user raised in the conversation may come back in a later answer."""
    leaky = "My answer is ranked against others, but it is so."
    hall.seat(voice("ada", leaky), 18)
    first = await hall.ask("How does a council rank answers?", BALANCED)
    await hall.ask("And then?", BALANCED, conversation_id=first.conversation_id)
    failed = [row.assertion_name for row in hall.rows(t.assertion_events) if not row.passed]
    assert failed == []
    await hall.ask(CLOSED, BALANCED)
    failed = [row.assertion_name for row in hall.rows(t.assertion_events) if not row.passed]
    assert failed == ["no_scoring_leak"]


async def test_a_member_under_a_grammar_is_judged_by_its_own_rules(hall):
    """A reply that is JSON by grammar has no closing lines to miss; its empty list of domains is noted."""
    card = ModelCard("tiny", "scripted", local=True, grammar=True)
    reply = '{"explanation": "So.", "answer": "yes", "confidence": 70, "domains": []}'
    hall.seat(ScriptedModel("tiny", [[reply]], base=card), 17)
    result = await hall.ask(level=BALANCED)
    assert result.decision.winner.text == "yes"
    passed = {row.assertion_name: row.passed for row in hall.rows(t.assertion_events)}
    assert passed["answer_lines"]
    assert not passed["domain_tag"]


async def test_how_often_a_member_was_asked_stands_with_its_results(hall):
    """A reply that came at the second attempt is judged, and its rows say that it took one more."""
    hall.seat(ScriptedModel("ada", [[" "], [lines("yes")]]), 18)
    await hall.ask(OPEN, AccuracyLevel.FAST)
    events = hall.rows(t.assertion_events)
    assert {row.retries_used for row in events} == {1}
    assert all(row.passed for row in events)
