"""Whom each accuracy level asks, and when it is enough, on a real encrypted store with scripted models."""

import asyncio
import json
import re
from collections.abc import AsyncGenerator
from typing import Any

import anyio
import pytest
from tests.integration.app.hall import CLOSED, OPEN, Hall, asked_for, kind_of, lines, verdict, voice

from auritas.council.adapters.reviews_sql import ComparisonKind
from auritas.council.review.model import Comparison, Preference
from auritas.gateway.adapters.scripted import ScriptedModel
from auritas.kernel.answers import AccuracyLevel, ConfidenceLabel, QuestionShape
from auritas.kernel.events import AskStarted, Notice, ReviewDone, ReviewStarted
from auritas.kernel.model import Params, Part, Price, Prompt
from auritas.store import schema as t

pytestmark = pytest.mark.anyio
FAST, BALANCED, HIGH, MAXIMUM = AccuracyLevel
PRICE = Price(input_micros_per_mtok=1_000_000, output_micros_per_mtok=2_000_000)


def four(hall: Hall, *answers: str, **more: Any) -> list[ScriptedModel]:
    """Seat ada, bob, eve and max, each a little worse than the one before."""
    names = ("ada", "bob", "eve", "max")
    return [
        hall.seat(voice(name, answer, **more), right)
        for name, answer, right in zip(names, answers, (18, 17, 16, 15), strict=True)
    ]


# --- fast -------------------------------------------------------------------------------------------------------------


async def test_fast_asks_the_best_alone(hall):
    """One member answers, the one with the best record, and nobody reviews it."""
    hall.seat(voice("worse"), 10)
    hall.seat(voice("better"), 18)
    result = await hall.ask(level=FAST)
    assert hall.answering() == {"better"}
    assert result.reviews == ()
    assert result.decision.shown_seat == "better"


async def test_fast_goes_on_to_the_next_best_when_the_best_is_silent(hall):
    """Silence is an event: the next in order of record answers instead."""
    silent = hall.seat(ScriptedModel("best", [[" "]]), 19)
    hall.seat(voice("third"), 10)
    hall.seat(voice("second"), 15)
    result = await hall.ask(level=FAST)
    assert len(silent.calls) == 2
    assert hall.answering() == {"best", "second"}
    assert result.decision.shown_seat == "second"
    assert {a.seat.name: a.failure and a.failure.code for a in result.answers} == {"best": "silent", "second": None}


# --- balanced ---------------------------------------------------------------------------------------------------------


async def test_balanced_stops_when_two_agree(hall):
    """A cascade: where the best two agree, and stand out, nobody else is asked."""
    hall.seat(voice("eve", "no"), 12)
    hall.seat(voice("ada", "yes"), 18)
    hall.seat(voice("bob", "yes"), 17)
    result = await hall.ask(level=BALANCED)
    assert hall.answering() == {"ada", "bob"}
    assert result.decision.winner.supporters == ("ada", "bob")


async def test_balanced_asks_two_or_three_of_equals_who_agree(hall):
    """Among four members of about one record a third confirms the first two, and the fourth is spared."""
    four(hall, "yes", "yes", "yes", "no")
    await hall.ask(level=BALANCED)
    assert hall.answering() in ({"ada", "bob"}, {"ada", "bob", "eve"})


async def test_balanced_goes_on_one_by_one_until_it_is_enough(hall):
    """Where the best two disagree the third is asked; its word settles it or the fourth is asked, too."""
    models = four(hall, "yes", "no", "yes", "yes")
    await hall.ask(level=BALANCED)
    assert [len(model.calls) for model in models[:3]] == [1, 1, 1]
    hall.forget()
    hall.leave("eve")
    hall.leave("max")
    hall.seat(voice("eve", "perhaps"), 16)
    last = hall.seat(voice("max", "never"), 15)
    result = await hall.ask(level=BALANCED)
    assert asked_for(last) == ["answer"]
    assert len(result.answers) == 4


async def test_a_sum_needs_no_opinion_at_the_lower_levels(hall):
    """The calculator goes before a cascade: what it can compute it answers alone, and nobody reviews it (E2)."""
    hall.calculator()
    model = hall.seat(voice("ada", "401"), 18)
    for level in (FAST, BALANCED):
        result = await hall.ask("What is 17*23?", level)
        assert result.decision.shown_seat == "calculator"
        assert model.calls == []
    result = await hall.ask("What is 17*23?", HIGH)
    assert (result.decision.winner.text, asked_for(model)) == ("391", ["answer"])


# --- high -------------------------------------------------------------------------------------------------------------


class Together(ScriptedModel):
    """Answers only once everybody at the barrier has been asked, too."""

    barrier: asyncio.Barrier

    async def answer(self, prompt: Prompt, params: Params) -> AsyncGenerator[Part, None]:
        if kind_of(prompt) == "answer":
            await self.barrier.wait()
        async for part in super().answer(prompt, params):
            yield part


async def test_high_asks_all_at_once(hall):
    """Nobody waits for anybody: each of three answers only while the other two have been asked."""
    barrier = asyncio.Barrier(3)
    for name in ("ada", "bob", "eve"):
        model = Together(name, [[lines("yes")]])
        model.barrier = barrier
        hall.seat(model)
    with anyio.fail_after(30):
        result = await hall.ask(level=HIGH)
    assert hall.answering() == {"ada", "bob", "eve"}
    assert result.decision.winner.supporters == ("ada", "bob", "eve")


async def test_high_has_one_blind_review_by_somebody_who_said_otherwise(hall):
    """One review of the answer that is shown; the reviewer sees question and answer, no name, score or vote."""
    models = four(hall, "yes", "yes", "yes", "no")
    events = await hall.events(level=HIGH)
    assert [event.reviewer for event in events if isinstance(event, ReviewStarted)] == ["max"]
    (done,) = (event.review for event in events if isinstance(event, ReviewDone))
    assert [asked_for(model) for model in models] == [["answer"], ["answer"], ["answer"], ["answer", "review"]]
    prompt, _ = models[-1].calls[-1]
    assert json.loads(prompt.question) == {"question": CLOSED, "answer": "yes"}
    shown = " ".join(message.content for message in prompt.messages)
    assert not re.search(r"\b(ada|bob|eve|max|score|weight|votes?|council|members?)\b", shown)
    (row,) = hall.rows(t.reviews)
    assert (row.reviewer, row.run_id, row.verdict) == ("max", done.run_id, "correct")


async def test_an_author_never_reviews_its_own_words(hall):
    """When all agree somebody else's wording is read by another; alone, nobody reviews, and that is said."""
    models = [hall.seat(voice(name), right) for name, right in (("ada", 18), ("bob", 15))]
    result = await hall.ask(level=HIGH)
    assert result.decision.shown_seat == "ada"
    assert [asked_for(model) for model in models] == [["answer"], ["answer", "review"]]
    hall.leave("bob")
    alone = await hall.ask(level=HIGH)
    assert alone.reviews == ()
    assert any("Nobody reviewed" in notice for notice in alone.notices)


# --- maximum ----------------------------------------------------------------------------------------------------------


def preferring(words: str) -> Any:
    """Return a judge that finds `words` better wherever they stand."""
    return lambda prompt: "first" if json.loads(prompt.question)["first"] == words else "second"


async def test_maximum_has_everybody_else_review(hall):
    """Every member but the author of the shown words reads them."""
    models = four(hall, "yes", "yes", "yes", "yes")
    result = await hall.ask(level=MAXIMUM)
    assert asked_for(models[0]) == ["answer"]
    assert all(asked_for(model) == ["answer", "review"] for model in models[1:])
    assert {review.reviewer for review in result.reviews} == {"bob", "eve", "max"}


async def test_the_content_judge_is_shown_and_not_used_until_it_has_earned_it(hall):
    """On a close call the judge reads both, in both orders; right in 40 graded disagreements, it decides."""
    hall.seat(voice("ada", "yes"), 18)
    hall.seat(voice("bob", "no"), 17)
    judge = hall.seat(voice("eve", "never mind", better=preferring("no")), 12)
    before = await hall.ask(level=MAXIMUM)
    assert before.decision.winner.text == "yes"
    assert asked_for(judge).count("compare") == 2
    assert "judge" in before.decision.reason
    for _ in range(40):
        earn(hall, "eve")
    after = await hall.ask(level=MAXIMUM)
    assert after.decision.winner.text == "no"
    assert after.decision.shown_seat == "bob"
    assert after.decision.confidence.label is not ConfidenceLabel.HIGH
    mine = t.comparisons.c.query_id.in_([before.query_id, after.query_id])
    assert [row.used for row in hall.rows(t.comparisons, mine)] == [False, True]
    assert hall.intact


def earn(hall: Hall, judge: str) -> None:
    """Let the judge have been right about one graded disagreement."""
    query_id = hall.past({"ada": "yes", "bob": "no"}, right="no")
    found = {row.specialist: row.candidate for row in hall.rows(t.model_runs, t.model_runs.c.query_id == query_id)}
    second = Preference.SECOND
    with hall.auritas.store.unit() as unit:
        said = Comparison(judge, found["ada"], found["bob"], second, second)
        hall.auritas.reviewers.records.compared(unit, query_id, ComparisonKind.JUDGE, said)


async def test_a_clear_call_needs_no_judge(hall):
    """Where one answer is far ahead nobody compares anything."""
    four(hall, "yes", "yes", "yes", "no")
    await hall.ask(level=MAXIMUM)
    assert hall.rows(t.comparisons) == []


# --- not knowing ------------------------------------------------------------------------------------------------------


async def test_below_the_users_threshold_the_council_says_that_it_does_not_know(hall):
    """The best guess is kept, marked as a guess, with the reason code in its trace."""
    hall.restart(unsure_below=0.99)
    hall.seat(voice("ada", "yes"), 15)
    hall.seat(voice("bob", "no"), 15)
    result = await hall.ask(level=HIGH)
    assert result.decision.abstains
    assert result.decision.winner is not None
    (trace,) = hall.rows(t.traces)
    assert json.loads(trace.document)["reason_code"] == "not_sure_enough"


async def test_an_unsure_council_works_harder_if_it_is_told_to(hall):
    """It escalates level by level, asks nobody for an answer twice, and stops at the last."""
    hall.restart(unsure_below=0.99, when_unsure="escalate")
    models = four(hall, "yes", "no", "perhaps", "never")
    events = await hall.events(level=FAST)
    said = [event.text for event in events if isinstance(event, Notice) and event.code == "escalated"]
    assert [text.rpartition(" ")[2] for text in said] == ["balanced.", "high.", "maximum."]
    assert all(asked_for(model).count("answer") == 1 for model in models)
    result = events[-1].result
    assert result.decision.abstains
    assert len(result.answers) == 4
    assert [row.level for row in hall.rows(t.queries)] == ["fast"]


async def test_escalating_has_nobody_review_the_same_words_twice(hall):
    """Who has read the answer at one level is not asked to read it again at the next."""
    hall.restart(unsure_below=0.99, when_unsure="escalate")
    objecting = verdict("incorrect", "no", "It is not so.")
    models = four(hall, "yes", "yes", "no", "no", review=objecting)
    result = await hall.ask(level=HIGH)
    shown = result.decision.shown_seat
    assert all(asked_for(model).count("review") == (model.name != shown) for model in models)
    assert sorted(review.reviewer for review in result.reviews) == sorted({"ada", "bob", "eve", "max"} - {shown})
    assert len(set(result.notices)) == len(result.notices) == 3


async def test_a_sure_council_does_not_escalate(hall):
    """Above the threshold the level that was asked for is the level that was used."""
    hall.restart(unsure_below=0.3, when_unsure="escalate")
    models = four(hall, "yes", "yes", "yes", "yes")
    events = await hall.events(level=FAST)
    assert not any(isinstance(event, Notice) for event in events)
    assert [asked_for(model) for model in models] == [["answer"], [], [], []]


# --- open questions ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", [FAST, BALANCED])
async def test_the_best_writes_and_one_other_reviews_an_open_question(hall, level):
    """One text, one blind review, and no chance of being right is claimed; the trace names the rule for the shape."""
    models = four(hall, "Rain falls.", "Drops.", "Wet.", "Grey.")
    result = await hall.ask(OPEN, level)
    assert hall.answering() == {"ada"}
    assert len([kind for model in models for kind in asked_for(model) if kind == "review"]) == 1
    assert result.shape is QuestionShape.OPEN
    assert [candidate.p for candidate in result.decision.candidates] == [None]
    assert result.decision.confidence.p is None
    assert result.decision.confidence.label is ConfidenceLabel.MEDIUM
    signals = {signal["kind"]: signal["text"] for signal in json.loads(hall.rows(t.traces)[0].document)["signals"]}
    assert signals["shape"] == "open question: starts with 'Write'"


@pytest.mark.parametrize("level", [HIGH, MAXIMUM])
async def test_comparisons_by_others_order_the_texts(hall, level):
    """All write, each pair is compared by somebody who wrote neither, and the best text is shown."""
    texts = {"ada": "Rain falls.", "bob": "Silver threads of rain.", "eve": "Wet.", "max": "Grey sky."}

    def better(prompt: Prompt) -> str:
        both = json.loads(prompt.question)
        return "first" if texts["bob"] in both["first"] else "second" if texts["bob"] in both["second"] else "neither"

    for name, right in (("ada", 18), ("bob", 12), ("eve", 16), ("max", 15)):
        hall.seat(voice(name, texts[name], better=better), right)
    result = await hall.ask(OPEN, level)
    assert result.decision.shown_seat == "bob"
    assert result.decision.winner.text == texts["bob"]
    assert "comparisons" in result.decision.reason
    author = {row.run_id: row.specialist for row in hall.rows(t.model_runs)}
    compared = hall.rows(t.comparisons)
    assert compared
    assert all(row.judge not in {author[row.first], author[row.second]} for row in compared)
    assert all(row.kind == "pairwise" for row in compared)
    calls = sum(asked_for(model).count("compare") for model in hall.said.values())
    assert calls == 2 * len(compared) == 12
    read = {row.run_id for row in hall.rows(t.reviews)}
    assert {author[run] for run in read} == {"bob"}
    (shown,) = (row.specialist for row in hall.rows(t.model_runs) if row.vcg_winner)
    assert shown == "bob"


# --- what it takes ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("level", "calls"), [(FAST, 1), (BALANCED, 3), (HIGH, 4 + 1), (MAXIMUM, 4 + 3 + 0.4)])
async def test_calls_money_and_time_are_said_beforehand_and_the_cost_afterwards(hall, level, calls):
    """Expected are the members of the level and its reviews; afterwards stands what all of it really cost."""
    models = four(hall, "yes", "yes", "yes", "yes", price=PRICE)
    started = (await hall.events(level=level))[0]
    assert isinstance(started, AskStarted)
    assert started.expected is not None
    assert started.expected.calls == pytest.approx(calls)
    assert started.expected.cost_micros == pytest.approx(calls * PRICE.cost(600, 250), abs=1)
    assert started.expected.seconds is None
    (row,) = hall.rows(t.queries)
    spent = sum(PRICE.cost(*tokens(prompt)) for model in models for prompt, _ in model.calls)
    assert row.cost_micros == spent > 0


def tokens(prompt: Prompt) -> tuple[int, int]:
    """Return what a scripted model counts for a call: words read and written."""
    said = verdict("correct") if kind_of(prompt) == "review" else lines("yes")
    return sum(len(message.content.split()) for message in prompt.messages), len(said.split())


async def test_comparisons_are_expected_and_paid_for(hall):
    """Ordering four texts takes twelve readings: they are announced, and stand in what the question cost."""
    models = four(hall, "Rain falls.", "Drops.", "Wet.", "Grey.", price=PRICE)
    events = await hall.events(OPEN, HIGH)
    assert events[0].expected.calls == 4 + 1 + 12
    assert sum(len(model.calls) for model in models) == 4 + 1 + 12
    result = events[-1].result
    answered = sum(answer.usage.cost_micros for answer in result.answers)
    assert result.compared.cost_micros > 0
    assert result.cost_micros == answered + result.reviews[0].usage.cost_micros + result.compared.cost_micros
    assert [row.cost_micros for row in hall.rows(t.queries)] == [result.cost_micros]


async def test_what_is_expected_follows_what_was_spent(hall):
    """After the first answers the estimate rests on them."""
    hall.seat(voice("ada", price=PRICE))
    await hall.ask(level=FAST)
    (run,) = hall.rows(t.model_runs)
    started = (await hall.events(level=FAST))[0]
    assert started.expected.cost_micros == run.cost_micros


# --- who may not vote -------------------------------------------------------------------------------------------------


async def test_who_failed_the_self_test_is_heard_and_weighs_nothing(hall):
    """A mute member's answer is shown beside the others and supports no candidate; it is asked only with all."""
    hall.seat(voice("ada", "yes"), 18)
    mute = hall.seat(voice("tiny", "no"), 2, votes=False)
    await hall.ask(level=BALANCED)
    assert mute.calls == []
    result = await hall.ask(level=HIGH)
    assert [c.supporters for c in result.decision.candidates] == [("ada",)]
    assert {answer.seat.name for answer in result.answers} == {"ada", "tiny"}
    assert asked_for(mute) == ["answer"]


@pytest.mark.parametrize("level", AccuracyLevel)
async def test_mute_members_alone_are_never_believed(hall, level):
    """Where nobody with a vote answers, what is said stands as Uncertain, and says why and what to do."""
    hall.seat(voice("tiny", "no"), 2, votes=False)
    hall.seat(voice("small", "no"), 3, votes=False)
    result = await hall.ask(level=level)
    assert result.decision.winner is not None
    assert result.decision.confidence.label is ConfidenceLabel.UNCERTAIN
    assert result.decision.effective_votes is None
    assert "failed the self-test" in result.decision.reason
    assert result.reviews == ()


async def test_members_may_come_and_go_between_questions(hall):
    """Who left is not asked, who came is, and what was learned of the others stays; nothing is learned anew."""
    for name, right in (("ada", 18), ("bob", 17), ("eve", 16)):
        hall.seat(voice(name), right)
    for _ in range(30):
        hall.past({"ada": "no", "bob": "yes", "eve": "yes"}, right="yes")
    hall.auritas.learning.refit()
    (before,) = hall.rows(t.council_weights)
    learned = hall.auritas.learning.current()
    hall.leave("eve")
    hall.seat(voice("new"))
    result = await hall.ask(level=HIGH)
    assert {answer.seat.name for answer in result.answers} == {"ada", "bob", "new"}
    now = hall.auritas.learning.current()
    assert set(now.seats) == {"ada", "bob", "new"}
    assert all(now.weights.seats[seat] == learned.weights.seats[seat] for seat in ("ada", "bob"))
    assert hall.rows(t.council_weights) == [before]
