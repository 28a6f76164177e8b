"""Questions of the past, read back from the store for comparing and grading."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Row, func, or_, select, update

from auritas.council.acts import ActKind, Answered, Merge, from_document
from auritas.council.candidates import candidates as grouped
from auritas.council.reasons import ABANDONED
from auritas.kernel.answers import (
    Answer,
    Candidate,
    Confidence,
    ConfidenceLabel,
    Decision,
    Failure,
    QuestionShape,
    Seat,
)
from auritas.kernel.clock import from_timestamp
from auritas.kernel.model import Provenance, Usage
from auritas.store import Unit
from auritas.store import schema as t

ANSWER_ROUND = "answer"
_ASKED = t.messages.alias("asked")
_REPLIED = t.messages.alias("replied")
_COLUMNS = (
    "query_id", "shape", "domains", "decision", "policy", "p_right", "status", "trace_id", "level", "created_at"
)  # fmt: skip
_QUESTION = (
    select(
        *(t.queries.c[name] for name in _COLUMNS),
        _ASKED.c.content.label("question"),
        _REPLIED.c.confidence.label("label"),
    )
    .outerjoin(_ASKED, _ASKED.c.message_id == t.queries.c.question_message_id)
    .outerjoin(_REPLIED, _REPLIED.c.message_id == t.queries.c.message_id)
)


@dataclass(frozen=True, slots=True)
class Found:
    """A question by id, words, state (`finished`, `failed`, `interrupted`, `started`), level and when it was asked.

    Its state is `abandoned` where it was interrupted because its process had ended, and not by a person.
    trace_id: None while it is being answered.
    """

    query_id: str
    text: str
    status: str
    level: str
    at: datetime
    trace_id: str | None


def find(
    unit: Unit, name: str, count: int, *, status: str | None = None, before: str | None = None
) -> tuple[Found, ...]:
    """Return up to `count` questions whose id, or whose trace's id, begins with `name`, newest first.

    Every id begins with an empty name; the order of ids is that of their making. status: only those in this state.
    before: only those that were asked before the question of this id.
    """
    query = _QUESTION.order_by(t.queries.c.query_id.desc()).limit(count)
    if name:
        ids = t.queries.c.query_id, t.queries.c.trace_id
        query = query.where(or_(*(each.startswith(name, autoescape=True) for each in ids)))
    if status is not None:
        query = query.where(t.queries.c.status == status)
    if before is not None:
        query = query.where(t.queries.c.query_id < before)
    rows = unit.connection.execute(query).all()
    states = states_of(unit, rows)
    return tuple(
        Found(
            row.query_id,
            row.question or "",
            states[row.query_id],
            row.level,
            from_timestamp(row.created_at),
            row.trace_id,
        )
        for row in rows
    )


def states_of(unit: Unit, rows: Sequence[Any]) -> Mapping[str, str]:
    """Return the state of each question of these rows of `queries`, by its id; see `Found`."""
    traces = t.traces.c
    cut = [row.trace_id for row in rows if row.status == "interrupted"]
    why = func.json_extract(traces.document, "$.reason_code")
    query = select(traces.trace_id).where(traces.trace_id.in_(cut), why == ABANDONED)
    left = frozenset(unit.connection.execute(query).scalars()) if cut else frozenset()
    return {row.query_id: ABANDONED if row.trace_id in left else row.status for row in rows}


def runs_of(unit: Unit, query_id: str) -> tuple[Answer, ...]:
    """Return what each member answered, by seat; reviews are no answers."""
    runs = t.model_runs.c
    query = select(t.model_runs).where(runs.query_id == query_id, runs.round == ANSWER_ROUND)
    return tuple(_answer(row) for row in unit.connection.execute(query.order_by(runs.specialist, runs.run_id)))


def answered(unit: Unit, query_id: str) -> Answered | None:
    """Return the question with its answers, its decision as it was made, and the merges that hold; None if unknown.

    The candidates of a question from before decisions were kept follow from the answers, as they did then.
    """
    row = unit.connection.execute(_QUESTION.where(t.queries.c.query_id == query_id)).first()
    if row is None:
        return None
    answers = runs_of(unit, query_id)
    return Answered(
        query_id=query_id,
        text=row.question or "",
        shape=QuestionShape(row.shape),
        answers=answers,
        decision=_decision(row, answers, _shown_seat(unit, query_id)),
        domains=json.loads(row.domains),
        merges=_merges(unit, query_id),
    )


def settle(unit: Unit, asked: Answered) -> None:
    """Write down the candidates of a question that has none yet, so that it can be learned from."""
    question = t.queries.c
    known = select(question.decision).where(question.query_id == asked.query_id, question.decision.is_not(None))
    if unit.connection.execute(known).first() is not None:
        return
    document = json.dumps(_document(asked), ensure_ascii=False)
    mine = update(t.queries).where(question.query_id == asked.query_id)
    unit.connection.execute(mine.values(decision=document))
    for candidate in asked.decision.candidates:
        supporting = t.model_runs.c.query_id == asked.query_id, t.model_runs.c.specialist.in_(candidate.supporters)
        unit.connection.execute(update(t.model_runs).where(*supporting).values(candidate=candidate.id))


def _document(asked: Answered) -> dict[str, object]:
    heard = {seat for c in asked.decision.candidates for seat in c.supporters}
    mute = [a for a in asked.answers if a.seat.name not in heard]
    return {
        "candidates": [{"id": c.id, "text": c.text, "supporters": c.supporters} for c in asked.decision.candidates],
        "silent": [a.seat.name for a in mute if not a.abstained],
        "abstained": [a.seat.name for a in mute if a.abstained],
    }


def _decision(row: Any, answers: Sequence[Answer], shown: str | None) -> Decision:
    document: Mapping[str, Any] = json.loads(row.decision) if row.decision else {}
    candidates = _candidates(document, answers)
    chosen = next((c.id for c in candidates if shown in c.supporters), None)
    label = ConfidenceLabel(row.label) if row.label else ConfidenceLabel.UNCERTAIN
    return Decision(
        candidates=tuple(sorted(candidates, key=lambda c: c.id != chosen)),
        chosen=chosen,
        shown_seat=shown,
        confidence=Confidence(label, "as it was said when the question was answered", row.p_right),
        policy=row.policy or "",
        reason="",
        effective_votes=document.get("effective_votes"),
    )


def _candidates(document: Mapping[str, Any], answers: Sequence[Answer]) -> tuple[Candidate, ...]:
    if "candidates" not in document:
        return tuple(Candidate(g.id, g.text, g.supporters, float(len(g.supporters))) for g in grouped(answers))
    return tuple(
        Candidate(c["id"], c["text"], tuple(c["supporters"]), float(c.get("score") or 0.0), c.get("p"))
        for c in document["candidates"]
    )


def _shown_seat(unit: Unit, query_id: str) -> str | None:
    runs = t.model_runs.c
    query = select(runs.specialist).where(runs.query_id == query_id, runs.round == ANSWER_ROUND, runs.vcg_winner)
    return unit.connection.execute(query).scalar()


def _merges(unit: Unit, query_id: str) -> tuple[Merge, ...]:
    acts = t.grading_acts.c
    query = select(acts.kind, acts.document).where(
        acts.query_id == query_id, acts.kind == ActKind.MERGE, acts.undone_at.is_(None)
    )
    said = [from_document(row.kind, json.loads(row.document)) for row in unit.connection.execute(query)]
    return tuple(act for act in said if isinstance(act, Merge))


def _answer(row: Row[Any]) -> Answer:
    columns = row._mapping  # noqa: SLF001  the public accessor of SQLAlchemy rows, despite its name
    error = columns["error"]
    return Answer(
        run_id=columns["run_id"],
        seat=Seat(columns["specialist"], columns["model"] or "", columns["digest"] or ""),
        text=columns["text"],
        explanation=columns["explanation"],
        stated_confidence=columns["stated_confidence"],
        domains=tuple(json.loads(columns["domains_said"])),
        usage=Usage(
            columns["tokens_in"],
            columns["tokens_out"],
            columns["cost_micros"],
            columns["latency_ms"],
            columns["total_ms"] or 0.0,
        ),
        provenance=Provenance(columns["engine"] or "", columns["digest"] or "", columns["seed"]),
        abstained=columns["abstained"],
        failure=Failure(error, f"It ended with {error}.") if error else None,
        attempts=columns["attempts"],
    )
