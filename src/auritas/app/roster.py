"""Who sits in the council: embedded models that may answer, models that the user added, plugins', the calculator."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from auritas.app.embedded import EmbeddedModels
from auritas.app.models import RemoteModels
from auritas.council.model import Member, Tally, Topic
from auritas.kernel.answers import Seat
from auritas.kernel.hooks import Hooks
from auritas.kernel.ports import ModelPort

if TYPE_CHECKING:
    from auritas.gateway.adapters.calculator import CalculatorModel

BUILTIN = "builtin"
CALCULATION_DOMAINS = frozenset({"mathematics", "measurement"})
"""Domains of the self-test that are the calculator's field, too."""
CALCULATOR = Tally(19, 19)
"""The calculator's self-test, as everybody passes it: every wording of each question that it accepts. It is the same
in every process and takes a third of a second, most of it for the tables of units; a test sits it."""


@dataclass
class Roster:
    """Reads who may answer now; a model that was just added or removed counts at the next question."""

    embedded: EmbeddedModels
    remote: RemoteModels
    hooks: Hooks
    calculator: "CalculatorModel"
    models: dict[str, ModelPort] = field(default_factory=dict)
    """What the gateway can ask, by name; refreshed by `members`."""

    def members(self) -> Sequence[Member]:
        """Return the members that sit now, each with its self-test by topic."""
        installed = self.embedded.installed()
        # The later wins a name: a plugin's model never takes the seat, and the record, of one that was there before.
        ports: list[ModelPort] = list(self.hooks.register_models())
        ports += [*self.remote.connected().values(), *(model.port for model in installed), self.calculator]
        now = {port.card.name: port for port in ports}
        # Never empty in between: others ask by name while a thread looks who is there.
        self.models.update(now)
        for gone in self.models.keys() - now.keys():
            self.models.pop(gone, None)
        records = {m.port.card.name: topic_tallies(m.measured) for m in installed}
        records[self.calculator.card.name] = {Topic.CALCULATION: CALCULATOR}
        failed = {m.port.card.name for m in installed if not m.may_answer}
        members = [_member(port, records.get(name, {})) for name, port in now.items()]
        return tuple(replace(m, votes=m.seat.name not in failed) for m in members)

    def topic_of(self, question: str) -> Topic:
        """Return `calculation` exactly when the calculator's grammar accepts the whole question."""
        from auritas.gateway.calculator import Calculation

        return Topic.CALCULATION if isinstance(self.calculator.calculate(question), Calculation) else Topic.GENERAL


def topic_tallies(by_domain: Mapping[str, tuple[int, int]]) -> Mapping[Topic, Tally]:
    """Return a self-test by topic: sums and measures are calculation, everything else is general."""
    found: dict[Topic, Tally] = {}
    for domain, (right, asked) in by_domain.items():
        topic = Topic.CALCULATION if domain in CALCULATION_DOMAINS else Topic.GENERAL
        before = found.get(topic, Tally())
        found[topic] = Tally(before.right + right, before.graded + asked)
    return found


def _member(port: ModelPort, record: Mapping[Topic, Tally]) -> Member:
    card = port.card
    return Member(Seat(card.name, card.name, card.digest, card.local), card, record)
