"""What a correction says about the answers that it corrects, as a grade that is taken back with it."""

from collections.abc import Callable
from dataclasses import dataclass

from auritas.council.acts import Act, Answered, Key, Verdict, keyed
from auritas.council.adapters.answered_sql import answered
from auritas.council.adapters.grades_sql import SqlGrades
from auritas.council.meaning import worded
from auritas.council.model import GradeSource
from auritas.council.wording import undressed
from auritas.kernel.answers import QuestionShape
from auritas.kernel.memory import Correction
from auritas.memory.adapters.corrections_sql import SqlCorrections
from auritas.store import Unit

SHORT_VALUE_WORDS = 6
"""Of a right answer in words. What is longer need not match an answer that says the same."""


@dataclass(frozen=True, slots=True)
class SettingRight:
    """Grades what is corrected, inside the unit of work of the correction. settle: as for every grade."""

    corrections: SqlCorrections
    grades: SqlGrades
    settle: Callable[[Unit, str], None]

    def grade(self, unit: Unit, correction: Correction, query_id: str | None, *, linked: bool = True) -> str:
        """Mark the answers of a question by a correction; return in words what that says, nothing where there is none.

        linked: the grade is taken back with the correction. A text, such as a poem, is never graded by what is said
        after it.
        """
        asked = answered(unit, query_id) if query_id is not None else None
        if asked is None or asked.shown is None or asked.shape is QuestionShape.OPEN:
            return ""
        act = _act(correction.claim, asked)
        record = self.grades.write_act(unit, asked.query_id, act)
        self.settle(unit, asked.query_id)
        if linked:
            self.corrections.link_grade(unit, correction.id, record.id)
        return _in_words(act, asked)

    def grade_of(self, unit: Unit, correction_id: str) -> str | None:
        """Return the act by which a correction marked the answers, if there was one."""
        return self.corrections.linked_grade(unit, correction_id)

    def take_back(self, unit: Unit, query_id: str | None, act_id: str | None) -> None:
        """Undo that act, unless it is undone already or its question is gone."""
        if query_id is None or act_id is None:
            return
        held = (record for record in self.grades.acts(unit, query_id) if record.undone_at is None)
        if any(record.id == act_id for record in held):
            self.grades.undo_act(unit, act_id)
            self.settle(unit, query_id)


def _act(claim: str, asked: Answered) -> Act:
    """Return what a correction says about the answers: which is right where its words tell, else that one is wrong."""
    value = undressed(claim)
    key = keyed(value, asked, worded(asked.answers, asked.text), source=GradeSource.CORRECTION)
    shown = asked.shown
    if key.candidates or len(value.split()) <= SHORT_VALUE_WORDS or shown is None:
        return key
    return Verdict(shown.run_id, right=False)


def _in_words(act: Act, asked: Answered) -> str:
    said = {c.id: c.supporters for c in asked.decision.candidates}
    right = [seat for each in act.candidates for seat in said[each]] if isinstance(act, Key) else []
    shown = asked.shown.seat.name if asked.shown else ""
    sentence = f"The answer of {shown} counts as {'right' if shown in right else 'wrong'}"
    others = [seat for seat in right if seat != shown]
    return f"{sentence}; right: {', '.join(others)}." if others else f"{sentence}."
