"""Learning who is right, beside the path of questions: what is in force is read, what grades add is learned later."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from auritas.council.adapters.grades_sql import SqlGrades
from auritas.council.adapters.learning_sql import LearningRecords
from auritas.council.adapters.ledger_sql import SqlRecalibrations
from auritas.council.choice.learning import Setting, adapted, learn
from auritas.council.choice.snapshot import Snapshot
from auritas.council.domains.tree import DomainTree
from auritas.council.learned import Paths, cases_of
from auritas.council.ledger.recalibration import learn as recalibrated
from auritas.council.ledger.rules import CouncilRule
from auritas.council.model import Member, Topic
from auritas.kernel.model import BUILTIN
from auritas.kernel.ports import Store
from auritas.store import Unit

PSEUDO = 4.0
"""Strength of one half among the results of a self-test: a handful of questions proves little."""


@dataclass(frozen=True, slots=True)
class Learning:
    """Keeps what was learned in force and up to date.

    scores: public scores by model, the user's own included. members: who sits in the council now.
    """

    store: Store[Unit]
    records: LearningRecords
    grades: SqlGrades
    recalibrations: SqlRecalibrations
    members: Callable[[], Sequence[Member]]
    tree: Callable[[], DomainTree]
    scores: Callable[[Unit], Mapping[str, float]]

    def current(self, members: Sequence[Member] | None = None) -> Snapshot:
        """Return what the next question is decided by; nothing is learned or written here."""
        tree = self.tree()
        with self.store.read() as unit:
            seated = self.members() if members is None else members
            return self.current_in(unit, self.setting(seated, tree, self.scores(unit)))

    def current_in(self, unit: Unit, setting: Setting) -> Snapshot:
        """Return the same as `current` does, as a unit of work sees it."""
        kept = self.records.current(unit)
        return learn((), setting) if kept is None else adapted(kept, setting)

    def reports(self) -> CouncilRule:
        """Return how stated confidences are turned into log-odds now, each seat by its own curve."""
        with self.store.read() as unit:
            return self.reports_in(unit)

    def reports_in(self, unit: Unit) -> CouncilRule:
        """Return the same as `reports` does, as a unit of work sees it."""
        return CouncilRule(1.0, self.recalibrations.in_force(unit))

    def refit(self) -> Snapshot:
        """Learn from every grade that holds and put the result in force."""
        with self.store.read() as unit:
            before, questions = self.records.current(unit), self.grades.graded_questions(unit)
            history, scores = self.recalibrations.history(unit), self.scores(unit)
        tree = self.tree()
        cases = cases_of(questions, Paths(lambda shares: tree.spread(tree.current(shares))))
        snapshot = learn(cases, self.setting(self.members(), tree, scores), before)
        with self.store.unit() as unit:
            self.records.keep(unit, snapshot)
            self.recalibrations.keep(unit, {seat: recalibrated(reports) for seat, reports in history.items()})
        return snapshot

    def refit_if_due(self) -> Snapshot | None:
        """Learn if grades were given or undone since the last time; otherwise read two rows and do nothing."""
        with self.store.read() as unit:
            stale = self.records.stale(unit)
        return self.refit() if stale else None

    @staticmethod
    def setting(members: Sequence[Member], tree: DomainTree, scores: Mapping[str, float]) -> Setting:
        """Return what learning starts from. scores: public scores by model."""
        voting = [m for m in members if m.votes and m.card.provider != BUILTIN]
        models = voting or [m for m in members if m.card.provider != BUILTIN]
        return Setting(
            seats=[member.seat.name for member in models],
            known=known_rates(models, scores),
            parents={node.id: node.parent for node in tree.nodes.values() if node.parent is not None},
            computed=computed_seats(members),
        )


def computed_seats(members: Sequence[Member]) -> frozenset[str]:
    """Return the seats that calculate."""
    return frozenset(member.seat.name for member in members if member.card.provider == BUILTIN)


def known_rates(members: Sequence[Member], scores: Mapping[str, float]) -> Mapping[str, float]:
    """Return how often each member is believed to be right: by its self-test here, else by its public score.

    A model at an address may bear a name of the user's own; its digest is what its provider calls it.
    """
    found: dict[str, float] = {}
    for member in members:
        tallies = [tally for topic, tally in member.record.items() if topic is Topic.GENERAL] or [
            *member.record.values()
        ]
        graded = sum(tally.graded for tally in tallies)
        if graded:
            right = sum(tally.right for tally in tallies)
            found[member.seat.name] = (right + PSEUDO / 2) / (graded + PSEUDO)
        elif name := next((name for name in (member.seat.model, member.card.digest) if name in scores), None):
            found[member.seat.name] = scores[name]
    return found
