"""How far to believe what the council and its members say of their own sureness, from graded decisions."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from auritas.app.learning import Learning
from auritas.council.adapters.calibration_sql import SaidSure, said_sure
from auritas.council.choice.snapshot import CALIBRATED_AT
from auritas.council.grading import GradedQuestion
from auritas.council.learned import cases_of
from auritas.council.ledger.recalibration import Graded, Recalibration
from auritas.council.model import Member
from auritas.council.reliability import Bin, Said, bins, brier, calibration_error
from auritas.kernel.ports import Store
from auritas.store import Unit

_EVEN = 0.5


@dataclass(frozen=True, slots=True)
class Diagram:
    """A reliability diagram. error: expected calibration error; brier: mean squared error; both None if empty."""

    count: int
    bins: tuple[Bin, ...]
    error: float | None
    brier: float | None


@dataclass(frozen=True, slots=True)
class MemberCalibration:
    """What a member's stated confidence was worth.

    curve: from what it states to how often it is right, at equal steps from 0 to 1, learned from so many `grades`; as
    stated while there are none.
    """

    seat: str
    diagram: Diagram
    curve: tuple[float, ...]
    grades: int


@dataclass(frozen=True, slots=True)
class Calibration:
    """The council's own sureness and each member's.

    graded: questions with a certain grade. needed: how many more before P is called a probability; 0 from then on.
    probabilities: decisions made since; scores: decisions from before, whose P was only a score.
    """

    graded: int
    needed: int
    calibrated: bool
    probabilities: Diagram
    scores: Diagram
    members: tuple[MemberCalibration, ...]


@dataclass(frozen=True, slots=True)
class Calibrations:
    """Reads graded decisions; writes nothing."""

    store: Store[Unit]
    learning: Learning
    members: Callable[[], Sequence[Member]]

    def __call__(self) -> Calibration:
        """Return everything for the plot, honest about what is missing."""
        learned = self.learning.current(self.members())
        with self.store.read() as unit:
            questions = self.learning.grades.graded_questions(unit, graded_only=True)
            sure = said_sure(unit)
            history = self.learning.recalibrations.history(unit)
            curves = self.learning.recalibrations.in_force(unit)
        outcomes = [(sure[q.query_id], right) for q in questions if (right := _right(q, sure)) is not None]
        return Calibration(
            graded=learned.grades,
            needed=max(0, CALIBRATED_AT - learned.grades),
            calibrated=learned.calibrated,
            probabilities=_diagram([Said(each.p, right) for each, right in outcomes if each.calibrated]),
            scores=_diagram([Said(each.p, right) for each, right in outcomes if not each.calibrated]),
            members=tuple(_member(seat, history[seat], curves.get(seat)) for seat in sorted(history)),
        )


def _right(question: GradedQuestion, sure: dict[str, SaidSure]) -> bool | None:
    """Return whether what was chosen was right, None where its grades do not settle that or no P was said."""
    said = sure.get(question.query_id)
    case = next(iter(cases_of([question], dict)), None)
    if said is None or case is None or case.right is None:
        return None
    chosen = next((i for i, each in enumerate(question.candidates) if said.supporters <= set(each.supporters)), None)
    return None if chosen is None else case.right == chosen


def _member(seat: str, history: Sequence[Graded], curve: Recalibration | None) -> MemberCalibration:
    # A grade that can be wrong stands in by a number beside 0 and 1: a plot shows what is settled for certain.
    said = [Said(each.report, each.outcome > _EVEN) for each in history if each.outcome in {0.0, 1.0}]
    known = curve or Recalibration()
    return MemberCalibration(seat, _diagram(said), known.values, known.grades)


def _diagram(said: Sequence[Said]) -> Diagram:
    found = bins(said)
    return Diagram(len(said), found, calibration_error(found), brier(said))
