"""Reviews, checks of reviewers and comparisons in the store, each written with its audit entry."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from sqlalchemy import ColumnElement, and_, bindparam, exists, func, insert, select

from auritas.council.model import GradeSource
from auritas.council.review.checks import intervals, reliability
from auritas.council.review.model import (
    CheckResult,
    Comparison,
    JudgeRecord,
    KnownAnswer,
    Preference,
    Reliability,
    Verdicts,
)
from auritas.kernel.answers import QuestionShape, Review, ReviewVerdict, Seat
from auritas.kernel.canonical import Scalar, canonical
from auritas.kernel.clock import Clock, timestamp
from auritas.kernel.ids import Ids
from auritas.kernel.log import Kind, Log, LogEvent
from auritas.store import Unit
from auritas.store import schema as t

RUN_ITEM = "run:"
PAST_ANSWERS = 200
"""Graded answers of the past to choose from, newest first."""
_K = t.reviewer_checks.c
_CHECKS = (
    select(_K.reviewer, _K.digest, _K.item, _K.is_right, _K.verdict)
    .where(_K.reviewer.in_(bindparam("reviewers", expanding=True)))
    .order_by(_K.created_at, _K.id)
)
_REVIEW = insert(t.reviews)
_CERTAIN = (GradeSource.USER, GradeSource.KEY, GradeSource.CORRECTION, GradeSource.CHECKER)


class ComparisonKind(StrEnum):
    """Why two answers were compared; the values are those of the column comparisons.kind."""

    JUDGE = "judge"
    PAIRWISE = "pairwise"


@dataclass(frozen=True, slots=True)
class ReviewRecords:
    """Writes and reads what reviewers and judges said. Every method works inside the unit of work it is given.

    measured: what is known of weights by their digest, from before they came to this machine.
    """

    log: Log[Unit]
    clock: Clock
    ids: Ids
    measured: Mapping[str, Verdicts] = field(default_factory=dict)

    def reviewed(self, unit: Unit, query_id: str, reviews: Sequence[Review]) -> None:
        """Write reviews of runs that are in the store already; those without a verdict, too."""
        now = timestamp(self.clock.now())
        for review in reviews:
            row = {
                "id": self.ids.new(),
                "run_id": review.run_id,
                "reviewer": review.reviewer,
                "verdict": review.verdict,
                "issues": json.dumps(review.issues, ensure_ascii=False),
                "correction": review.correction or None,
                "created_at": now,
            }
            unit.connection.execute(_REVIEW, row)
            refs = {"event": "review", "review_id": str(row["id"]), "query_id": query_id, "run_id": review.run_id}
            said = canonical({"issues": list(review.issues), "correction": review.correction}).decode()
            self._append(unit, review, refs, said if review.objects else "")

    def checked(self, unit: Unit, seat: Seat, result: CheckResult, review: Review) -> None:
        """Write what the reviewer in `seat` said of a known answer, with the digest of the model that said it."""
        row = {
            "id": self.ids.new(),
            "reviewer": seat.name,
            "digest": seat.digest or None,
            "item": result.item,
            "is_right": result.is_right,
            "verdict": result.verdict,
            "created_at": timestamp(self.clock.now()),
        }
        unit.connection.execute(insert(t.reviewer_checks).values(row))
        refs: dict[str, Scalar] = {"event": "check", "item": result.item, "is_right": result.is_right}
        self._append(unit, review, refs | {"model_digest": seat.digest}, "")

    def compared(
        self, unit: Unit, query_id: str, kind: ComparisonKind, comparison: Comparison, *, used: bool = False
    ) -> None:
        """Write one comparison. used: it changed the answer."""
        row = {
            "id": self.ids.new(),
            "query_id": query_id,
            "judge": comparison.judge,
            "kind": kind,
            "first": comparison.first,
            "second": comparison.second,
            "forward": comparison.forward,
            "backward": comparison.backward,
            "used": used,
            "created_at": timestamp(self.clock.now()),
        }
        unit.connection.execute(insert(t.comparisons).values(row))
        refs: dict[str, Scalar] = {
            "event": "comparison",
            "comparison_id": str(row["id"]),
            "query_id": query_id,
            "purpose": kind.value,
            "forward": comparison.forward.value,
            "backward": comparison.backward.value,
            "used": used,
            "tokens_in": comparison.usage.tokens_in,
            "tokens_out": comparison.usage.tokens_out,
            "cost_micros": comparison.usage.cost_micros,
        }
        # A candidate's id is a hash of its words without a salt: it goes where it can be erased.
        body = canonical({"first": comparison.first, "second": comparison.second}).decode()
        self.log.append(unit, [LogEvent(Kind.REVIEW, comparison.judge, refs, body)])

    def checks(self, unit: Unit, seat: Seat) -> tuple[CheckResult, ...]:
        """Return what the model that sits in `seat` now said of known answers, oldest first."""
        return self._checks(unit, [seat])[seat.name]

    def reliabilities(self, unit: Unit, seats: Iterable[Seat]) -> Mapping[str, Reliability]:
        """Return how far each seat's present model can be believed, by seat."""
        sitting = list(seats)
        checks = self._checks(unit, sitting)
        return {seat.name: reliability(checks[seat.name], self.measured.get(seat.digest)) for seat in sitting}

    def intervals(self, unit: Unit, seat: Seat) -> tuple[tuple[float, float], tuple[float, float]]:
        """Return the 95 % intervals of sensitivity and specificity of a seat's present model."""
        return intervals(self.checks(unit, seat), self.measured.get(seat.digest))

    def since_check(self, unit: Unit, seat: Seat) -> int:
        """Return how many reviews the seat has written since its present model was last checked."""
        last = unit.connection.execute(select(func.max(t.reviewer_checks.c.created_at)).where(_sitting(seat))).scalar()
        r = t.reviews.c
        count = select(func.count()).select_from(t.reviews).where(r.reviewer == seat.name, r.created_at > (last or ""))
        return int(unit.connection.execute(count).scalar_one())

    def comparisons(self, unit: Unit, judge: str, kind: ComparisonKind | None = None) -> tuple[Comparison, ...]:
        """Return what `judge` compared since its model sits there, oldest first; usage is not kept."""
        return tuple(comparison for _, comparison in self._compared(unit, judge, kind))

    def judge_record(self, unit: Unit, judge: str) -> JudgeRecord:
        """Return how often the content judge was right, whether or not its opinion was used.

        Counted are its consistent opinions on two candidates of which, by now, exactly one is graded right with
        certainty: by the user, a key, a correction or a checker.
        """
        opinions = self._compared(unit, judge, ComparisonKind.JUDGE)
        right = self._right_candidates(unit, judge)
        outcomes = []
        for query_id, opinion in opinions:
            known = {opinion.first, opinion.second} & right.get(query_id, set())
            if opinion.favours is not None and len(known) == 1:
                outcomes.append(opinion.favours in known)
        return JudgeRecord(sum(outcomes), len(outcomes))

    def past_answers(self, unit: Unit, seat: Seat) -> tuple[KnownAnswer, ...]:
        """Return graded answers of the past that the seat can be checked with, newest first.

        Not its own, short answers to opening questions only: the others mean nothing without their conversation. A
        reviewer elsewhere is shown only what it was asked itself at the time, so that no question goes to anybody new.
        """
        run, own = t.model_runs.c, t.model_runs.alias().c
        asked = exists().where(own.query_id == run.query_id, own.specialist == seat.name)
        rows = unit.connection.execute(
            select(run.run_id, t.messages.c.content, run.text)
            .join(t.queries, t.queries.c.query_id == run.query_id)
            .join(t.messages, t.messages.c.message_id == t.queries.c.question_message_id)
            .where(
                run.specialist != seat.name,
                run.text != "",
                t.queries.c.shape == QuestionShape.CLOSED,
                t.messages.c.parent_id.is_(None),
                run.run_id.in_(select(t.grades.c.run_id).where(_certain())),
                *([] if seat.local else [asked]),
            )
            .order_by(run.created_at.desc(), run.run_id.desc())
            .limit(PAST_ANSWERS)
        ).all()
        truth = self._truth(unit, [row.run_id for row in rows])
        return tuple(
            KnownAnswer(f"{RUN_ITEM}{run_id}", question, answer, truth[run_id]) for run_id, question, answer in rows
        )

    def _checks(self, unit: Unit, seats: Sequence[Seat]) -> Mapping[str, tuple[CheckResult, ...]]:
        """Return by seat what its present model said of known answers, oldest first; another model's counts nothing."""
        digests = {seat.name: seat.digest or None for seat in seats}
        found: dict[str, list[CheckResult]] = {name: [] for name in digests}
        rows = unit.connection.execute(_CHECKS, {"reviewers": list(digests)})
        for reviewer, digest, item, is_right, verdict in rows:
            if digest == digests[reviewer]:
                found[reviewer].append(CheckResult(item, bool(is_right), ReviewVerdict(verdict)))
        return {name: tuple(checks) for name, checks in found.items()}

    def _append(self, unit: Unit, review: Review, refs: Mapping[str, Scalar], body: str) -> None:
        took: dict[str, Scalar] = {
            "verdict": review.verdict.value,
            "tokens_in": review.usage.tokens_in,
            "tokens_out": review.usage.tokens_out,
            "cost_micros": review.usage.cost_micros,
        }
        self.log.append(unit, [LogEvent(Kind.REVIEW, review.reviewer, {**refs, **took}, body)])

    def _compared(self, unit: Unit, judge: str, kind: ComparisonKind | None) -> list[tuple[str, Comparison]]:
        c, p = t.comparisons.c, t.promotions.c
        seated = select(func.max(p.created_at)).where(p.specialist == judge).scalar_subquery()
        mine = and_(c.judge == judge, c.created_at > func.coalesce(seated, ""))
        wanted = mine if kind is None else and_(mine, c.kind == kind)
        rows = unit.connection.execute(select(t.comparisons).where(wanted).order_by(c.created_at, c.id))
        return [(row.query_id, _comparison(row)) for row in rows]

    def _right_candidates(self, unit: Unit, judge: str) -> dict[str, set[str]]:
        """Return, for each question on which `judge` gave an opinion, the candidates that are right with certainty."""
        run, grade, opinion = t.model_runs.c, t.grades.c, t.comparisons.c
        judged = select(opinion.query_id).where(opinion.judge == judge, opinion.kind == ComparisonKind.JUDGE)
        newest_last = (
            select(run.run_id, run.query_id, run.candidate, grade.correct)
            .join(t.grades, grade.run_id == run.run_id)
            .where(_certain(), run.query_id.in_(judged), run.candidate.is_not(None))
            .order_by(grade.at, grade.id)
        )
        truth = {row.run_id: row for row in unit.connection.execute(newest_last)}
        found: dict[str, set[str]] = {}
        for row in truth.values():
            if row.correct:
                found.setdefault(row.query_id, set()).add(row.candidate)
        return found

    def _truth(self, unit: Unit, run_ids: Sequence[str]) -> dict[str, bool]:
        """Return whether each run is right, where that is certain; the newest grade counts."""
        c = t.grades.c
        newest_last = select(c.run_id, c.correct).where(_certain(), c.run_id.in_(run_ids)).order_by(c.at, c.id)
        return {run_id: bool(correct) for run_id, correct in unit.connection.execute(newest_last)}


def _sitting(seat: Seat) -> ColumnElement[bool]:
    c = t.reviewer_checks.c
    return and_(c.reviewer == seat.name, c.digest == seat.digest if seat.digest else c.digest.is_(None))


def _certain() -> ColumnElement[bool]:
    c = t.grades.c
    return and_(c.undone_by.is_(None), c.correct.is_not(None), c.source.in_(_CERTAIN))


def _comparison(row: Any) -> Comparison:
    return Comparison(row.judge, row.first, row.second, Preference(row.forward), Preference(row.backward))
