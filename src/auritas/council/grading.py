"""Which answers an act makes right or wrong, what several grades of one answer add up to, and when to ask for one.

Being chosen by the council is no grade, and neither is agreement: grades come from an `Act`, and there is no act and
no `GradeSource` for either.
"""

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import NamedTuple

from auritas.council.acts import (
    Act,
    ActRecord,
    Answered,
    Checked,
    Key,
    Merge,
    NoneRight,
    Pick,
    Reviewed,
    Verdict,
    representatives,
    speaker,
)
from auritas.council.model import Grade, GradeSource
from auritas.kernel.answers import Decision, GradeRequest, QuestionShape, ReviewVerdict

AUDIT_SHARE = 0.10
"""Share of all questions that are audited, so that the chance of "none of these" stays calibrated."""
EXTREME = 0.95
"""A chance this near to 1, or to 0, leaves little to learn from a disagreement."""
COMPUTED = frozenset({"calculator"})
"""Seats whose answers are computed: where nobody else answered, there is nothing to learn."""
_HASH_BYTES = 8
_HASH_SPACE = 256.0**8

_Marks = dict[str, bool | None]


def grades_of(act: Act, asked: Answered) -> tuple[Grade, ...]:
    """Return the grades that `act` gives to the answers of the question, sorted by run.

    A closed question with a known right candidate grades every answer; one known to be wrong says nothing about the
    others; on an open question only what was judged is graded. Abstentions and failures never are.
    """
    marks = _marks(act, asked)
    source, reliability, given_by = _grader_of(act)
    return tuple(Grade(run, marks[run], source, reliability, given_by) for run in sorted(marks))


def _marks(act: Act, asked: Answered) -> _Marks:
    said, shape = asked.said(), asked.shape
    one = representatives(asked.merges)
    match act:
        case Verdict() | Checked():
            return _judged(said, shape, act.run_id, right=act.right)
        case Reviewed():
            return _reviewed(said, act)
        case Key():
            return _known(said, shape, {one.get(c, c) for c in act.candidates})
        case Pick():
            return _known(said, shape, {one.get(act.candidate, act.candidate)})
        case NoneRight():
            return dict.fromkeys(said, False)
        case Merge():
            return {}


def _grader_of(act: Act) -> tuple[GradeSource, float, str]:
    match act:
        case Checked():
            return GradeSource.CHECKER, 1.0, act.checker
        case Reviewed():
            return GradeSource.REVIEWER, act.reliability, act.reviewer
        case Key():
            return act.source, 1.0, ""
        case _:
            return GradeSource.USER, 1.0, ""


def _known(said: Mapping[str, str], shape: QuestionShape, right: Collection[str]) -> _Marks:
    """Mark by what is right: of several texts on an open question one being good makes no other wrong."""
    marks: _Marks = {run: candidate in right for run, candidate in said.items()}
    return marks if shape is QuestionShape.CLOSED else {run: True for run, good in marks.items() if good}


def _judged(said: Mapping[str, str], shape: QuestionShape, run_id: str, *, right: bool) -> _Marks:
    if run_id not in said:
        return {}
    if shape is QuestionShape.OPEN:
        return {run_id: right}
    if right:
        return _known(said, shape, {said[run_id]})
    return {run: False for run, candidate in said.items() if candidate == said[run_id]}


def _reviewed(said: Mapping[str, str], act: Reviewed) -> _Marks:
    """Mark all that say the same as the reviewed answer; a reviewer has not read the others."""
    if act.verdict is ReviewVerdict.UNREVIEWED or act.run_id not in said:
        return {}
    whole = act.verdict is not ReviewVerdict.PARTIALLY_CORRECT
    right = act.verdict is ReviewVerdict.CORRECT if whole else None
    return {run: right for run, candidate in said.items() if candidate == said[act.run_id]}


def in_force(records: Iterable[ActRecord], asked: Answered) -> tuple[ActRecord, ...]:
    """Return the acts that hold, oldest first: those neither undone nor contradicted later by the same speaker.

    A contradicted act gives no grades at all: whoever takes back "A is right" has also taken back that B is wrong.
    """
    held: list[tuple[ActRecord, dict[str, bool]]] = []
    for record in sorted((r for r in records if r.undone_at is None), key=lambda r: (r.at, r.id), reverse=True):
        marks = {g.run_id: g.correct for g in grades_of(record.act, asked) if g.correct is not None}
        if not any(_opposed(record.act, marks, newer.act, later) for newer, later in held):
            held.append((record, marks))
    return tuple(record for record, _ in reversed(held))


def _opposed(old: Act, marks: Mapping[str, bool], new: Act, later: Mapping[str, bool]) -> bool:
    if speaker(old) != speaker(new):
        return False
    replaced = isinstance(old, Pick) and isinstance(new, Pick) and marks != later
    return replaced or any(later.get(run, right) != right for run, right in marks.items())


def same_act(a: Act, b: Act, asked: Answered) -> bool:
    """Return whether two acts say the same of this question: equal, or equal once candidates are merged."""
    one = representatives(asked.merges)
    match a, b:
        case Pick(), Pick():
            return one.get(a.candidate, a.candidate) == one.get(b.candidate, b.candidate)
        case Merge(), Merge():
            return {a.first, a.second} == {b.first, b.second}
        case _:
            return a == b


class RunGrade(NamedTuple):
    """A grade as it is kept. candidate: what the run supports. at: a timestamp, whose text order is time order."""

    run_id: str
    seat: str
    candidate: str | None
    correct: bool | None
    source: GradeSource
    reliability: float
    given_by: str
    at: str
    undone: bool = False


class Supported(NamedTuple):
    """A candidate by id, words and the seats that support it. oddness, form: see `choice.model.Option`.

    form: None in a decision that was made before it was kept.
    """

    id: str
    text: str
    supporters: tuple[str, ...]
    oddness: float = 0.0
    form: str | None = None


@dataclass(frozen=True, slots=True)
class GradedQuestion:
    """What is learned from one finished question; merged candidates stand as one, `grades` are those that hold.

    domains: shares that add up to 1. p_right: what was said at the time. silent: seats that failed or
    said nothing. aspects: what else was seen of the question beforehand.
    reports: log-odds of what each seat said of how sure it was, as recalibrated at the time.
    """

    query_id: str
    at: str
    shape: QuestionShape
    domains: Mapping[str, float]
    candidates: tuple[Supported, ...]
    silent: tuple[str, ...]
    abstained: tuple[str, ...]
    p_right: float | None
    grades: tuple[RunGrade, ...]
    aspects: Mapping[str, float] = field(default_factory=dict)
    reports: Mapping[str, float] = field(default_factory=dict)


def outcome(grades: Iterable[RunGrade]) -> float:
    """Return the probability that the graded answer is correct: one half when nothing, or nothing certain, is known.

    Of what one grader says the newest counts; undone grades and "could not tell" do not. Sure grades (reliability 1)
    decide by themselves, unless as many sure graders say the opposite; others add their log-odds, as independent
    witnesses of that reliability do by Bayes' rule from even odds. The order of `grades` never matters.
    """
    newest = [(g.correct, g.reliability) for g in standing(grades)]
    sure = sum((1 if right else -1) for right, reliability in newest if reliability >= 1)
    if sure:
        return 1.0 if sure > 0 else 0.0
    # fsum rounds once, whatever the order
    odds = math.fsum(_log_odds(reliability) * (1 if right else -1) for right, reliability in newest if reliability < 1)
    return (1 + math.tanh(odds / 2)) / 2  # the logistic function, without overflow


def standing(grades: Iterable[RunGrade]) -> tuple[RunGrade, ...]:
    """Return the newest grade of each grader that says right or wrong, oldest first, without undone ones."""
    by_grader: dict[tuple[str, str], RunGrade] = {}
    for grade in sorted(grades, key=_age):
        if grade.correct is not None and not grade.undone:
            by_grader[_grader(grade)] = grade
    return tuple(sorted(by_grader.values(), key=_age))


def _age(grade: RunGrade) -> tuple[str, bool, float, str, str]:
    # Of two of one moment, which our clock does not give, the one that says wrong counts: an order of its own.
    return grade.at, not grade.correct, grade.reliability, grade.source, grade.given_by


def _grader(grade: RunGrade) -> tuple[str, str]:
    theirs = grade.source in {GradeSource.CHECKER, GradeSource.REVIEWER}
    return (grade.source if theirs else GradeSource.USER, grade.given_by)


def _log_odds(reliability: float) -> float:
    bounded = max(reliability, 1e-12)  # a grader that is never true is as sure as floats can say
    return math.log(bounded / (1 - bounded))


def ask_for_grade(decision: Decision, query_id: str, *, computed: Collection[str] = COMPUTED) -> GradeRequest | None:
    """Return why a person should be asked which answer was right, or None.

    Where members disagree and the chance of the chosen one is not extreme, much is learned; besides, AUDIT_SHARE of all
    questions are audited. Never where nobody answered, or nobody but a member that computes.
    """
    winner = decision.winner
    seats = {seat for candidate in decision.candidates for seat in candidate.supporters}
    if winner is None or seats <= set(computed):
        return None
    p = winner.p if decision.confidence.p is None else decision.confidence.p
    if len(decision.candidates) > 1 and (p is None or 1 - EXTREME < p < EXTREME):
        return GradeRequest.DISAGREEMENT
    return GradeRequest.AUDIT if audited(query_id) else None


def audited(query_id: str) -> bool:
    """Return whether a question belongs to the random sample; it follows from its id alone, disagreement or not."""
    drawn = int.from_bytes(sha256(b"audit\x00" + query_id.encode()).digest()[:_HASH_BYTES])
    return drawn < AUDIT_SHARE * _HASH_SPACE


def grade_source(grades: Sequence[RunGrade]) -> GradeSource | None:
    """Return whose word weighs most in `outcome`: the most reliable grader's, of equals the newest."""
    best = max(standing(grades), key=lambda g: (g.reliability, _age(g)), default=None)
    return best and best.source
