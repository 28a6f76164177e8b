"""The calculator as a member of the council."""

import json
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import jsonschema
import pytest

from auritas.gateway.adapters.calculator import CalculatorModel
from auritas.gateway.embedded_prompt import BALLOT_SCHEMA, MEMBER_SCHEMA
from auritas.kernel.clock import ManualClock
from auritas.kernel.model import Finished, FinishReason, Message, Params, Prompt, Role, Text


async def reply(model: CalculatorModel, question: str, params: Params | None = None):
    prompt = Prompt((Message(Role.SYSTEM, "Answer 1+1."), Message(Role.USER, question)))
    return [part async for part in model.answer(prompt, params or Params())]


@pytest.mark.anyio
async def test_seventeen_times_twenty_three(clock: ManualClock):
    """What is 17*23? is 391, in the form that embedded members write (E2)."""
    text, finished = await reply(CalculatorModel(clock), "What is 17*23?", Params(schema=MEMBER_SCHEMA))
    assert isinstance(text, Text)
    assert json.loads(text.text) == {
        "answer": "391",
        "explanation": "17 \N{MULTIPLICATION SIGN} 23 = 391",
        "domains": ["mathematics"],
    }
    assert isinstance(finished, Finished)
    assert finished.reason is FinishReason.STOP
    assert finished.provenance.model_digest == CalculatorModel.card.digest


@pytest.mark.anyio
async def test_it_abstains_without_a_word(clock: ManualClock):
    """On a question that is not its own it says nothing, and that it says nothing (E1)."""
    (finished,) = await reply(CalculatorModel(clock), "What is the capital of Australia?")
    assert isinstance(finished, Finished)
    assert finished.reason is FinishReason.ABSTAINED
    assert finished.usage.cost_micros == 0


@pytest.mark.anyio
async def test_a_foreign_form_is_not_filled(clock: ManualClock):
    """Where another form than its own is demanded, such as a ballot, it abstains."""
    (finished,) = await reply(CalculatorModel(clock), "What is 17*23?", Params(schema=BALLOT_SCHEMA))
    assert isinstance(finished, Finished)
    assert finished.reason is FinishReason.ABSTAINED


@pytest.mark.anyio
async def test_today_is_the_users_day():
    """The day comes from the clock and the user's zone, not from the machine."""
    clock = ManualClock(datetime(2026, 1, 15, 23, 30, tzinfo=UTC))
    text, _ = await reply(CalculatorModel(clock, zone=ZoneInfo("Asia/Tokyo")), "What is today's date?")
    assert isinstance(text, Text)
    assert json.loads(text.text)["answer"] == "2026-01-16"


@pytest.mark.anyio
async def test_a_long_calculation_still_fits_the_form(clock: ManualClock):
    """Its reply satisfies the schema of embedded members, however long the question (E2)."""
    question = "What is " + " + ".join(["1/7"] * 40) + "?"
    text, _ = await reply(CalculatorModel(clock), question, Params(schema=MEMBER_SCHEMA))
    assert isinstance(text, Text)
    jsonschema.validate(json.loads(text.text), MEMBER_SCHEMA)


def test_its_card_says_that_nothing_leaves_the_machine():
    """It is built in, local, and costs nothing."""
    card = CalculatorModel.card
    assert (card.name, card.provider, card.local) == ("calculator", "builtin", True)
    assert card.price.cost(10**6, 10**6) == 0
