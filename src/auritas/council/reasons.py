"""The trace of one question: what was seen, considered and chosen, and why."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Protocol

from auritas.council.choice.snapshot import Snapshot
from auritas.council.model import Question
from auritas.kernel.answers import AccuracyLevel, Answer, Candidate, Decision, Review
from auritas.kernel.memory import MemoryUse, UseReason
from auritas.kernel.text import counted, one_line
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
NOT_SURE = "not_sure_enough"
ABANDONED = "abandoned"
"""Its process ended, by a power cut or a kill, before the question was answered."""
MEMORY = "memory"
"""The kind of a signal that begins with the id of a correction."""


class Deliberated(Protocol):
    """A question with everything that was found about it."""

    @property
    def question(self) -> Question:
        """What was asked."""

    @property
    def answers(self) -> Sequence[Answer]:
        """What the members said."""

    @property
    def decision(self) -> Decision:
        """What was decided."""

    @property
    def learned(self) -> Snapshot:
        """What it was decided by."""

    @property
    def reviews(self) -> Sequence[Review]:
        """What blind reviewers said."""

    @property
    def opinions(self) -> Sequence[str]:
        """What blind comparisons said, as sentences."""

    @property
    def domains(self) -> Mapping[str, float]:
        """What the question is about."""

    @property
    def told(self) -> Sequence[MemoryUse]:
        """What of memory was in the prompts, and what was left out because the person said so."""


def trace_of(seen: Deliberated, shape_rule: str, *, trace_id: str, ts: datetime) -> Trace:
    """Return the reasons of a decision; a question that nobody answered is a refusal and says so."""
    decision = seen.decision
    refused = decision.chosen is None
    reason_code = NO_ANSWER if refused else NOT_SURE if decision.abstains else None
    return Trace(
        trace_id=trace_id,
        ts=ts,
        kind=TraceKind.REFUSAL if refused else TraceKind.ASK,
        trigger=_trigger(seen.question),
        signals=(
            *_about(seen, shape_rule),
            *map(_told, seen.told),
            *map(_signal, seen.answers),
            *_second_look(seen),
            *_absent(seen),
        ),
        candidates=tuple(_candidate(c, seen) for c in decision.candidates),
        chosen=decision.chosen,
        rationale=one_line(
            f"{decision.reason} Confidence {decision.confidence.label}: {decision.confidence.basis}.", RATIONALE_LIMIT
        ),
        rationale_source=RationaleSource.POLICY,
        reason_code=reason_code,
        outcome=Outcome.FAILED if refused else Outcome.EXECUTED_AUTO,
        remedies=_remedies(seen),
    )


def ended_early(question: Question, answers: Sequence[Answer], status: str, *, trace_id: str, ts: datetime) -> Trace:
    """Return the reasons of a question that was stopped, or failed, before anything was chosen: `status` says which."""
    ended = counted(len(answers), "member")
    return Trace(
        trace_id=trace_id,
        ts=ts,
        kind=TraceKind.REFUSAL,
        trigger=_trigger(question),
        signals=tuple(_signal(answer) for answer in answers),
        candidates=(),
        chosen=None,
        rationale=f"The question was {status} before anything was chosen, when {ended} had ended.",
        rationale_source=RationaleSource.POLICY,
        reason_code=status,
        outcome=Outcome.FAILED,
        remedies=("Ask again: what had been answered is kept, and nothing was chosen.",),
    )


def abandoned(question: Question, *, trace_id: str, ts: datetime) -> Trace:
    """Return the reasons of a question whose process ended before it was answered, and so wrote nothing of it."""
    return Trace(
        trace_id=trace_id,
        ts=ts,
        kind=TraceKind.REFUSAL,
        trigger=_trigger(question),
        signals=(),
        candidates=(),
        chosen=None,
        rationale="Auritas ended before this question was answered, so nothing was chosen.",
        rationale_source=RationaleSource.POLICY,
        reason_code=ABANDONED,
        outcome=Outcome.FAILED,
        remedies=("Ask again: nothing of what members may have said was kept.",),
    )


def _trigger(question: Question) -> str:
    return f"You asked: {one_line(question.text, 200)} (level {question.level})"


def _about(seen: Deliberated, shape_rule: str) -> tuple[Signal, ...]:
    shares = sorted(seen.domains.items(), key=lambda pair: (-pair[1], pair[0]))
    domains = ", ".join(f"{node} {share:.2f}" for node, share in shares) or "not classified"
    asked = f"{seen.question.shape} question: {shape_rule}" if shape_rule else f"{seen.question.shape} question"
    learned = f"{counted(seen.learned.grades, 'graded question')}; rule {seen.decision.policy}"
    return (Signal("domains", domains), Signal("shape", asked), Signal("learned from", learned))


def _told(use: MemoryUse) -> Signal:
    """Name what is remembered by its id alone: whoever shows the trace adds the words, as long as they are there."""
    why = (
        "left out here, because you asked for it" if use.reason is UseReason.LEFT_OUT else use.reason.replace("_", " ")
    )
    return Signal(MEMORY, f"{use.correction.id} ({why}; score {use.score:.2f}, relevance {use.factors.relevance:.2f})")


def _signal(answer: Answer) -> Signal:
    if answer.failure:
        return Signal(answer.seat.name, f"failed: {one_line(answer.failure.message, 160)}")
    if answer.abstained:
        return Signal(answer.seat.name, "abstained: the question is not its own")
    return Signal(answer.seat.name, f"said {one_line(answer.text, 160)} in {answer.usage.total_ms:.0f} ms")


def _reviewed(review: Review) -> Signal:
    issues = f": {one_line('; '.join(review.issues), 160)}" if review.issues else ""
    return Signal(f"review by {review.reviewer}", f"{review.verdict.replace('_', ' ')}{issues}")


def _second_look(seen: Deliberated) -> tuple[Signal, ...]:
    compared = (Signal("compared blind", one_line(opinion, 160)) for opinion in seen.opinions)
    return (*map(_reviewed, seen.reviews), *compared)


def _absent(seen: Deliberated) -> tuple[Signal, ...]:
    """Say who alone made the difference: without whom something else would have been chosen."""
    decision = seen.decision
    text = {candidate.id: one_line(candidate.text, 60) for candidate in decision.candidates}
    turned = {seat: other for seat, other in decision.without.items() if other != decision.chosen}
    if not decision.without:
        return ()
    if not turned:
        return (Signal("without any one member", "the same would have been chosen"),)
    return tuple(
        Signal(
            f"without {seat}", f"{text.get(other, other)} would have been chosen" if other else "nobody had answered"
        )
        for seat, other in turned.items()
    )


def _candidate(candidate: Candidate, seen: Deliberated) -> TraceCandidate:
    nodes = seen.question.domains
    weights = seen.learned.weights
    components = {seat: weights.vote(seat, nodes) for seat in candidate.supporters}
    if candidate.p is not None:
        components["P" if seen.learned.calibrated else "score"] = candidate.p
    return TraceCandidate(candidate.id, one_line(candidate.text, 160), candidate.score, components)


def _remedies(seen: Deliberated) -> tuple[str, ...]:
    decision, offers = seen.decision, ["Check that nothing was changed since: auritas audit verify"]
    if any(answer.failure for answer in seen.answers):
        offers.append("See why a member failed: auritas models test SEAT, or auritas doctor")
    if decision.chosen is None:
        offers.append("Install models: auritas models get standard")
        return tuple(offers)
    if len(decision.candidates) > 1:
        offers.append("Compare the answers: auritas compare; say which is right: auritas pick SEAT")
    offers.append("Say whether it is right: auritas grade right, or auritas grade wrong")
    if seen.told:
        offers.append("See what of memory entered, and why: auritas memory why")
    if seen.question.level is not AccuracyLevel.MAXIMUM:
        harder = "maximum" if seen.question.level is AccuracyLevel.HIGH else "high"
        offers.append(f"Ask more thoroughly: auritas ask --level {harder}")
    return tuple(offers)
