"""What a person said about answers, and what followed, as a page shows it."""

from dataclasses import dataclass
from datetime import datetime

from auritas.app.grading import Graded, History, Mark, Said, SideBySide, State
from auritas.council.acts import ActKind
from auritas.council.disagreement import Comparison


@dataclass(frozen=True, slots=True)
class GradeLine:
    """Something that the user said about a question. words: as the end of a sentence."""

    id: str
    query_id: str
    question: str
    kind: ActKind
    words: str
    state: State
    at: datetime
    undone_at: datetime | None


@dataclass(frozen=True, slots=True)
class GradeLines:
    """A page of what the user said, newest first. next: the cursor to give as `after` for the page after it."""

    items: tuple[GradeLine, ...]
    next: str | None


@dataclass(frozen=True, slots=True)
class AnswerMark:
    """One answer as all grades leave it. right: None where that is not known, or graders contradict each other."""

    run_id: str
    seat: str
    text: str
    p: float | None
    right: bool | None


@dataclass(frozen=True, slots=True)
class GradeDone:
    """What came of it. already: it had been said before and still held, so nothing was written."""

    id: str
    query_id: str
    question: str
    kind: ActKind
    words: str
    already: bool
    undone_at: datetime | None
    marks: tuple[AnswerMark, ...]


@dataclass(frozen=True, slots=True)
class ComparisonShown:
    """The candidates of a question side by side, the chosen one first, as they stand now."""

    query_id: str
    question: str
    comparison: Comparison
    marks: tuple[AnswerMark, ...]


def line_of(said: Said) -> GradeLine:
    """Return something that was said, for a list."""
    record = said.record
    return GradeLine(
        record.id,
        record.query_id,
        said.question,
        record.act.kind,
        said.words,
        said.state,
        record.at,
        record.undone_at,
    )


def lines_of(history: History) -> GradeLines:
    """Return a page of what was said."""
    return GradeLines(tuple(map(line_of, history.said)), history.next)


def done_of(graded: Graded) -> GradeDone:
    """Return what came of an act."""
    record = graded.record
    marks = tuple(map(mark_of, graded.marks))
    return GradeDone(
        record.id,
        record.query_id,
        graded.question,
        record.act.kind,
        graded.words,
        graded.already,
        record.undone_at,
        marks,
    )


def compared_of(found: SideBySide) -> ComparisonShown:
    """Return a question with its candidates compared."""
    return ComparisonShown(found.query_id, found.question, found.comparison, tuple(map(mark_of, found.marks)))


def mark_of(mark: Mark) -> AnswerMark:
    """Return how an answer stands."""
    return AnswerMark(mark.run_id, mark.seat, mark.text, mark.p, mark.right)
