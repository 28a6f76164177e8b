"""Acts of grading and the grades that follow from them, in the store; each change with its audit entry."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Row, insert, select, update

from auritas.council.acts import (
    USER,
    Act,
    ActKind,
    ActRecord,
    Answered,
    Pick,
    from_document,
    speaker,
    to_document,
)
from auritas.council.adapters.answered_sql import answered, settle
from auritas.council.adapters.graded_sql import graded_questions
from auritas.council.adapters.preferences_sql import SqlPreferences
from auritas.council.grading import GradedQuestion, RunGrade, grade_source, grades_of, in_force, outcome, standing
from auritas.council.model import Grade, GradeSource
from auritas.kernel.canonical import Json, Scalar, canonical
from auritas.kernel.clock import Clock, from_timestamp, timestamp
from auritas.kernel.errors import NotFoundError
from auritas.kernel.ids import Ids
from auritas.kernel.log import Kind, Log, LogEvent
from auritas.kernel.model import MICROS_PER_UNIT
from auritas.store import Unit
from auritas.store import schema as t
from auritas.store.cursor import Cursor, Page, page

USER_KINDS = frozenset(set(ActKind) - {ActKind.CHECKER, ActKind.REVIEWER})
"""What a person says; the others are said by programs and models."""
_SMALLEST = timedelta(microseconds=1)
_Given = tuple[str, Grade]


@dataclass(frozen=True, slots=True)
class SqlGrades:
    """Writes what was said about a question. Every method works inside the unit of work it is given."""

    log: Log[Unit]
    clock: Clock
    ids: Ids

    def write_act(self, unit: Unit, query_id: str, act: Act) -> ActRecord:
        """Write `act`, and make the question's grades those of the acts that hold now.

        Raises NotFoundError when there is no such question.
        """
        settle(unit, _known(unit, query_id))
        record = ActRecord(self.ids.new(), query_id, act, self._moment(unit))
        unit.connection.execute(
            insert(t.grading_acts).values(
                id=record.id,
                query_id=query_id,
                kind=act.kind,
                document=json.dumps(to_document(act), ensure_ascii=False),
                created_at=timestamp(record.at),
            )
        )
        given = self._follow(unit, query_id, record.id)
        self.log.append(unit, [_said(record, [grade for act_id, grade in given if act_id == record.id])])
        return record

    def undo_act(self, unit: Unit, act_id: str) -> ActRecord:
        """Take an act back: its grades count no more, and what it had contradicted holds again.

        Raises NotFoundError when there is no such act, or when it was undone before.
        """
        rows = t.grading_acts.c
        row = unit.connection.execute(select(t.grading_acts).where(rows.id == act_id, rows.undone_at.is_(None))).first()
        if row is None:
            raise NotFoundError(f"There is nothing called {act_id!r} to undo.", remedy="See: auritas grade list")
        now, undo_id = self.clock.now(), self.ids.new()
        unit.connection.execute(update(t.grading_acts).where(rows.id == act_id).values(undone_at=timestamp(now)))
        self._follow(unit, row.query_id, undo_id)
        record = _record(row)
        refs: dict[str, Scalar] = {"act_id": act_id, "query_id": row.query_id, "act": row.kind, "undo_id": undo_id}
        self.log.append(unit, [LogEvent(Kind.GRADE, USER, refs)])
        return ActRecord(record.id, record.query_id, record.act, record.at, now)

    def acts(self, unit: Unit, query_id: str) -> tuple[ActRecord, ...]:
        """Return everything that was said about a question, undone acts included, oldest first."""
        rows = t.grading_acts.c
        query = select(t.grading_acts).where(rows.query_id == query_id).order_by(rows.created_at, rows.id)
        return tuple(_record(row) for row in unit.connection.execute(query))

    def user_acts(self, unit: Unit, size: int, after: Cursor | None = None, begins: str = "") -> Page[ActRecord]:
        """Return what the user said about any question, newest first; `begins`: of the act's id."""
        rows = t.grading_acts.c
        query = select(t.grading_acts).where(rows.kind.in_(USER_KINDS), rows.id.startswith(begins, autoescape=True))
        found = page(unit.connection, query, rows.created_at, rows.id, size=size, after=after, newest_first=True)
        return Page(tuple(_record(row) for row in found.rows), found.next)

    def last_user_act(self, unit: Unit) -> ActRecord | None:
        """Return the newest thing that the user said and has not undone."""
        rows = t.grading_acts.c
        query = select(t.grading_acts).where(rows.kind.in_(USER_KINDS), rows.undone_at.is_(None))
        row = unit.connection.execute(query.order_by(rows.created_at.desc(), rows.id.desc()).limit(1)).first()
        return None if row is None else _record(row)

    def grades(self, unit: Unit, query_id: str) -> tuple[RunGrade, ...]:
        """Return all grades of a question's answers, those that count no more marked as undone."""
        said = _known(unit, query_id).said()
        return tuple(_grade(row, said.get(row.run_id)) for row in _rows(unit, query_id))

    def graded_questions(self, unit: Unit, *, graded_only: bool = False) -> list[GradedQuestion]:
        """Return what the council learns from; see `graded_sql.graded_questions`."""
        return graded_questions(unit, graded_only=graded_only)

    def _moment(self, unit: Unit) -> datetime:
        """Return a moment after every act so far: who spoke last must not depend on a clock that stands still."""
        newest = select(t.grading_acts.c.created_at).order_by(t.grading_acts.c.created_at.desc()).limit(1)
        before = unit.connection.execute(newest).scalar()
        now = self.clock.now()
        return now if before is None else max(now, from_timestamp(before) + _SMALLEST)

    def _follow(self, unit: Unit, query_id: str, change: str) -> list[_Given]:
        """Make grades, combined views and preference those of the acts that hold; return what they give."""
        asked, records = _known(unit, query_id), self.acts(unit, query_id)
        held = in_force(records, asked)
        given = [(record.id, grade) for record in held for grade in grades_of(record.act, asked)]
        at = {record.id: timestamp(record.at) for record in records}
        before = _rows(unit, query_id)
        self._rewrite(unit, before, given, at, change)
        _combine(unit, asked, _rows(unit, query_id))
        pick = next((record for record in reversed(held) if isinstance(record.act, Pick)), None)
        SqlPreferences(self.log, self.clock, self.ids).keep(unit, asked, pick)
        return given

    def _rewrite(
        self, unit: Unit, before: Sequence[Row[Any]], given: Sequence[_Given], at: Mapping[str, str], change: str
    ) -> None:
        """Revive, retire and insert rows of grades; a grade that was undone stays, and says by what."""
        wanted = {(act_id, grade.run_id, grade.correct): grade for act_id, grade in given}
        # Rows without an act come from before there were any; they are nobody's to undo.
        known = {(row.act_id, row.run_id, row.correct): row for row in before if row.act_id}
        for key, row in known.items():
            undone_by = None if key in wanted else row.undone_by or change
            if undone_by != row.undone_by:
                unit.connection.execute(update(t.grades).where(t.grades.c.id == row.id).values(undone_by=undone_by))
        new = [
            {
                "id": self.ids.new(),
                "run_id": grade.run_id,
                "correct": grade.correct,
                "source": grade.source,
                "reliability": grade.reliability,
                "at": at[act_id],
                "act_id": act_id,
                "given_by": grade.given_by or None,
            }
            for (act_id, _, _), grade in ((key, wanted[key]) for key in wanted if key not in known)
        ]
        if new:
            unit.connection.execute(insert(t.grades), new)


def _known(unit: Unit, query_id: str) -> Answered:
    asked = answered(unit, query_id)
    if asked is None:
        raise NotFoundError(f"There is no question {query_id!r}.")
    return asked


def _rows(unit: Unit, query_id: str) -> Sequence[Row[Any]]:
    query = (
        select(t.grades, t.model_runs.c.specialist)
        .join(t.model_runs, t.model_runs.c.run_id == t.grades.c.run_id)
        .where(t.model_runs.c.query_id == query_id)
        .order_by(t.grades.c.at, t.grades.c.id)
    )
    return unit.connection.execute(query).all()


def _grade(row: Row[Any], candidate: str | None) -> RunGrade:
    source, given_by = GradeSource(row.source), row.given_by or ""
    undone = row.undone_by is not None
    return RunGrade(
        row.run_id, row.specialist, candidate, row.correct, source, row.reliability, given_by, row.at, undone
    )


def _combine(unit: Unit, asked: Answered, rows: Iterable[Row[Any]]) -> None:
    """Write what all grades of a run come to into the run itself: right, wrong, or graded and undecided."""
    by_run: dict[str, list[RunGrade]] = {answer.run_id: [] for answer in asked.answers}
    for row in rows:
        by_run.setdefault(row.run_id, []).append(_grade(row, None))
    for run_id, grades in by_run.items():
        p = outcome(grades)
        unit.connection.execute(
            update(t.model_runs)
            .where(t.model_runs.c.run_id == run_id)
            .values(
                graded=bool(standing(grades)),
                correct=None if p == 0.5 else p > 0.5,  # noqa: PLR2004  even odds
                grade_source=grade_source(grades),
            )
        )


def _record(row: Row[Any]) -> ActRecord:
    undone = None if row.undone_at is None else from_timestamp(row.undone_at)
    act = from_document(row.kind, json.loads(row.document))
    return ActRecord(row.id, row.query_id, act, from_timestamp(row.created_at), undone)


def _said(record: ActRecord, grades: Sequence[Grade]) -> LogEvent:
    """Return the entry of an act. Candidates' ids follow from words, so they stand in the body, which can be erased."""
    marks = [grade.correct for grade in grades]
    refs: dict[str, Scalar] = {
        "act_id": record.id,
        "query_id": record.query_id,
        "act": record.act.kind,
        "right": sum(mark is True for mark in marks),
        "wrong": sum(mark is False for mark in marks),
    }
    document = to_document(record.act)
    if (reliability := document.pop("reliability", None)) is not None:
        document["reliability_micros"] = round(reliability * MICROS_PER_UNIT)
    body: Json = {"act": document, "grades": [{"run_id": g.run_id, "correct": g.correct} for g in grades]}
    return LogEvent(Kind.GRADE, speaker(record.act).split(" ", 1)[-1], refs, canonical(body).decode())
