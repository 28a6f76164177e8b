"""What the council learns from, in two statements, however many grades there are."""

import json
from collections.abc import Iterable, Mapping, Sequence
from operator import attrgetter
from typing import Any

from auritas.council.acts import ActKind, Merge, from_document, representatives
from auritas.council.adapters.answered_sql import ANSWER_ROUND
from auritas.council.grading import GradedQuestion, RunGrade, Supported
from auritas.council.model import GradeSource
from auritas.kernel.answers import QuestionShape
from auritas.store import Unit
from auritas.store.engine import plain_rows

_Row = Sequence[Any]
# In the driver's words, because as plain tuples tens of thousands of rows take half the time. A question stands once
# for each of its merges, nearly always once.
_FINISHED = """
    SELECT q.query_id, q.created_at, q.shape, q.domains, q.decision, q.p_right, a.document
    FROM queries q LEFT JOIN grading_acts a ON a.query_id = q.query_id AND a.kind = ? AND a.undone_at IS NULL
    WHERE q.status = 'finished' AND q.decision IS NOT NULL
    ORDER BY q.created_at, q.query_id"""
_GIVEN = """
    SELECT r.query_id, g.run_id, r.specialist, g.correct, g.source, g.reliability, g.given_by, g.at
    FROM grades g JOIN model_runs r ON r.run_id = g.run_id
    WHERE g.undone_by IS NULL AND r.round = ?"""
_AGE = attrgetter("at", "run_id", "source", "given_by")
_SOURCES = {source.value: source for source in GradeSource}


def graded_questions(unit: Unit, *, graded_only: bool = False) -> list[GradedQuestion]:
    """Return every finished question, oldest first, with the grades that hold, oldest first.

    graded_only: leave out questions without a grade. Questions from before decisions were kept are here once somebody
    has graded them.
    """
    given: dict[str, list[_Row]] = {}
    for grade in plain_rows(unit.connection, _GIVEN, (ANSWER_ROUND,)):
        given.setdefault(grade[0], []).append(grade)
    merges: dict[str, list[Merge]] = {}
    rows: dict[str, _Row] = {}
    for row in plain_rows(unit.connection, _FINISHED, (ActKind.MERGE.value,)):
        if graded_only and row[0] not in given:
            continue
        rows.setdefault(row[0], row)
        if row[6] is not None:
            merges.setdefault(row[0], []).append(_merge(row[6]))
    return [_question(row, given.get(query_id, ()), merges.get(query_id, ())) for query_id, row in rows.items()]


def _question(row: _Row, given: Iterable[_Row], merges: Sequence[Merge]) -> GradedQuestion:
    query_id, at, shape, domains, text, p_right, _ = row
    decision = json.loads(text)
    candidates = _candidates(decision["candidates"], merges)
    said = {seat: c.id for c in candidates for seat in c.supporters}
    return GradedQuestion(
        query_id=query_id,
        at=at,
        shape=QuestionShape(shape),
        domains=json.loads(domains),
        candidates=candidates,
        silent=tuple(decision.get("silent", ())),
        abstained=tuple(decision.get("abstained", ())),
        p_right=p_right,
        aspects=decision.get("aspects", {}),
        reports=decision.get("reports", {}),
        grades=tuple(sorted((_grade(each, said) for each in given), key=_AGE)),
    )


def _candidates(document: Sequence[Mapping[str, Any]], merges: Sequence[Merge]) -> tuple[Supported, ...]:
    kept = tuple(
        Supported(c["id"], c["text"], tuple(c["supporters"]), c.get("oddness", 0.0), c.get("form")) for c in document
    )
    if not merges:
        return kept
    ids, one = representatives(merges), dict[str, Supported]()
    for candidate in kept:
        name = ids.get(candidate.id, candidate.id)
        before = one.get(name, candidate._replace(id=name, supporters=()))
        supporters = tuple(sorted({*before.supporters, *candidate.supporters}))
        one[name] = before._replace(supporters=supporters)
    return tuple(one.values())


def _grade(row: _Row, said: Mapping[str, str]) -> RunGrade:
    _, run_id, seat, correct, source, reliability, given_by, at = row
    right = None if correct is None else bool(correct)
    return RunGrade(run_id, seat, said.get(seat), right, _SOURCES[source], reliability, given_by or "", at)


def _merge(document: str) -> Merge:
    act = from_document(ActKind.MERGE, json.loads(document))
    assert isinstance(act, Merge)  # noqa: S101  the statement asks for no other kind
    return act
