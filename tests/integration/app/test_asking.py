"""The use case of asking, on a real encrypted store, with scripted models."""

import json
from typing import Any

import pytest
from tests.integration.app.hall import CLOSED, kind_of, voice

from auritas.app.ask import NoModelError
from auritas.gateway.adapters.scripted import Disconnect, Hang, ScriptedModel
from auritas.kernel.answers import AccuracyLevel
from auritas.kernel.errors import NotFoundError, UsageError
from auritas.kernel.events import AnswerDelta, AskFinished, AskStarted, Decided, MemberRetried
from auritas.kernel.model import Finished, FinishReason, Usage
from auritas.store import schema as t

pytestmark = pytest.mark.anyio


def says(answer: str) -> list[str]:
    return ["It is ", "so.\nANSW", f"ER: {answer}\nCONFIDENCE: 70\nDOMAINS: general"]


async def test_everything_about_a_question_is_written_together(hall):
    """Messages, runs, review, trace, question and audit entries land in the store together, and the log verifies."""
    hall.seat(voice("ada", "yes"), right=18)
    hall.seat(voice("bob", "no"), right=12)
    result = await hall.ask()
    assert [row.role for row in hall.rows(t.messages)] == ["user", "assistant"]
    assert {row.specialist for row in hall.rows(t.model_runs)} == {"ada", "bob"}
    assert [row.status for row in hall.rows(t.queries)] == ["finished"]
    (trace,) = hall.rows(t.traces)
    assert json.loads(trace.document)["trace_id"] == result.trace_id
    assert trace.audit_seq == result.receipt.seq
    kinds = [row.event_type for row in hall.rows(t.audit_log)]
    assert kinds == ["query", "run", "run", "trace", "review", "grade"]
    assert hall.intact


async def test_the_question_is_in_the_log_before_anybody_is_asked(hall):
    """The query entry is committed before the first model gets the prompt (nothing is sent before its entry)."""
    seen: list[list[str]] = []

    def look(_prompt: Any) -> list[str]:
        seen.append([row.event_type for row in hall.rows(t.audit_log)])
        return says("yes")

    hall.seat(ScriptedModel("ada", reply=look))
    await hall.ask()
    assert seen == [["query"]]


async def test_an_answer_is_final_only_after_its_commit(hall):
    """When AskFinished arrives, its trace can be read back from the store."""
    hall.seat(ScriptedModel("ada", [says("yes")]))
    async for event in hall.auritas.ask(CLOSED, level=AccuracyLevel.HIGH):
        traces = len(hall.rows(t.traces))
        assert traces == (1 if isinstance(event, AskFinished) else 0)


async def test_members_stream_while_they_write(hall):
    """Pieces are shown as they come, without the closing lines."""
    hall.seat(ScriptedModel("ada", [says("yes")]))
    events = [event async for event in hall.auritas.ask(CLOSED, level=AccuracyLevel.HIGH)]
    shown = "".join(event.text for event in events if isinstance(event, AnswerDelta))
    assert shown.strip() == "It is so."
    assert isinstance(events[0], AskStarted)
    assert any(isinstance(event, Decided) for event in events)


async def test_cancelling_stops_every_model_and_keeps_what_was_answered(hall):
    """A stop reaches each model; the question is marked, the finished answer is kept, and the log verifies."""
    hall.seat(ScriptedModel("ada", [says("yes")]))
    hung = hall.seat(ScriptedModel("bob", [["thinking ", Hang()]]))
    events = hall.auritas.ask(CLOSED, level=AccuracyLevel.HIGH)
    async for event in events:
        if isinstance(event, AnswerDelta) and event.seat == "bob":
            break
    await events.aclose()
    assert hung.running == 0
    assert hung.closed == 1
    assert [row.status for row in hall.rows(t.queries)] == ["interrupted"]
    assert {row.specialist for row in hall.rows(t.model_runs)} <= {"ada"}
    (trace,) = hall.rows(t.traces)
    assert json.loads(trace.document)["reason_code"] == "interrupted"
    assert [row.event_type for row in hall.rows(t.audit_log)][-1] == "trace"
    assert hall.intact


async def test_stopping_before_the_first_answer_marks_the_question(hall):
    """A question that is given up at its very first event is interrupted, too, and nobody is asked."""
    model = hall.seat(ScriptedModel("ada", [says("yes")]))
    events = hall.auritas.ask(CLOSED, level=AccuracyLevel.HIGH)
    await anext(events)
    await events.aclose()
    assert model.calls == []
    assert [row.status for row in hall.rows(t.queries)] == ["interrupted"]


async def test_a_member_that_fails_is_named_and_the_others_decide(hall):
    """One member is cut off at each try, and the question is answered without it."""
    hall.seat(voice("ada"))
    hall.seat(ScriptedModel("bob", [[Disconnect()]]))
    result = await hall.ask()
    failed = next(answer for answer in result.answers if answer.seat.name == "bob")
    assert failed.failure is not None
    assert result.decision.winner is not None
    assert {row.error for row in hall.rows(t.model_runs)} == {None, failed.failure.code}


async def test_a_bug_in_an_adapter_is_reported_and_does_not_sink_the_question(hall):
    """Whatever a member raises becomes its failure; the type reaches the diagnostics, the words do not."""

    def broken(_prompt: Any) -> list[str]:
        raise RuntimeError("secret words")

    hall.seat(ScriptedModel("ada", [says("yes")]))
    hall.seat(ScriptedModel("bob", reply=broken))
    result = await hall.ask()
    failed = next(answer for answer in result.answers if answer.seat.name == "bob")
    assert failed.failure is not None
    assert failed.failure.code == "internal"
    assert "secret" not in failed.failure.message
    assert hall.auritas.kept.troubles == [("member scripted", "RuntimeError")]


async def test_a_silent_member_is_asked_once_more(hall):
    """No parsable answer is an event: one retry, which costs what both attempts cost."""
    paid = Finished(FinishReason.STOP, Usage(tokens_in=5, tokens_out=2, cost_micros=7))
    model = hall.seat(ScriptedModel("ada", [["", paid], [*says("yes"), paid]]))
    events = [event async for event in hall.auritas.ask(CLOSED, level=AccuracyLevel.HIGH)]
    assert len(model.calls) == 2
    assert any(isinstance(event, MemberRetried) for event in events)
    assert [(row.attempts, row.cost_micros) for row in hall.rows(t.model_runs)] == [(2, 14)]
    assert [row.cost_micros for row in hall.rows(t.queries)] == [14]


async def test_an_abstention_is_neither_vote_nor_failure(hall):
    """A member that leaves a question to others is recorded as abstaining and supports nothing."""
    hall.seat(ScriptedModel("ada", [says("yes")]))
    hall.seat(ScriptedModel("calc", [[Finished(FinishReason.ABSTAINED, Usage())]]), provider="builtin")
    result = await hall.ask()
    assert [c.supporters for c in result.decision.candidates] == [("ada",)]
    assert {row.specialist: bool(row.abstained) for row in hall.rows(t.model_runs)} == {"ada": False, "calc": True}


@pytest.mark.parametrize(("level", "asked"), [(level, 1 if level == "fast" else 2) for level in AccuracyLevel])
async def test_history_goes_to_every_member(hall, level, asked):
    """Each member that is asked a second question sees the first question and its answer, at every level."""
    models = [hall.seat(voice(name)) for name in ("ada", "bob")]
    first = await hall.ask(CLOSED, level)
    hall.forget()
    await hall.ask("And now?", level, conversation_id=first.conversation_id)
    prompts = [prompt for model in models for prompt, _ in model.calls if kind_of(prompt) == "answer"]
    assert len(prompts) == asked
    for prompt in prompts:
        said = [message.content for message in prompt.messages]
        assert CLOSED in said
        assert any(text.startswith("yes") for text in said)
        assert said[-1] == "And now?"
    assert len({row.conversation_id for row in hall.rows(t.messages)}) == 1
    parents = [row.parent_id for row in hall.rows(t.messages)]
    assert parents[0] is None
    assert all(parents[1:])


async def test_nobody_answering_is_a_refusal_with_its_trace(hall):
    """When every member fails nothing is chosen, and the trace says so by a reason code."""
    hall.seat(ScriptedModel("ada", [[Disconnect()]]))
    result = await hall.ask()
    assert result.decision.chosen is None
    (trace,) = hall.rows(t.traces)
    assert trace.kind == "refusal"
    assert json.loads(trace.document)["reason_code"] == "no_answer"
    assert [row.status for row in hall.rows(t.queries)] == ["failed"]


@pytest.mark.parametrize(
    ("text", "level", "conversation", "error"),
    [
        ("  ", AccuracyLevel.HIGH, None, UsageError),
        ("x" * 32_001, AccuracyLevel.HIGH, None, UsageError),
        ("half a pair: \ud800", AccuracyLevel.HIGH, None, UsageError),
        (CLOSED, AccuracyLevel.HIGH, "nowhere", NotFoundError),
    ],
)
async def test_a_question_that_cannot_be_asked_leaves_nothing(hall, text, level, conversation, error):
    """Bad input is refused before anything is written or anybody is asked."""
    model = hall.seat(ScriptedModel("ada", [says("yes")]))
    with pytest.raises(error):
        await hall.ask(text, level, conversation_id=conversation)
    assert model.calls == []
    assert hall.rows(t.conversations) == []
    assert hall.rows(t.audit_log) == []


async def test_without_a_model_the_calculator_alone_is_no_council(hall):
    """A store without models says how to get some."""
    hall.seat(ScriptedModel("calc", [says("4")]), provider="builtin")
    with pytest.raises(NoModelError, match="calculator"):
        await hall.ask()
