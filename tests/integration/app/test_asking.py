"""The use case of asking, on a real encrypted store, with scripted models."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from sqlalchemy import select

from auritas.app.ask import Ask, LevelUnavailableError, NoModelError
from auritas.audit.adapters.sql import SqlAuditLog
from auritas.audit.service import AuditService
from auritas.council.adapters.records import CouncilRecords
from auritas.council.model import Member, Tally, Topic
from auritas.council.policy import SelfTestPolicy
from auritas.council.service import Council
from auritas.gateway.adapters.schema import JsonSchemaCheck
from auritas.gateway.adapters.scripted import Disconnect, Hang, ScriptedModel
from auritas.gateway.service import Gateway
from auritas.kernel.answers import AccuracyLevel, AskResult, Seat
from auritas.kernel.diagnostics import KeptDiagnostics
from auritas.kernel.errors import NotFoundError, UsageError
from auritas.kernel.events import AnswerDelta, AskFinished, AskStarted, Decided, MemberRetried
from auritas.kernel.hooks import NoHooks
from auritas.kernel.model import Finished, FinishReason, ModelCard, Params, Usage
from auritas.kernel.randomness import SystemEntropy
from auritas.kernel.tasks import TaskSpawner
from auritas.store import SqlStore
from auritas.store import schema as t
from auritas.store.keychain import NoKeychain
from auritas.store.opening import open_store

pytestmark = pytest.mark.anyio


def says(answer: str) -> list[str]:
    return ["It is ", "so.\nANSW", f"ER: {answer}\nCONFIDENCE: 70\nDOMAINS: general"]


@dataclass
class Setting:
    store: SqlStore
    ask: Ask
    models: dict[str, ScriptedModel]
    members: list[Member]
    diagnostics: KeptDiagnostics
    audit: AuditService[Any]

    def seat(self, model: ScriptedModel, right: int = 18, *, provider: str | None = None) -> ScriptedModel:
        if provider:
            model.card = ModelCard(model.name, provider, local=True)
        self.models[model.name] = model
        record = {Topic.GENERAL: Tally(right, 20)}
        self.members.append(Member(Seat(model.name, model.name), model.card, record))
        return model

    def rows(self, table: Any) -> list[Any]:
        with self.store.read() as unit:
            return list(unit.connection.execute(select(table)))


@pytest.fixture
def setting(tmp_path, clock, ids, rng) -> Iterator[Setting]:
    store = open_store(tmp_path / "store", keychain=NoKeychain()).store
    log = SqlAuditLog(clock, SystemEntropy(), ids)
    models: dict[str, ScriptedModel] = {}
    members: list[Member] = []
    diagnostics = KeptDiagnostics()
    gateway = Gateway(models, clock=clock, rng=rng, check=JsonSchemaCheck())
    council = Council(gateway, SelfTestPolicy(), TaskSpawner(), ids, NoHooks(), diagnostics, Params())
    ask = Ask(
        store=store,
        records=CouncilRecords(log, clock, ids),
        council=council,
        members=lambda: tuple(members),
        topic_of=lambda text: Topic.CALCULATION if "*" in text else Topic.GENERAL,
        degraded=gateway.degraded,
        hooks=NoHooks(),
        clock=clock,
        ids=ids,
    )
    yield Setting(store, ask, models, members, diagnostics, AuditService(store, log, clock))
    store.close()


async def result_of(
    setting: Setting, text: str = "Why?", level: AccuracyLevel = AccuracyLevel.HIGH, **more: Any
) -> AskResult:
    events = [event async for event in setting.ask(text, level=level, **more)]
    assert isinstance(events[-1], AskFinished)
    return events[-1].result


async def test_everything_about_a_question_is_written_together(setting):
    """Messages, runs, trace, question and audit entries of an answer land in the store, and the log verifies."""
    setting.seat(ScriptedModel("ada", [says("yes")]))
    setting.seat(ScriptedModel("bob", [says("no")]), right=12)
    result = await result_of(setting)
    assert [row.role for row in setting.rows(t.messages)] == ["user", "assistant"]
    assert {row.specialist for row in setting.rows(t.model_runs)} == {"ada", "bob"}
    assert [row.status for row in setting.rows(t.queries)] == ["finished"]
    (trace,) = setting.rows(t.traces)
    assert json.loads(trace.document)["trace_id"] == result.trace_id
    assert trace.audit_seq == result.receipt.seq
    kinds = [row.event_type for row in setting.rows(t.audit_log)]
    assert kinds == ["query", "run", "run", "trace"]
    assert setting.audit.verify().ok


async def test_the_question_is_in_the_log_before_anybody_is_asked(setting):
    """The query entry is committed before the first model gets the prompt (nothing is sent before its entry)."""
    seen: list[list[str]] = []

    def look(_prompt: Any) -> list[str]:
        seen.append([row.event_type for row in setting.rows(t.audit_log)])
        return says("yes")

    setting.seat(ScriptedModel("ada", reply=look))
    await result_of(setting)
    assert seen == [["query"]]


async def test_an_answer_is_final_only_after_its_commit(setting):
    """When AskFinished arrives, its trace can be read back from the store."""
    setting.seat(ScriptedModel("ada", [says("yes")]))
    async for event in setting.ask("Why?", level=AccuracyLevel.HIGH):
        traces = len(setting.rows(t.traces))
        assert traces == (1 if isinstance(event, AskFinished) else 0)


async def test_members_stream_while_they_write(setting):
    """Pieces are shown as they come, without the closing lines."""
    setting.seat(ScriptedModel("ada", [says("yes")]))
    events = [event async for event in setting.ask("Why?", level=AccuracyLevel.HIGH)]
    shown = "".join(event.text for event in events if isinstance(event, AnswerDelta))
    assert shown.strip() == "It is so."
    assert isinstance(events[0], AskStarted)
    assert any(isinstance(event, Decided) for event in events)


async def test_cancelling_stops_every_model_and_keeps_what_was_answered(setting):
    """A stop reaches each model; the question is marked, the finished answer is kept, and the log verifies."""
    setting.seat(ScriptedModel("ada", [says("yes")]))
    hung = setting.seat(ScriptedModel("bob", [["thinking ", Hang()]]))
    events = setting.ask("Why?", level=AccuracyLevel.HIGH)
    async for event in events:
        if isinstance(event, AnswerDelta) and event.seat == "bob":
            break
    await events.aclose()
    assert hung.running == 0
    assert hung.closed == 1
    assert [row.status for row in setting.rows(t.queries)] == ["interrupted"]
    assert {row.specialist for row in setting.rows(t.model_runs)} <= {"ada"}
    (trace,) = setting.rows(t.traces)
    assert json.loads(trace.document)["reason_code"] == "interrupted"
    assert [row.event_type for row in setting.rows(t.audit_log)][-1] == "trace"
    assert setting.audit.verify().ok


async def test_stopping_before_the_first_answer_marks_the_question(setting):
    """A question that is given up at its very first event is interrupted, too, and nobody is asked."""
    model = setting.seat(ScriptedModel("ada", [says("yes")]))
    events = setting.ask("Why?", level=AccuracyLevel.HIGH)
    await anext(events)
    await events.aclose()
    assert model.calls == []
    assert [row.status for row in setting.rows(t.queries)] == ["interrupted"]


async def test_a_member_that_fails_is_named_and_the_others_decide(setting):
    """One member is cut off at each try, and the question is answered without it."""
    setting.seat(ScriptedModel("ada", [says("yes")]))
    setting.seat(ScriptedModel("bob", [[Disconnect()]]))
    result = await result_of(setting)
    failed = next(answer for answer in result.answers if answer.seat.name == "bob")
    assert failed.failure is not None
    assert result.decision.winner is not None
    assert {row.error for row in setting.rows(t.model_runs)} == {None, failed.failure.code}


async def test_a_bug_in_an_adapter_is_reported_and_does_not_sink_the_question(setting):
    """Whatever a member raises becomes its failure; the type reaches the diagnostics, the words do not."""

    def broken(_prompt: Any) -> list[str]:
        raise RuntimeError("secret words")

    setting.seat(ScriptedModel("ada", [says("yes")]))
    setting.seat(ScriptedModel("bob", reply=broken))
    result = await result_of(setting)
    failed = next(answer for answer in result.answers if answer.seat.name == "bob")
    assert failed.failure is not None
    assert failed.failure.code == "internal"
    assert "secret" not in failed.failure.message
    assert setting.diagnostics.troubles == [("member scripted", "RuntimeError")]


async def test_a_silent_member_is_asked_once_more(setting):
    """No parsable answer is an event: one retry, which costs what both attempts cost."""
    paid = Finished(FinishReason.STOP, Usage(tokens_in=5, tokens_out=2, cost_micros=7))
    model = setting.seat(ScriptedModel("ada", [["", paid], [*says("yes"), paid]]))
    events = [event async for event in setting.ask("Why?", level=AccuracyLevel.HIGH)]
    assert len(model.calls) == 2
    assert any(isinstance(event, MemberRetried) for event in events)
    assert [(row.attempts, row.cost_micros) for row in setting.rows(t.model_runs)] == [(2, 14)]
    assert [row.cost_micros for row in setting.rows(t.queries)] == [14]


async def test_an_abstention_is_neither_vote_nor_failure(setting):
    """A member that leaves a question to others is recorded as abstaining and supports nothing."""
    setting.seat(ScriptedModel("ada", [says("yes")]))
    setting.seat(ScriptedModel("calc", [[Finished(FinishReason.ABSTAINED, Usage())]]), provider="builtin")
    result = await result_of(setting)
    assert [c.supporters for c in result.decision.candidates] == [("ada",)]
    assert {row.specialist: bool(row.abstained) for row in setting.rows(t.model_runs)} == {"ada": False, "calc": True}


async def test_a_cascade_spares_calls_when_two_agree(setting):
    """At the balanced level the third model is asked only when the first two disagree."""
    spared = setting.seat(ScriptedModel("eve", [says("yes")]), right=12)
    setting.seat(ScriptedModel("ada", [says("yes"), says("yes")]))
    second = setting.seat(ScriptedModel("bob", [says("yes"), says("no")]), right=17)
    await result_of(setting, level=AccuracyLevel.BALANCED)
    assert spared.calls == []
    await result_of(setting, level=AccuracyLevel.BALANCED)
    assert len(second.calls) == 2
    assert len(spared.calls) == 1


async def test_history_goes_to_every_member(setting):
    """Each member of a second question sees the first question and its answer."""
    models = [setting.seat(ScriptedModel(name, [says("yes")])) for name in ("ada", "bob")]
    first = await result_of(setting, "Is it so?")
    await result_of(setting, "And now?", conversation_id=first.conversation_id)
    for model in models:
        said = [message.content for message in model.calls[-1][0].messages]
        assert "Is it so?" in said
        assert any(text.startswith("yes") for text in said)
    assert len({row.conversation_id for row in setting.rows(t.messages)}) == 1
    parents = [row.parent_id for row in setting.rows(t.messages)]
    assert parents[0] is None
    assert all(parents[1:])


async def test_nobody_answering_is_a_refusal_with_its_trace(setting):
    """When every member fails nothing is chosen, and the trace says so by a reason code."""
    setting.seat(ScriptedModel("ada", [[Disconnect()]]))
    result = await result_of(setting)
    assert result.decision.chosen is None
    (trace,) = setting.rows(t.traces)
    assert trace.kind == "refusal"
    assert json.loads(trace.document)["reason_code"] == "no_answer"
    assert [row.status for row in setting.rows(t.queries)] == ["failed"]


@pytest.mark.parametrize(
    ("text", "level", "conversation", "error"),
    [
        ("  ", AccuracyLevel.HIGH, None, UsageError),
        ("x" * 32_001, AccuracyLevel.HIGH, None, UsageError),
        ("Why?", AccuracyLevel.MAXIMUM, None, LevelUnavailableError),
        ("Why?", AccuracyLevel.HIGH, "nowhere", NotFoundError),
    ],
)
async def test_a_question_that_cannot_be_asked_leaves_nothing(setting, text, level, conversation, error):
    """Bad input is refused before anything is written or anybody is asked."""
    model = setting.seat(ScriptedModel("ada", [says("yes")]))
    with pytest.raises(error):
        await result_of(setting, text, level, conversation_id=conversation)
    assert model.calls == []
    assert setting.rows(t.conversations) == []
    assert setting.rows(t.audit_log) == []


async def test_without_a_model_the_calculator_alone_is_no_council(setting):
    """A store without models says how to get some."""
    setting.seat(ScriptedModel("calc", [says("4")]), provider="builtin")
    with pytest.raises(NoModelError, match="calculator"):
        await result_of(setting)
