"""The gateway over scripted models: deadlines, retries, breaker, forms and cancellation."""

import asyncio
from dataclasses import replace

import pytest
from tests.unit.gateway.doubles import WHY, ask, heard

from auritas.gateway.adapters.schema import JsonSchemaCheck
from auritas.gateway.adapters.scripted import Disconnect, Hang, Script, ScriptedModel, Wait
from auritas.gateway.errors import (
    BadStructure,
    BudgetSpent,
    DeadlinePassed,
    FailureKind,
    ModelDegraded,
    ModelMissing,
    ProviderFailed,
    ProviderRefused,
)
from auritas.gateway.model import Budget
from auritas.gateway.service import Gateway, Limits
from auritas.kernel.canonical import Json
from auritas.kernel.clock import Clock, ManualClock, SystemClock
from auritas.kernel.errors import UnavailableError
from auritas.kernel.model import Finished, FinishReason, ModelCard, Params, Prefill, Price, Text, Usage
from auritas.kernel.ports import ModelPort
from auritas.kernel.randomness import SeededRng
from auritas.kernel.tasks import TaskSpawner

pytestmark = pytest.mark.anyio

SCHEMA: dict[str, Json] = {"type": "object", "properties": {"answer": {"type": "string"}}, "required": ["answer"]}
BUSY = ProviderFailed("busy", kind=FailureKind.SERVER)


def gateway(*models: ModelPort, clock: Clock | None = None, limits: Limits | None = None) -> Gateway:
    known = {model.card.name: model for model in models}
    return Gateway(
        known, clock=clock or ManualClock(), rng=SeededRng(7), check=JsonSchemaCheck(), limits=limits or Limits()
    )


def scripted(*scripts: Script, clock: Clock | None = None, grammar: bool = False, local: bool = True) -> ScriptedModel:
    card = ModelCard("m", "scripted", local=local, grammar=grammar, price=Price(1_000_000, 1_000_000))
    return ScriptedModel("m", scripts=scripts, clock=clock or ManualClock(), base=card)


async def test_a_reply_passes_through_as_it_is():
    """Without a form or a failure the gateway adds nothing."""
    model = scripted(["Can", "berra"])
    got = await heard(gateway(model).answer("m", ask(), Params(), WHY))
    assert [part for part in got.parts if isinstance(part, Text)] == [Text("Can"), Text("berra")]


async def test_a_reply_without_an_end_is_a_failure():
    """A model that just stops talking has not answered."""

    class Stops(ScriptedModel):
        async def answer(self, prompt, params):
            yield Text("Can")

    with pytest.raises(ProviderFailed, match="no end"):
        await heard(gateway(Stops("m")).answer("m", ask(), Params(), WHY))


async def test_an_unknown_model_is_named_with_the_nearest():
    """A typing error is answered with what was probably meant."""
    model = ScriptedModel("sonnet")
    with pytest.raises(ModelMissing, match="Did you mean 'sonnet'"):
        await heard(gateway(model).answer("sonet", ask(), Params(), WHY))
    with pytest.raises(ModelMissing):
        gateway(scripted()).card("nobody")


async def test_a_model_added_later_can_be_asked_at_once():
    """The mapping is read at each call."""
    models: dict[str, ModelPort] = {}
    asked = Gateway(models, clock=ManualClock(), rng=SeededRng(1), check=JsonSchemaCheck())
    assert asked.cards() == ()
    models["m"] = scripted(["yes"])
    assert (await heard(asked.answer("m", ask(), Params(), WHY))).text == "yes"
    assert [card.name for card in asked.cards()] == ["m"]


async def test_a_failure_before_the_first_word_is_retried():
    """Two failures and then a reply are a reply."""
    model = scripted([BUSY], [Prefill(1, 2), Disconnect()], ["Canberra"])
    got = await heard(gateway(model).answer("m", ask(), Params(), WHY))
    assert got.text == "Canberra"
    assert len(model.calls) == 3


async def test_a_failure_after_the_first_word_is_not_retried():
    """What a person has read is not said twice in other words."""
    model = scripted(["Can", Disconnect()], ["Canberra"])
    with pytest.raises(ProviderFailed):
        await heard(gateway(model).answer("m", ask(), Params(), WHY))
    assert len(model.calls) == 1


async def test_what_cannot_change_is_not_retried():
    """A refused key is refused once."""
    model = scripted([ProviderRefused("no", remedy="check the key")])
    asked = gateway(model)
    with pytest.raises(ProviderRefused):
        await heard(asked.answer("m", ask(), Params(), WHY))
    assert len(model.calls) == 1
    assert asked.degraded() == ()


async def test_a_wait_beyond_the_deadline_is_not_begun():
    """When the provider asks for more time than is left, the failure is told at once."""
    clock = ManualClock()
    model = scripted([ProviderFailed("later", kind=FailureKind.LIMITED, retry_after=100.0)])
    with pytest.raises(ProviderFailed, match="later"):
        await heard(gateway(model, clock=clock).answer("m", ask(), Params(deadline_s=60), WHY))
    assert clock.monotonic() == 0


async def test_a_provider_that_names_a_time_is_not_asked_earlier():
    """Retry-After is honoured."""
    clock = ManualClock()
    model = scripted([ProviderFailed("later", kind=FailureKind.LIMITED, retry_after=9.0)], ["Canberra"])
    await heard(gateway(model, clock=clock).answer("m", ask(), Params(), WHY))
    assert clock.monotonic() >= 9


async def test_five_failures_and_the_sixth_call_is_not_made():
    """After five 503s the model is listed as degraded and left alone; half a minute later one probe is made (F16)."""
    clock = ManualClock()
    model = scripted([BUSY])
    asked = gateway(model, clock=clock, limits=Limits())
    for _ in range(2):
        with pytest.raises(ProviderFailed):
            await heard(asked.answer("m", ask(), Params(), WHY))
    assert len(model.calls) == 5
    assert asked.degraded() == ("m",)
    with pytest.raises(ModelDegraded):
        await heard(asked.answer("m", ask(), Params(), WHY))
    assert len(model.calls) == 5
    clock.advance(30)
    with pytest.raises(ProviderFailed):
        await heard(asked.answer("m", ask(), Params(), WHY))
    assert len(model.calls) == 6
    clock.advance(30)
    model.scripts = [["Canberra"]]
    for _ in range(2):
        assert asked.degraded() == ("m",)
        await heard(asked.answer("m", ask(), Params(), WHY))
    assert asked.degraded() == ()


async def test_only_one_of_many_callers_probes():
    """While a probe is under way the others fail at once (F16)."""
    clock = ManualClock()
    model = scripted(*([[BUSY]] * 5), ["Can", Hang()])
    asked = gateway(model, clock=clock)
    for _ in range(2):
        with pytest.raises(ProviderFailed):
            await heard(asked.answer("m", ask(), Params(), WHY))
    clock.advance(30)
    probe = asked.answer("m", ask(), Params(), WHY)
    await anext(probe)
    with pytest.raises(ModelDegraded):
        await heard(asked.answer("m", ask(), Params(), WHY))
    await probe.aclose()
    assert len(model.calls) == 6


async def test_failures_of_one_model_leave_the_others_alone():
    """Each model has a breaker of its own."""
    broken, healthy = scripted([BUSY]), ScriptedModel("healthy", [["yes"]])
    asked = gateway(broken, healthy)
    for _ in range(3):
        with pytest.raises(UnavailableError):
            await heard(asked.answer("m", ask(), Params(), WHY))
    assert (await heard(asked.answer("healthy", ask(), Params(), WHY))).text == "yes"


async def test_a_model_that_hangs_is_stopped_at_its_deadline():
    """The work behind the stream has really ended when the error arrives."""
    model = scripted(["Can", Hang()])
    with pytest.raises(DeadlinePassed):
        await heard(gateway(model, clock=SystemClock()).answer("m", ask(), Params(deadline_s=0.05), WHY))
    assert (model.running, model.closed) == (0, 1)


async def test_the_deadline_is_one_for_all_attempts():
    """Retries share the time of the call, and each attempt is told what is left of it."""
    clock = ManualClock()
    model = scripted([Wait(6), BUSY], [Wait(6), "too late"], clock=clock)
    with pytest.raises(DeadlinePassed):
        await heard(gateway(model, clock=clock).answer("m", ask(), Params(deadline_s=10), WHY))
    lefts = [params.deadline_s for _, params in model.calls]
    assert lefts[0] == 10
    assert lefts[1] < 4


async def test_an_engine_that_notices_the_deadline_itself_gives_the_same_error():
    """Callers see one error for one thing; what was counted is in it."""
    model = scripted(["Can", Finished(FinishReason.DEADLINE, Usage(3, 1))])
    with pytest.raises(DeadlinePassed) as caught:
        await heard(gateway(model).answer("m", ask(), Params(), WHY))
    assert caught.value.usage == Usage(3, 1)


async def test_closing_the_stream_stops_the_work():
    """A listener that goes away leaves nothing running."""
    model = scripted(["Can", Hang()])
    stream = gateway(model).answer("m", ask(), Params(), WHY)
    await anext(stream)
    assert model.running == 1
    await stream.aclose()
    assert (model.running, model.closed) == (0, 1)


async def test_cancelling_the_task_stops_the_work():
    """A cancelled task leaves nothing running, wherever it waits."""
    model = scripted([Hang()])
    task = TaskSpawner().spawn("ask", heard(gateway(model).answer("m", ask(), Params(), WHY)))
    while not model.running:
        await SystemClock().sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert (model.running, model.closed) == (0, 1)


async def test_a_form_is_checked_and_its_fence_removed():
    """A reply of the right form arrives whole and bare."""
    model = scripted(['```json\n{"answer":', ' "Canberra"}\n```'])
    got = await heard(gateway(model).answer("m", ask(), Params(schema=SCHEMA), WHY))
    assert got.text == '{"answer": "Canberra"}'
    assert len(model.calls) == 1


@pytest.mark.parametrize("wrong", ["Canberra", '{"reply": 1}', '{"answer": "Can', "", "[" * 100_000])
async def test_a_wrong_form_is_asked_for_once_more(wrong: str):
    """The second request holds the failed reply and what was wrong with it; both calls are counted."""
    model = scripted([wrong], ['{"answer": "Canberra"}'])
    got = await heard(gateway(model).answer("m", ask(), Params(schema=SCHEMA), WHY))
    assert got.text == '{"answer": "Canberra"}'
    again, _ = model.calls[1]
    assert len(again.messages) == 3
    assert got.end.usage.tokens_in > len(ask().question.split())


async def test_a_form_that_is_wrong_twice_is_an_error():
    """There is one retry, not a loop."""
    model = scripted(["Canberra"])
    with pytest.raises(BadStructure, match="not JSON"):
        await heard(gateway(model).answer("m", ask(), Params(schema=SCHEMA), WHY))
    assert len(model.calls) == 2


async def test_an_engine_with_a_grammar_streams_its_form():
    """Nothing is held back where the engine cannot leave the form."""
    model = scripted(['{"answer":', ' "Canberra"}'], grammar=True)
    got = await heard(gateway(model).answer("m", ask(), Params(schema=SCHEMA), WHY))
    assert len(got.parts) == 3


async def test_an_abstention_needs_no_form():
    """A model that says that a question is not its own is not asked again."""
    model = scripted([Finished(FinishReason.ABSTAINED, Usage())])
    got = await heard(gateway(model).answer("m", ask(), Params(schema=SCHEMA), WHY))
    assert got.end.reason is FinishReason.ABSTAINED
    assert len(model.calls) == 1


async def test_a_spent_budget_stops_models_elsewhere_only():
    """A limit refuses the call before it is made; models on this machine cost nothing and go on."""
    limits = Limits(budget=Budget(tokens_per_question=4))
    remote, local = scripted(["one two three"], local=False), ScriptedModel("local", [["yes"]])
    asked = gateway(remote, local, limits=limits)
    await heard(asked.answer("m", ask("hi"), Params(), WHY))
    with pytest.raises(BudgetSpent):
        await heard(asked.answer("m", ask("hi"), Params(), WHY))
    assert len(remote.calls) == 1
    await heard(asked.answer("local", ask("hi"), Params(), WHY))
    assert (await asked.spent_today()).tokens == 4


async def test_a_stopped_call_is_paid_for():
    """What was written until the stop is booked as an estimate."""
    model = scripted(["x" * 400, Hang()], local=False)
    asked = gateway(model)
    stream = asked.answer("m", ask("hi"), Params(), replace(WHY))
    await anext(stream)
    await stream.aclose()
    assert (await asked.spent_today()).tokens == 100


async def test_a_degraded_model_takes_no_room_from_the_budget():
    """A call that is not made reserves nothing."""
    model = scripted([BUSY], local=False)
    asked = gateway(model, limits=Limits(budget=Budget(tokens_per_day=10_000)))
    for _ in range(40):
        with pytest.raises(UnavailableError):
            await heard(asked.answer("m", ask(), Params(max_tokens=1_000), WHY))
    assert (await asked.spent_today()).tokens == 0
