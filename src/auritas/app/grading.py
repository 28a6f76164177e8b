"""The use cases behind `auritas grade`, `auritas pick` and `auritas compare`: a person says who was right."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from auritas.app.naming import (
    AMBIGUOUS_SHOWN,
    AmbiguousError,
    NoQuestionError,
    NothingToGradeError,
    candidate_named,
    in_words,
    question_named,
)
from auritas.council.acts import USER, Act, ActRecord, Answered, Merge, NoneRight, Pick, Verdict, keyed, speaker
from auritas.council.adapters.answered_sql import answered
from auritas.council.adapters.grades_sql import SqlGrades
from auritas.council.disagreement import Comparison, comparison
from auritas.council.grading import in_force, outcome, same_act, standing
from auritas.council.meaning import worded
from auritas.kernel.errors import NotFoundError, UsageError
from auritas.kernel.ports import Store
from auritas.kernel.text import storable
from auritas.store import Unit
from auritas.store.cursor import Cursor

LIST_COMMAND = "See: auritas grade list"
KEY_CHARACTERS = 4_000
EVEN = 0.5


@dataclass(frozen=True, slots=True)
class Mark:
    """One answer as all grades leave it. p: the probability that it is right, None where nobody has said anything."""

    seat: str
    run_id: str
    text: str
    p: float | None

    @property
    def right(self) -> bool | None:
        """Whether it counts as right; None where that is not known, or graders contradict each other."""
        return None if self.p is None or self.p == EVEN else self.p > EVEN


@dataclass(frozen=True, slots=True)
class Graded:
    """What came of an act. already: it had been said before and still held, so nothing was written.

    marks: every answer of the question that can be graded.
    """

    record: ActRecord
    words: str
    already: bool
    question: str
    marks: tuple[Mark, ...]


@dataclass(frozen=True, slots=True)
class SideBySide:
    """A question of the past with its candidates compared, as they stand now."""

    query_id: str
    question: str
    comparison: Comparison
    marks: tuple[Mark, ...]


class State(StrEnum):
    """Whether an act counts."""

    HOLDS = "holds"
    TAKEN_BACK = "taken_back"
    """The user has said the opposite since."""
    UNDONE = "undone"


@dataclass(frozen=True, slots=True)
class Said:
    """Something that the user said, in the list of it."""

    record: ActRecord
    words: str
    question: str
    state: State


@dataclass(frozen=True, slots=True)
class History:
    """A page of what the user said, newest first. next: cursor of the next page."""

    said: tuple[Said, ...]
    next: str | None


@dataclass(frozen=True, slots=True)
class Grading:
    """Grades by a person. `query` is the id of a question or of its trace, or the beginning of one; None: the last.

    settle: called with the question inside the unit of work of each change, so that the ledger cannot fall behind when
    the process ends right after it. after: called once the change is committed; it fits the weights anew.

    The verbs raise NoQuestionError, AmbiguousError, NothingToGradeError and UnknownCandidateError.
    """

    store: Store[Unit]
    grades: SqlGrades
    after: Callable[[str], object] = lambda _: None
    settle: Callable[[Unit, str], None] = lambda *_: None

    def verdict(self, query: str | None, *, right: bool) -> Graded:
        """Say whether the shown answer is right."""
        return self._say(query, lambda asked: Verdict(_shown_run(asked), right))

    def key(self, query: str | None, text: str) -> Graded:
        """Give the right answer in words, which are compared as the answers were. Raises UsageError for none."""
        words = storable(text).strip()
        if not words or len(words) > KEY_CHARACTERS:
            raise UsageError(
                f"A right answer has 1 to {KEY_CHARACTERS} characters.",
                remedy='Write the answer alone, such as 53; in a terminal: auritas grade key "53"',
            )
        return self._say(query, lambda asked: keyed(words, asked, worded(asked.answers, asked.text)))

    def pick(self, query: str | None, name: str) -> Graded:
        """Say which candidate is right: by its number in the comparison, a seat that supports it, or its id."""
        return self._say(query, lambda asked: Pick(candidate_named(asked, name).id))

    def none_right(self, query: str | None) -> Graded:
        """Say that no answer is right."""
        return self._say(query, lambda _: NoneRight())

    def merge(self, query: str | None, first: str, second: str) -> Graded:
        """Say that two candidates say the same; they are named as in `pick`."""
        return self._say(
            query, lambda asked: Merge(candidate_named(asked, first).id, candidate_named(asked, second).id)
        )

    def undo(self, act_id: str | None = None) -> Graded:
        """Take back an act of the user by the beginning of its id, or the last one. Raises NotFoundError."""
        with self.store.unit() as unit:
            record = self._act(unit, act_id)
            already = record.undone_at is not None
            if not already:
                record = self.grades.undo_act(unit, record.id)
                self.settle(unit, record.query_id)
            graded = self._graded(unit, record, already=already)
        if not already:
            self.after(record.query_id)
        return graded

    def history(self, size: int = 20, after: str | None = None) -> History:
        """Return what the user said about any question, newest first. Raises InvalidError for a bad cursor."""
        with self.store.read() as unit:
            page = self.grades.user_acts(unit, size, Cursor.decode(after) if after else None)
            said = tuple(self._said(unit, record) for record in page.rows)
        return History(said, page.next.encode() if page.next else None)

    def said_of(self, query_id: str) -> tuple[Said, ...]:
        """Return what the user said about one question, newest first."""
        with self.store.read() as unit:
            records = [record for record in self.grades.acts(unit, query_id) if speaker(record.act) == USER]
            return tuple(self._said(unit, record) for record in reversed(records))

    def marks(self, query_id: str) -> tuple[Mark, ...]:
        """Return how all grades leave the answers of a question, also of one in which nothing was chosen."""
        with self.store.read() as unit:
            asked = answered(unit, query_id)
            return () if asked is None else self._marks(unit, asked)

    def compare(self, query: str | None = None) -> SideBySide:
        """Return the candidates of a question side by side."""
        with self.store.read() as unit:
            asked = question_named(unit, query)
            return SideBySide(
                asked.query_id, asked.text, comparison(asked.joined, asked.answers), self._marks(unit, asked)
            )

    def _say(self, query: str | None, act_on: Callable[[Answered], Act]) -> Graded:
        with self.store.unit() as unit:
            asked = question_named(unit, query)
            act = act_on(asked)
            held = self._held_already(unit, asked, act)
            record = held or self.grades.write_act(unit, asked.query_id, act)
            if not held:
                self.settle(unit, asked.query_id)
            graded = self._graded(unit, record, already=held is not None)
        if not held:
            self.after(asked.query_id)
        return graded

    def _held_already(self, unit: Unit, asked: Answered, act: Act) -> ActRecord | None:
        records = self.grades.acts(unit, asked.query_id)
        merges = [record for record in records if isinstance(record.act, Merge) and record.undone_at is None]
        if isinstance(act, Merge) and act.first == act.second:
            if not merges:
                raise UsageError("That is one candidate, not two.", remedy="Look at them with: auritas compare")
            return merges[-1]
        held = (record for record in in_force(records, asked) if speaker(record.act) == USER)
        return next((record for record in held if same_act(record.act, act, asked)), None)

    def _act(self, unit: Unit, act_id: str | None) -> ActRecord:
        if act_id is None:
            record = self.grades.last_user_act(unit)
            if record is None:
                raise NotFoundError("There is nothing to undo.", remedy=LIST_COMMAND)
            return record
        found = self.grades.user_acts(unit, AMBIGUOUS_SHOWN, begins=act_id).rows
        if not act_id or not found:
            raise NotFoundError(f"There is nothing called {act_id!r} to undo.", remedy=LIST_COMMAND)
        if len(found) > 1:
            ids = ", ".join(record.id for record in found)
            raise AmbiguousError(f"{act_id!r} is the beginning of several: {ids}.", remedy="Give more of it.")
        return found[0]

    def _graded(self, unit: Unit, record: ActRecord, *, already: bool) -> Graded:
        asked = answered(unit, record.query_id)
        if asked is None:
            raise NoQuestionError(f"There is no question {record.query_id!r}.")
        return Graded(record, in_words(record.act, asked), already, asked.text, self._marks(unit, asked))

    def _marks(self, unit: Unit, asked: Answered) -> tuple[Mark, ...]:
        grades, said = self.grades.grades(unit, asked.query_id), asked.said()
        marks = []
        for answer in asked.answers:
            if answer.run_id in said:
                mine = standing(grade for grade in grades if grade.run_id == answer.run_id)
                p = outcome(mine) if mine else None
                marks.append(Mark(answer.seat.name, answer.run_id, answer.text, p))
        return tuple(marks)

    def _said(self, unit: Unit, record: ActRecord) -> Said:
        asked = answered(unit, record.query_id)
        if asked is None:
            raise NoQuestionError(f"There is no question {record.query_id!r}.")
        state = State.UNDONE
        if record.undone_at is None:
            held = in_force(self.grades.acts(unit, record.query_id), asked)
            state = State.HOLDS if record in held else State.TAKEN_BACK
        return Said(record, in_words(record.act, asked), asked.text, state)


def _shown_run(asked: Answered) -> str:
    if asked.shown is None:
        raise NothingToGradeError(
            "It is not known which answer was shown.",
            remedy="Say who was right instead: pick an answer there, or by auritas pick SEAT",
        )
    return asked.shown.run_id
