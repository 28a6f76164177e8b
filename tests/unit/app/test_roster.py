"""Who sits in the council."""

from typing import Any

import pytest

from auritas.app.embedded import InstalledModel
from auritas.app.roster import Roster, topic_tallies
from auritas.council.model import Tally, Topic
from auritas.gateway.adapters.calculator import CalculatorModel
from auritas.gateway.adapters.scripted import ScriptedModel
from auritas.gateway.calculator import Calculation
from auritas.gateway.manifest import ModelKind, built_in_manifest
from auritas.gateway.selftest import built_in_exams, is_right
from auritas.kernel.clock import ManualClock
from auritas.kernel.hooks import NoHooks


class Embedded:
    def __init__(self, *models: InstalledModel) -> None:
        self.models = models

    def installed(self) -> tuple[InstalledModel, ...]:
        return self.models


class Remote:
    def connected(self) -> dict[str, Any]:
        return {"far": ScriptedModel("far")}


def untested(name: str, measured: dict[str, tuple[int, int]]) -> InstalledModel:
    return InstalledModel(ScriptedModel(name), (), None, measured)


def roster(*models: InstalledModel) -> Roster:
    embedded: Any = Embedded(*models)
    remote: Any = Remote()
    return Roster(embedded, remote, NoHooks(), CalculatorModel(ManualClock()))


GOOD, BAD = {"geography": (9, 10), "mathematics": (8, 10)}, {"geography": (4, 10), "mathematics": (0, 10)}


def test_everybody_sits_and_can_be_asked_by_name():
    """Embedded models, added ones and the calculator are members, and the gateway finds each under its seat."""
    council = roster(untested("good", GOOD))
    members = council.members()
    assert {member.seat.name for member in members} == set(council.models) == {"good", "far", "calculator"}


def test_a_model_that_failed_elsewhere_has_no_vote_until_it_passes_here():
    """Before its own self-test a model starts from what the same weights got right, which decides its vote, too."""
    members = {member.seat.name: member for member in roster(untested("good", GOOD), untested("bad", BAD)).members()}
    assert members["good"].votes
    assert not members["bad"].votes
    assert members["good"].record == {Topic.GENERAL: Tally(9, 10), Topic.CALCULATION: Tally(8, 10)}


def test_an_unknown_file_may_answer_untested():
    """Of a file of the user's own nothing is known, so it may answer and weighs as one right half of the time."""
    members = {member.seat.name: member for member in roster(untested("own", {})).members()}
    assert members["own"].votes
    assert members["own"].record == {}


@pytest.mark.parametrize(
    ("question", "topic"),
    [
        ("What is 17*23?", Topic.CALCULATION),
        ("How many seconds are in three minutes?", Topic.CALCULATION),
        ("What is the capital of Australia?", Topic.GENERAL),
        ("Is 5G harmful?", Topic.GENERAL),
    ],
)
def test_the_calculator_decides_what_a_calculation_is(question, topic):
    """The topic is decided by the calculator's grammar before anybody answers."""
    assert roster().topic_of(question) is topic


def test_the_calculator_earned_its_record():
    """What counts for it is what it gets when it sits the built-in exam: right wherever it answers, and it does."""
    (member,) = (member for member in roster().members() if member.seat.name == "calculator")
    calculator = CalculatorModel(ManualClock())
    asked = {item.ask: item for exam in built_in_exams() for item in exam.questions}
    answers = [(item, calculator.calculate(item.ask)) for item in asked.values()]
    own = [is_right(said.answer, item.accept) for item, said in answers if isinstance(said, Calculation)]
    assert member.record == {Topic.CALCULATION: Tally(sum(own), len(own))}
    assert sum(own) == len(own) >= 15


def test_sums_and_measures_are_one_topic():
    """Tallies of domains add up by topic."""
    tallies = topic_tallies({"mathematics": (1, 2), "measurement": (2, 2), "history": (1, 1), "culture": (0, 1)})
    assert tallies == {Topic.CALCULATION: Tally(3, 4), Topic.GENERAL: Tally(1, 2)}


def test_every_answering_model_of_the_manifest_has_its_prior():
    """The manifest says for each model what its weights got right, within what was asked."""
    for model in built_in_manifest().models:
        assert bool(model.measured) is (model.kind is ModelKind.ANSWERS)
        assert all(0 <= right <= asked for right, asked in model.measured.values())
