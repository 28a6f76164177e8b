"""`auritas models stats`: how every member stands, and which rule is in force and why."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from auritas.app.learning import Learning
from auritas.council.adapters.standing_sql import runs_by_seat
from auritas.council.choice.model import Case
from auritas.council.choice.record import TrackRecord, counted
from auritas.council.choice.snapshot import Snapshot
from auritas.council.learned import Paths, cases_of
from auritas.council.model import Member
from auritas.council.standing import Rate, Runs, Standing, standing
from auritas.kernel.ports import Store
from auritas.kernel.text import counted as number_of
from auritas.store import Unit

__all__ = ["Rate", "Standing", "Standings", "Stats"]

GUARDED = "guarded"


@dataclass(frozen=True, slots=True)
class Standings:
    """Everybody who sits in the council or ever answered. grades: questions with a grade. why: the rule, explained."""

    policy: str
    why: str
    grades: int
    calibrated: bool
    seats: tuple[Standing, ...]


@dataclass(frozen=True, slots=True)
class Stats:
    """Reads how members stand; writes nothing. policy: name of the policy that is set."""

    store: Store[Unit]
    learning: Learning
    members: Callable[[], Sequence[Member]]
    policy: str

    def __call__(self) -> Standings:
        """Return the standings, best record first; those who left the council last."""
        members = self.members()
        learned = self.learning.current(members)
        with self.store.read() as unit:
            runs = runs_by_seat(unit)
            cases = self._cases(unit)
        sitting = [member.seat.name for member in members]
        # Grades given since the last refit count here at once; weights follow when it has been learned from them.
        record = replace(learned.record, counts=counted(cases))
        seats = [*sitting, *sorted(set(runs) - set(sitting))]
        found = [standing(s, runs.get(s, Runs()), record, learned.weights.seats.get(s)) for s in seats]
        order = sorted(found, key=lambda one: (one.seat not in sitting, -round(one.rate.mean, 9), one.seat))
        graded = sum(case.likelihood is not None for case in cases)
        return Standings(self.policy, why(self.policy, learned), graded, learned.calibrated, tuple(order))

    def record(self) -> TrackRecord:
        """Return the track record with every grade that holds now."""
        learned = self.learning.current(self.members())
        with self.store.read() as unit:
            return replace(learned.record, counts=counted(self._cases(unit)))

    def _cases(self, unit: Unit) -> list[Case]:
        tree = self.learning.tree()
        questions = self.learning.grades.graded_questions(unit, graded_only=True)
        return cases_of(questions, Paths(lambda shares: tree.spread(tree.current(shares))))


def why(policy: str, learned: Snapshot) -> str:
    """Return in a sentence what decides now, and what that rests on."""
    if policy != GUARDED:
        return f"Set by you: {policy} decides, whatever the grades say."
    guard = learned.guard
    basis = number_of(guard.questions, "graded question") if guard.questions else "what is known before grades"
    points = f"{100 * abs(guard.gain):.1f} points"
    if guard.council:
        return f"The council's rule decides: from {basis}, it is right {points} more often than its best member."
    return f"The best member who answers decides: from {basis}, the council's rule is right {points} less often."
