"""Questions of the past as a page shows them: a list, and one with everything that was kept of it."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from auritas.app.grade_page import GradeLine, line_of
from auritas.app.grading import Grading, Mark
from auritas.app.memory_views import WhyUsed
from auritas.app.naming import NoQuestionError, found_named
from auritas.council.acts import representatives
from auritas.council.adapters.answered_sql import Found, answered, find
from auritas.council.adapters.question_sql import QuestionKept, ReviewKept, kept, reviews_of
from auritas.kernel.answers import Answer, Candidate, ConfidenceLabel, Failure, GradeRequest, QuestionShape
from auritas.kernel.errors import NotFoundError
from auritas.kernel.log import Level
from auritas.kernel.ports import Store
from auritas.kernel.trace import Section
from auritas.store import Unit

if TYPE_CHECKING:
    from auritas.app.audit import AuditUseCases
    from auritas.app.remembering import Memory
    from auritas.council.acts import Answered


@dataclass(frozen=True, slots=True)
class QuestionLine:
    """A question in the list of them. status: finished, failed, interrupted, abandoned or started."""

    query_id: str
    text: str
    status: str
    level: str
    at: datetime
    trace_id: str | None


@dataclass(frozen=True, slots=True)
class QuestionLines:
    """A page of questions, newest first. next: the id to give as `before` for the page after it."""

    items: tuple[QuestionLine, ...]
    next: str | None


@dataclass(frozen=True, slots=True)
class AnswerShown:
    """One member's answer with what it took.

    candidate: which it supports, None where it gave no answer that counts. p: how likely it is right by all grades,
    None where nobody has graded it. right: what that comes to, None where it is not known or graders contradict.
    """

    run_id: str
    seat: str
    model: str
    digest: str
    engine: str
    text: str
    explanation: str
    stated_confidence: float | None
    abstained: bool
    failure: Failure | None
    attempts: int
    first_token_ms: float | None
    total_ms: float
    tokens_in: int
    tokens_out: int
    cost_micros: int
    candidate: str | None
    shown: bool
    p: float | None
    right: bool | None


@dataclass(frozen=True, slots=True)
class CandidateShown:
    """Answers that say the same. p: how likely it is right; a probability only where the decision says so."""

    id: str
    text: str
    supporters: tuple[str, ...]
    score: float
    p: float | None
    chosen: bool


@dataclass(frozen=True, slots=True)
class Absence:
    """What would have been chosen without one member. candidate: None, nothing; turns: something else than now."""

    seat: str
    candidate: str | None
    turns: bool


@dataclass(frozen=True, slots=True)
class DecisionShown:
    """What was chosen, by which policy, how sure and why. calibrated: whether p is a probability learned from grades.

    reason: the rationale of the trace, in which the basis of the confidence stands.
    """

    candidates: tuple[CandidateShown, ...]
    chosen: str | None
    shown_seat: str | None
    confidence: ConfidenceLabel
    p: float | None
    calibrated: bool
    policy: str
    reason: str
    effective_votes: float | None
    without: tuple[Absence, ...]


@dataclass(frozen=True, slots=True)
class ProofOfEntry:
    """Where the trace stands in the audit log, and how much stands behind that entry."""

    seq: int
    level: Level


@dataclass(frozen=True, slots=True)
class QuestionShown:
    """A question with everything that a page shows of it.

    memory: what of memory entered its prompts, None where no model was asked. said: what you said about its answers.
    """

    query_id: str
    conversation_id: str
    question_message_id: str | None
    message_id: str | None
    trace_id: str | None
    text: str
    status: str
    level: str
    shape: QuestionShape
    at: datetime
    cost_micros: int
    degraded: tuple[str, ...]
    domains: Mapping[str, float]
    answers: tuple[AnswerShown, ...]
    decision: DecisionShown
    reviews: tuple[ReviewKept, ...]
    memory: WhyUsed | None
    receipt: ProofOfEntry | None
    asks_grade: GradeRequest | None
    said: tuple[GradeLine, ...]


@dataclass(frozen=True, slots=True)
class Reasons:
    """A stored trace in its five sections."""

    query_id: str
    trace_id: str
    sections: tuple[Section, ...]


@dataclass(frozen=True, slots=True)
class QuestionPages:
    """Reads questions for pages; writes nothing."""

    store: Store[Unit]
    grading: Grading
    memory: "Memory"
    audit: "AuditUseCases"

    def newest(self, count: int, before: str | None = None) -> QuestionLines:
        """Return up to `count` questions that were asked before the one of id `before`, newest first."""
        with self.store.read() as unit:
            found = find(unit, "", count + 1, before=before)
        items = tuple(_line(each) for each in found[:count])
        return QuestionLines(items, items[-1].query_id if len(found) > count else None)

    def named(self, name: str) -> str:
        """Return the id of the question whose id, or whose trace's, begins so. Raises as `naming.found_named` does."""
        with self.store.read() as unit:
            return found_named(unit, name).query_id

    def show(self, name: str) -> QuestionShown:
        """Return one question. Raises NoQuestionError and AmbiguousError."""
        with self.store.read() as unit:
            query_id = found_named(unit, name).query_id
            asked, row, reviews = answered(unit, query_id), kept(unit, query_id), reviews_of(unit, query_id)
        if asked is None or row is None:
            raise NoQuestionError(f"There is no question {name!r}.")
        marks = {mark.run_id: mark for mark in self.grading.marks(query_id)}
        return QuestionShown(
            query_id=query_id,
            conversation_id=row.conversation_id,
            question_message_id=row.question_message_id,
            message_id=row.message_id,
            trace_id=row.trace_id,
            text=asked.text,
            status=row.status,
            level=row.level,
            shape=asked.shape,
            at=row.at,
            cost_micros=row.cost_micros,
            degraded=row.degraded,
            domains=asked.domains,
            answers=_answers(asked, marks),
            decision=_decision(asked, row),
            reviews=reviews,
            memory=self._memory(query_id),
            receipt=self._receipt(row.audit_seq),
            asks_grade=GradeRequest(row.asks_grade) if row.asks_grade else None,
            said=tuple(map(line_of, self.grading.said_of(query_id))),
        )

    def _memory(self, query_id: str) -> WhyUsed | None:
        with suppress(NotFoundError):
            return self.memory.why(query_id)
        return None

    def _receipt(self, seq: int | None) -> ProofOfEntry | None:
        if seq is None:
            return None
        with suppress(NotFoundError):
            return ProofOfEntry(seq, self.audit.entry(seq)[0].level)
        return None


def _line(found: Found) -> QuestionLine:
    return QuestionLine(found.query_id, found.text, found.status, found.level, found.at, found.trace_id)


def _answers(asked: "Answered", marks: Mapping[str, Mark]) -> tuple[AnswerShown, ...]:
    said = asked.said()
    return tuple(
        _answer(each, said.get(each.run_id), marks.get(each.run_id), shown=each is asked.shown)
        for each in asked.answers
    )


def _answer(answer: Answer, candidate: str | None, mark: Mark | None, *, shown: bool) -> AnswerShown:
    usage = answer.usage
    return AnswerShown(
        run_id=answer.run_id,
        seat=answer.seat.name,
        model=answer.seat.model,
        digest=answer.seat.digest,
        engine=answer.provenance.engine,
        text=answer.text,
        explanation=answer.explanation,
        stated_confidence=answer.stated_confidence,
        abstained=answer.abstained,
        failure=answer.failure,
        attempts=answer.attempts,
        first_token_ms=usage.first_token_ms,
        total_ms=usage.total_ms,
        tokens_in=usage.tokens_in,
        tokens_out=usage.tokens_out,
        cost_micros=usage.cost_micros,
        candidate=candidate,
        shown=shown,
        p=mark.p if mark else None,
        right=mark.right if mark else None,
    )


def _decision(asked: "Answered", row: QuestionKept) -> DecisionShown:
    decision, today = asked.joined, representatives(asked.merges)
    without = {seat: other and today.get(other, other) for seat, other in row.without.items()}
    return DecisionShown(
        candidates=tuple(_candidate(each, chosen=each.id == decision.chosen) for each in decision.candidates),
        chosen=decision.chosen,
        shown_seat=decision.shown_seat,
        confidence=decision.confidence.label,
        p=decision.confidence.p,
        calibrated=decision.confidence.p is not None,
        policy=decision.policy,
        reason=row.rationale,
        effective_votes=decision.effective_votes,
        without=tuple(Absence(seat, other, turns=other != decision.chosen) for seat, other in without.items()),
    )


def _candidate(candidate: Candidate, *, chosen: bool) -> CandidateShown:
    return CandidateShown(candidate.id, candidate.text, candidate.supporters, candidate.score, candidate.p, chosen)
