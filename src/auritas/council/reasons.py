"""The trace of one question: what was seen, considered and chosen, and why."""

from collections.abc import Sequence
from datetime import datetime

from auritas.council.model import Member, Question
from auritas.council.policy import vote_weight
from auritas.kernel.answers import AccuracyLevel, Answer, Candidate, Decision
from auritas.kernel.text import one_line
from auritas.kernel.trace import (
    RATIONALE_LIMIT,
    Outcome,
    RationaleSource,
    Signal,
    Trace,
    TraceCandidate,
    TraceKind,
)

NO_ANSWER = "no_answer"


def trace_of(
    question: Question,
    members: Sequence[Member],
    answers: Sequence[Answer],
    decision: Decision,
    *,
    trace_id: str,
    ts: datetime,
) -> Trace:
    """Return the reasons of `decision`; a question that nobody answered is a refusal and says so."""
    weights = {m.seat.name: vote_weight(m, question.topic) for m in members}
    refused = decision.chosen is None
    return Trace(
        trace_id=trace_id,
        ts=ts,
        kind=TraceKind.REFUSAL if refused else TraceKind.ASK,
        trigger=_trigger(question),
        signals=tuple(_signal(answer) for answer in answers),
        candidates=tuple(_candidate(c, weights) for c in decision.candidates),
        chosen=decision.chosen,
        rationale=one_line(
            f"{decision.reason} Confidence {decision.confidence.label}: {decision.confidence.basis}.", RATIONALE_LIMIT
        ),
        rationale_source=RationaleSource.POLICY,
        reason_code=NO_ANSWER if refused else None,
        outcome=Outcome.FAILED if refused else Outcome.EXECUTED_AUTO,
        remedies=_remedies(question, answers, decision),
    )


def ended_early(question: Question, answers: Sequence[Answer], status: str, *, trace_id: str, ts: datetime) -> Trace:
    """Return the reasons of a question that was stopped, or failed, before anything was chosen: `status` says which."""
    return Trace(
        trace_id=trace_id,
        ts=ts,
        kind=TraceKind.REFUSAL,
        trigger=_trigger(question),
        signals=tuple(_signal(answer) for answer in answers),
        candidates=(),
        chosen=None,
        rationale=f"The question was {status} before anything was chosen; {len(answers)} members had ended by then.",
        rationale_source=RationaleSource.POLICY,
        reason_code=status,
        outcome=Outcome.FAILED,
        remedies=("Ask again: what had been answered is kept, and nothing was chosen.",),
    )


def _trigger(question: Question) -> str:
    return f"You asked: {one_line(question.text, 200)} (level {question.level}, topic {question.topic})"


def _signal(answer: Answer) -> Signal:
    if answer.failure:
        return Signal(answer.seat.name, f"failed: {one_line(answer.failure.message, 160)}")
    if answer.abstained:
        return Signal(answer.seat.name, "abstained: the question is not its own")
    return Signal(answer.seat.name, f"said {one_line(answer.text, 160)} in {answer.usage.total_ms:.0f} ms")


def _candidate(candidate: Candidate, weights: dict[str, float]) -> TraceCandidate:
    components = {seat: weights.get(seat, 0.0) for seat in candidate.supporters}
    return TraceCandidate(candidate.id, one_line(candidate.text, 160), candidate.score, components)


def _remedies(question: Question, answers: Sequence[Answer], decision: Decision) -> tuple[str, ...]:
    offers = ["Check that nothing was changed since: auritas audit verify"]
    if any(answer.failure for answer in answers):
        offers.append("See why a member failed: auritas models test SEAT, or auritas doctor")
    if decision.chosen is None:
        offers.append("Install models: auritas models get standard")
    elif question.level in {AccuracyLevel.FAST, AccuracyLevel.BALANCED}:
        offers.append("Ask everyone: auritas ask --level high")
    return tuple(offers)
