"""Questions, runs and reasons in the store, each written with its audit entries."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy import bindparam, insert, select, update

from auritas.council.adapters.turns_sql import Turns
from auritas.council.choice.offered import oddness, offered
from auritas.council.model import Question
from auritas.council.options import form_of, options_of
from auritas.council.reasons import abandoned
from auritas.kernel.answers import AccuracyLevel, Answer, AskResult, Decision, QuestionShape, Seat
from auritas.kernel.canonical import Scalar, canonical
from auritas.kernel.clock import Clock, timestamp
from auritas.kernel.errors import NotFoundError
from auritas.kernel.ids import Ids
from auritas.kernel.log import Kind, Log, LogEvent, Receipt
from auritas.kernel.model import Role
from auritas.kernel.trace import Trace, from_document, to_document
from auritas.store import Unit
from auritas.store import schema as t

INTERRUPTED, FAILED = "interrupted", "failed"
_QUERY, _RUNS, _TRACE = insert(t.queries), insert(t.model_runs), insert(t.traces)
# One that was given up and is answered after all, by a process that slept meanwhile, is finished; what ended stays so.
_CLOSE = update(t.queries).where(
    t.queries.c.query_id == bindparam("closed"), t.queries.c.status.in_(("started", INTERRUPTED))
)
_LEFT = (
    select(t.queries, t.messages.c.content.label("text"))
    .outerjoin(t.messages, t.messages.c.message_id == t.queries.c.question_message_id)
    .where(t.queries.c.status == "started", t.queries.c.created_at < bindparam("before"))
)


@dataclass(frozen=True, slots=True)
class Noted:
    """What was seen of a question besides its domains; see `choice.model.Situation`. weight: of the reports, λ."""

    aspects: Mapping[str, float] = field(default_factory=dict)
    reports: Mapping[str, float] = field(default_factory=dict)
    weight: float = 0.0


@dataclass(frozen=True, slots=True)
class Opening:
    """How a question enters its conversation.

    is_new: the conversation begins with it. project_id: which it then joins. said: the message as it was typed, where
    that is more than the question. asked_in: the message that asked it already, for a question that is asked again.
    edited_from: the message of which it is another wording, in a branch. temporary: the conversation leaves nothing.
    """

    is_new: bool = False
    project_id: str | None = None
    said: str = ""
    asked_in: str | None = None
    edited_from: str | None = None
    temporary: bool = False


@dataclass(frozen=True, slots=True)
class CouncilRecords:
    """Writes what happened to a question. Every method works inside the unit of work it is given."""

    log: Log[Unit]
    clock: Clock
    ids: Ids

    @property
    def turns(self) -> Turns:
        """The messages."""
        return Turns(self.clock, self.ids)

    def open_question(self, unit: Unit, question: Question, seats: Sequence[Seat], opening: Opening) -> str:
        """Write the user's message and the question, before anybody is asked; return the message's id."""
        if opening.is_new:
            self.turns.begin(
                unit, question.conversation_id, question.text, opening.project_id, temporary=opening.temporary
            )
        message_id = opening.asked_in or self.turns.write(
            unit,
            question.conversation_id,
            Role.USER,
            opening.said or question.text,
            edited_from=opening.edited_from,
        )
        now = timestamp(self.clock.now())
        unit.connection.execute(
            _QUERY,
            {
                "query_id": question.query_id,
                "conversation_id": question.conversation_id,
                "question_message_id": message_id,
                "level": question.level,
                "shape": question.shape,
                "created_at": now,
            },
        )
        refs: dict[str, Scalar] = {
            "query_id": question.query_id,
            "conversation_id": question.conversation_id,
            "level": question.level.value,
            "members": len(seats),
        }
        self.log.append(unit, [LogEvent(Kind.QUERY, "user", refs, question.text)])
        return message_id

    def close_question(
        self,
        unit: Unit,
        question: Question,
        result: AskResult,
        trace: Trace,
        noted: Noted,
    ) -> Receipt:
        """Write answer, runs, trace and audit entries; the receipt is the trace's. noted: what learning reads."""
        message_id = self._answer_message(unit, question, result)
        answers, decision = result.answers, result.decision
        self.runs(unit, question, answers, decision=decision, trace_id=trace.trace_id)
        receipt = self._trace(unit, question, trace)
        values = {
            "message_id": message_id,
            "trace_id": trace.trace_id,
            "status": "finished" if result.decision.chosen else FAILED,
            "cost_micros": result.cost_micros,
            "degraded": json.dumps(list(result.degraded)),
            "domains": json.dumps(dict(result.domains)),
            "decision": json.dumps(_document(result, noted), ensure_ascii=False),
            "policy": decision.policy,
            "p_right": decision.confidence.p,
            "asks_grade": result.asks_grade,
        }
        self._update(unit, question, values)
        return receipt

    def cut_short(
        self, unit: Unit, question: Question, answers: Sequence[Answer], status: str, trace: Trace
    ) -> Receipt | None:
        """Write what had been answered when a question was interrupted or failed, with its trace.

        None: its conversation was deleted while it was answered, so nothing of it is kept.
        """
        asked = select(t.queries.c.query_id).where(t.queries.c.query_id == question.query_id)
        if unit.connection.execute(asked).first() is None:
            return None
        self.runs(unit, question, answers, decision=None, trace_id=trace.trace_id)
        receipt = self._trace(unit, question, trace)
        self._update(unit, question, {"status": status, "trace_id": trace.trace_id})
        return receipt

    def runs(
        self, unit: Unit, question: Question, answers: Sequence[Answer], *, decision: Decision | None, trace_id: str
    ) -> None:
        """Write one run an answer, abstentions and failures included."""
        if not answers:
            return
        now = timestamp(self.clock.now())
        rows = [_run(question, answer, now, decision) for answer in answers]
        unit.connection.execute(_RUNS, rows)
        self.log.append(unit, [_run_event(question, answer, trace_id) for answer in answers])

    def trace(self, unit: Unit, trace_id: str) -> Trace:
        """Return a stored trace. Raises NotFoundError."""
        row = unit.connection.execute(select(t.traces.c.document).where(t.traces.c.trace_id == trace_id)).first()
        if row is None:
            raise NotFoundError(f"There is no trace {trace_id!r}.", remedy="Trace ids look like tr_abc123def456.")
        return from_document(json.loads(row.document))

    def left_open(self, unit: Unit, before: datetime) -> Sequence[Question]:
        """Return the questions that were asked before a moment and never ended: their process has died."""
        rows = unit.connection.execute(_LEFT, {"before": timestamp(before)})
        return tuple(
            Question(
                row.query_id,
                row.conversation_id,
                row.text or "",
                AccuracyLevel(row.level),
                shape=QuestionShape(row.shape),
            )
            for row in rows
        )

    def give_up(self, unit: Unit, before: datetime) -> None:
        """Mark the questions that were left open as interrupted, each with a trace that says so."""
        for question in self.left_open(unit, before):
            trace = abandoned(question, trace_id=self.ids.trace(), ts=self.clock.now())
            self.cut_short(unit, question, (), INTERRUPTED, trace)

    def _update(self, unit: Unit, question: Question, values: Mapping[str, object]) -> None:
        unit.connection.execute(_CLOSE, {"closed": question.query_id, **values})
        self.turns.touch(unit, question.conversation_id)

    def _answer_message(self, unit: Unit, question: Question, result: AskResult) -> str | None:
        if result.decision.winner is None:
            return None
        return self.turns.write(
            unit,
            question.conversation_id,
            Role.ASSISTANT,
            result.reply,
            models_used=json.dumps([answer.seat.name for answer in result.answers]),
            accuracy_level=question.level,
            confidence=result.decision.confidence.label,
            callout_type="disagreement" if len(result.decision.candidates) > 1 else None,
        )

    def _trace(self, unit: Unit, question: Question, trace: Trace) -> Receipt:
        document = json.dumps(to_document(trace), ensure_ascii=False)
        refs = {"trace_id": trace.trace_id, "query_id": question.query_id, "outcome": trace.outcome.value}
        receipt = self.log.append(unit, [LogEvent(Kind.TRACE, "system", refs, document)])[0]
        unit.connection.execute(
            _TRACE,
            {
                "trace_id": trace.trace_id,
                "ts": timestamp(trace.ts),
                "kind": trace.kind,
                "query_id": question.query_id,
                "conversation_id": question.conversation_id,
                "document": document,
                "audit_seq": receipt.seq,
            },
        )
        return receipt


def _document(result: AskResult, noted: Noted) -> dict[str, object]:
    """Return the decision as learning and comparing read it back."""
    decision = result.decision
    odd, offers = oddness(offered(result.question)), options_of(result.question)
    forms = {candidate.id: form_of(candidate.text, offers) for candidate in decision.candidates}
    return {
        "candidates": [
            {
                "id": candidate.id,
                "text": candidate.text,
                "supporters": list(candidate.supporters),
                "score": candidate.score,
                "p": candidate.p,
                "form": forms[candidate.id],
                "oddness": odd.get(forms[candidate.id], 0.0),
            }
            for candidate in decision.candidates
        ],
        "chosen": decision.chosen,
        "basis": decision.confidence.basis,
        "silent": [a.seat.name for a in result.answers if not a.votes and not a.abstained],
        "abstained": [a.seat.name for a in result.answers if a.abstained],
        "effective_votes": decision.effective_votes,
        "without": dict(decision.without),
        "aspects": dict(noted.aspects),
        "reports": dict(noted.reports),
        "reports_weight": noted.weight,
    }


def _run(question: Question, answer: Answer, now: str, decision: Decision | None) -> dict[str, object]:
    usage, made_by = answer.usage, answer.provenance
    candidates = decision.candidates if decision else ()
    mine = next((candidate for candidate in candidates if answer.seat.name in candidate.supporters), None)
    domain = max(question.domains, key=lambda node: (question.domains[node], node), default=None)
    return {
        "run_id": answer.run_id,
        "query_id": question.query_id,
        "conversation_id": question.conversation_id,
        "specialist": answer.seat.name,
        "model": answer.seat.model,
        "digest": made_by.model_digest or answer.seat.digest,
        "engine": made_by.engine,
        "seed": made_by.seed,
        "vcg_winner": decision is not None and answer.seat.name == decision.shown_seat,
        "vcg_welfare_score": mine.score if mine else None,
        "confidence_score": mine.p if mine else None,
        "candidate": mine.id if mine else None,
        "domains_said": json.dumps(list(answer.domains), ensure_ascii=False),
        "stated_confidence": answer.stated_confidence,
        "latency_ms": usage.first_token_ms,
        "total_ms": usage.total_ms,
        "tokens_in": usage.tokens_in,
        "tokens_out": usage.tokens_out,
        "cost_micros": usage.cost_micros,
        "attempts": answer.attempts,
        "text": answer.text,
        "explanation": answer.explanation,
        "abstained": answer.abstained,
        "error": answer.failure.code if answer.failure else None,
        "domain": domain or question.topic,
        "created_at": now,
    }


def _run_event(question: Question, answer: Answer, trace_id: str) -> LogEvent:
    ended = "failed" if answer.failure else "abstained" if answer.abstained else "answered"
    refs: dict[str, Scalar] = {
        "run_id": answer.run_id,
        "query_id": question.query_id,
        "specialist": answer.seat.name,
        "model_digest": answer.provenance.model_digest or answer.seat.digest,
        "engine": answer.provenance.engine,
        "grammar_digest": answer.provenance.grammar_digest,
        "seed": answer.provenance.seed,
        "ended": ended,
        "tokens_in": answer.usage.tokens_in,
        "tokens_out": answer.usage.tokens_out,
        "cost_micros": answer.usage.cost_micros,
        "trace_id": trace_id,
    }
    body = canonical({"text": answer.text, "explanation": answer.explanation}).decode() if answer.text else ""
    return LogEvent(Kind.RUN, answer.seat.name, {k: v for k, v in refs.items() if v not in (None, "")}, body)
