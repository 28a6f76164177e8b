"""The scoring ledger and the recalibrations in the store."""

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast

from sqlalchemy import Column, ColumnElement, Select, and_, bindparam, case, delete, func, insert, select

from auritas.council.ledger.recalibration import Graded, Recalibration
from auritas.council.ledger.scores import Confusion, settled
from auritas.council.ledger.settlement import LedgerRow, Part
from auritas.council.model import Grade, GradeSource
from auritas.kernel.clock import Clock, from_timestamp, timestamp
from auritas.kernel.errors import InvalidError
from auritas.kernel.ids import Ids
from auritas.kernel.log import Kind, Log, LogEvent
from auritas.store import Unit
from auritas.store import schema as t
from auritas.store.cursor import Cursor, Page, page

NEWEST_GRADES = 10_000
"""Older ones are left out of a curve: they move it no more, and each would be read again at every refit."""
_KIND = "knots"


@dataclass(frozen=True, slots=True)
class Balance:
    """What a seat has earned: credit for honest reports, awards for being shown, over so many questions."""

    seat: str
    credit: float
    award: float
    questions: int


@dataclass(frozen=True, slots=True)
class Booked:
    """A row of the ledger with when it was written."""

    row: LedgerRow
    at: datetime


_C, _L = t.calibrations.c, t.score_ledger
_ROWS = select(_L).where(_L.c.query_id == bindparam("question")).order_by(_L.c.specialist, _L.c.part)


def _newest_curves(*rules: ColumnElement[bool]) -> Select[Any]:
    age = func.row_number().over(partition_by=_C.specialist, order_by=(_C.created_at.desc(), _C.id.desc()))
    curves = select(_C.specialist, _C.parameters, _C.grades, age.label("age")).where(_C.kind == _KIND, *rules)
    aged = curves.subquery()
    return select(aged).where(aged.c.age == 1)


_CURVES, _CURVES_AT = _newest_curves(), _newest_curves(_C.created_at <= bindparam("at"))


@dataclass(frozen=True, slots=True)
class SqlLedger:
    """Rows of table score_ledger. They follow from grades, whose entries the audit log has: none of their own."""

    clock: Clock

    def write(self, unit: Unit, query_id: str, rows: Sequence[LedgerRow]) -> None:
        """Make `rows` the rows of the question: a row that changed is replaced, one that is missing now is removed.

        Writing the same rows again changes nothing. Raises InvalidError when a row is another question's.
        """
        if any(row.query_id != query_id for row in rows):
            raise InvalidError("A ledger row belongs to another question than the one that is settled.")
        before, now = set(self.rows(unit, query_id)), set(rows)
        ledger = t.score_ledger
        for row in before - now:
            mine = (ledger.c.specialist == row.seat, ledger.c.query_id == query_id, ledger.c.part == row.part)
            unit.connection.execute(delete(ledger).where(*mine))
        fresh = [_stored(row, timestamp(self.clock.now())) for row in rows if row not in before]
        if fresh:
            unit.connection.execute(insert(ledger), fresh)

    def rows(self, unit: Unit, query_id: str) -> tuple[LedgerRow, ...]:
        """Return the rows of a question, by seat."""
        found = unit.connection.execute(_ROWS, {"question": query_id})
        return tuple(LedgerRow(r.specialist, r.query_id, Part(r.part), r.amount, r.basis) for r in found)

    def newest(self, unit: Unit, size: int, after: Cursor | None = None, seat: str | None = None) -> Page[Booked]:
        """Return a page of all rows, or of one seat's, newest first."""
        ledger = t.score_ledger.c
        name = (ledger.query_id + "/" + ledger.specialist + "/" + ledger.part).label("name")
        query = select(t.score_ledger, name)
        if seat is not None:
            query = query.where(ledger.specialist == seat)
        tie = cast("Column[Any]", name)
        found = page(unit.connection, query, ledger.created_at, tie, size=size, after=after, newest_first=True)
        return Page(tuple(_booked(row) for row in found.rows), found.next)

    def balance(self, unit: Unit) -> tuple[Balance, ...]:
        """Return what each seat has earned so far, by seat."""
        ledger = t.score_ledger
        credit, award = (func.sum(case((ledger.c.part == part, ledger.c.amount), else_=0.0)) for part in Part)
        questions = func.count(ledger.c.query_id.distinct())
        by_seat = select(ledger.c.specialist, credit, award, questions).group_by(ledger.c.specialist)
        rows = unit.connection.execute(by_seat.order_by(ledger.c.specialist))
        return tuple(Balance(*row) for row in rows)


@dataclass(frozen=True, slots=True)
class SqlRecalibrations:
    """Curves of table calibrations. None is ever changed: a round keeps those that were in force when it began."""

    log: Log[Unit]
    clock: Clock
    ids: Ids

    def keep(self, unit: Unit, curves: Mapping[str, Recalibration]) -> None:
        """Put curves in force, by seat; a curve that says the same as the one in force is not written again."""
        before = self.in_force(unit)
        fresh = {self.ids.new(): (seat, curve) for seat, curve in curves.items() if before.get(seat) != curve}
        if not fresh:
            return
        now = timestamp(self.clock.now())
        rows = [_curve(curve_id, now, *which) for curve_id, which in fresh.items()]
        unit.connection.execute(insert(t.calibrations), rows)
        self.log.append(unit, [_curve_event(curve_id, *which) for curve_id, which in fresh.items()])

    def in_force(self, unit: Unit, at: datetime | None = None) -> dict[str, Recalibration]:
        """Return the newest curve of each seat, or the newest that was there at a moment."""
        if at is None:
            rows = unit.connection.execute(_CURVES)
        else:
            rows = unit.connection.execute(_CURVES_AT, {"at": timestamp(at)})
        return {row.specialist: Recalibration(tuple(json.loads(row.parameters)["values"]), row.grades) for row in rows}

    def history(self, unit: Unit, graders: Mapping[str, Confusion] | None = None) -> dict[str, tuple[Graded, ...]]:
        """Return the newest graded reports of each seat: what `recalibration.learn` learns from."""
        reports: dict[str, tuple[str, float]] = {}
        grades: dict[str, list[Grade]] = defaultdict(list)
        newest = unit.connection.execute(_graded_reports()).all()
        for run_id, seat, report, correct, source, reliability, given_by in reversed(newest):
            reports[run_id] = seat, report
            grades[run_id].append(Grade(run_id, correct, GradeSource(source), reliability, given_by or ""))
        by_seat: dict[str, list[Graded]] = defaultdict(list)
        for run_id, (seat, report) in reports.items():
            if outcome := settled(grades[run_id], graders):
                # A stand-in varies with up to 1 / edge^2 as much as a certain outcome, so it weighs edge^2.
                by_seat[seat].append(Graded(report, outcome.value, outcome.edge**2))
        return {seat: tuple(history) for seat, history in by_seat.items()}


def _booked(row: Any) -> Booked:
    mine = LedgerRow(row.specialist, row.query_id, Part(row.part), row.amount, row.basis)
    return Booked(mine, from_timestamp(row.created_at))


def _stored(row: LedgerRow, now: str) -> dict[str, object]:
    return {
        "specialist": row.seat,
        "query_id": row.query_id,
        "part": row.part,
        "amount": row.amount,
        "basis": row.basis,
        "created_at": now,
    }


def _curve(curve_id: str, now: str, seat: str, curve: Recalibration) -> dict[str, object]:
    return {
        "id": curve_id,
        "created_at": now,
        "specialist": seat,
        "kind": _KIND,
        "parameters": json.dumps({"values": curve.values}),
        "grades": curve.grades,
    }


def _curve_event(curve_id: str, seat: str, curve: Recalibration) -> LogEvent:
    return LogEvent(Kind.WEIGHTS, "system", {"calibration_id": curve_id, "specialist": seat, "grades": curve.grades})


def _graded_reports() -> Select[Any]:
    runs, grades, acts = t.model_runs.c, t.grades.c, t.grading_acts
    joined = t.model_runs.join(t.grades, grades.run_id == runs.run_id).outerjoin(acts, acts.c.id == grades.act_id)
    counts = and_(
        runs.round == "answer",
        runs.stated_confidence.is_not(None),
        runs.abstained.is_(False),
        runs.error.is_(None),
        runs.text != "",
        grades.undone_by.is_(None),
        acts.c.undone_at.is_(None),
    )
    said = (grades.correct, grades.source, grades.reliability, grades.given_by)
    found = select(runs.run_id, runs.specialist, runs.stated_confidence, *said).select_from(joined).where(counts)
    return found.order_by(grades.at.desc(), grades.id.desc()).limit(NEWEST_GRADES)
