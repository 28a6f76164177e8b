"""Keeping the scoring ledger in step with the grades."""

import json
from dataclasses import dataclass

from sqlalchemy import select

from auritas.council.adapters.answered_sql import answered
from auritas.council.adapters.grades_sql import SqlGrades
from auritas.council.adapters.ledger_sql import SqlLedger, SqlRecalibrations
from auritas.council.ledger.rules import CouncilRule
from auritas.council.ledger.settlement import rows_for
from auritas.council.model import Grade, Question
from auritas.kernel.answers import AccuracyLevel
from auritas.kernel.clock import from_timestamp
from auritas.store import Unit
from auritas.store import schema as t


@dataclass(frozen=True, slots=True)
class Settling:
    """Writes the ledger rows of graded questions, by the council's rule as it was when the question was asked."""

    grades: SqlGrades
    ledger: SqlLedger
    recalibrations: SqlRecalibrations

    def settle(self, unit: Unit, query_id: str) -> None:
        """Make the rows of a question those that follow from the grades that hold; doing it again changes nothing."""
        asked = answered(unit, query_id)
        if asked is None:
            return
        held = [grade for grade in self.grades.grades(unit, query_id) if not grade.undone]
        given = [Grade(g.run_id, g.correct, g.source, g.reliability, g.given_by) for g in held]
        # The level shaped who was asked; nothing of the ledger depends on it.
        question = Question(query_id, "", asked.text, AccuracyLevel.HIGH, domains=asked.domains, shape=asked.shape)
        rows = rows_for(question, asked.answers, asked.decision, given, self._rule(unit, query_id))
        self.ledger.write(unit, query_id, rows)

    def _rule(self, unit: Unit, query_id: str) -> CouncilRule:
        """Return the weight of reports, and the curves, that were in force when the question was asked."""
        q = t.queries.c
        row = unit.connection.execute(select(q.created_at, q.decision).where(q.query_id == query_id)).one()
        weight = json.loads(row.decision).get("reports_weight", 0.0) if row.decision else 0.0
        return CouncilRule(weight, self.recalibrations.in_force(unit, from_timestamp(row.created_at)))
