"""What of memory entered which prompt, as it was kept with the runs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Row, desc, distinct, func, insert, or_, select

from auritas.kernel.clock import from_timestamp
from auritas.kernel.memory import FACTORS, Factors, HandoffNote, Passage, UseReason
from auritas.store import Unit
from auritas.store import schema as t

NOTE, PASSAGE = "note", "passage"


@dataclass(frozen=True, slots=True)
class Weighed:
    """One correction as it was weighed for a question. Its words are read anew elsewhere: they may be erased by now."""

    correction_id: str
    factors: Factors
    score: float
    injected: bool
    reason: UseReason
    tokens: int


@dataclass(frozen=True, slots=True)
class Entered:
    """Something else of the past in a prompt: a note or a passage, by its id."""

    seat: str
    kind: str
    ref_id: str
    score: float | None


@dataclass(frozen=True, slots=True)
class Used:
    """What memory gave to one question. run_id: of the run that was named, or of the answer that was shown."""

    query_id: str
    run_id: str
    seat: str
    question: str
    weighed: tuple[Weighed, ...]
    entered: tuple[Entered, ...]


@dataclass(frozen=True, slots=True)
class Application:
    """A question into whose prompts a correction entered. at: when it was asked."""

    query_id: str
    conversation_id: str
    question: str
    at: datetime
    score: float


def keep_context(
    unit: Unit, runs: Mapping[str, str], passages: Sequence[Passage], notes: Mapping[str, HandoffNote]
) -> None:
    """Write which passages and notes each run had. runs: ids by seat; notes: by seat."""
    rows: list[dict[str, Any]] = [
        {"run_id": run_id, "kind": PASSAGE, "ref_id": passage.message_id, "score": passage.score, "tokens": 0}
        for run_id in runs.values()
        for passage in passages
    ]
    rows += [
        {"run_id": runs[seat], "kind": NOTE, "ref_id": note.id, "score": None, "tokens": note.tokens}
        for seat, note in notes.items()
        if seat in runs
    ]
    if rows:
        unit.connection.execute(insert(t.run_context), rows)


def used(unit: Unit, query_id: str, run_id: str | None = None) -> Used | None:
    """Return what entered the prompts of a question; of one run where it is named, else of the run that was shown."""
    runs, queries, asked = t.model_runs.c, t.queries.c, t.messages
    query = (
        select(runs.run_id, runs.specialist, asked.c.content)
        .join(t.queries, queries.query_id == runs.query_id)
        .outerjoin(asked, asked.c.message_id == queries.question_message_id)
        .where(runs.query_id == query_id, runs.round == "answer")
    )
    if run_id is not None:
        query = query.where(runs.run_id == run_id)
    has_memory = select(t.run_memory.c.run_id).where(t.run_memory.c.run_id == runs.run_id).exists()
    row = unit.connection.execute(query.order_by(desc(has_memory), desc(runs.vcg_winner), runs.run_id)).first()
    if row is None:
        return None
    return Used(query_id, row[0], row[1], row[2] or "", _weighed(unit, row[0]), _entered(unit, query_id))


def runs_named(unit: Unit, name: str, limit: int) -> tuple[tuple[str, str], ...]:
    """Return (run, question) of runs whose id, or whose question's or trace's id, begins with `name`; newest first."""
    runs, queries = t.model_runs.c, t.queries.c
    begins = or_(*(column.startswith(name, autoescape=True) for column in (runs.run_id, queries.query_id)))
    query = (
        select(runs.run_id, runs.query_id)
        .join(t.queries, queries.query_id == runs.query_id)
        .where(or_(begins, queries.trace_id.startswith(name, autoescape=True)))
        .order_by(desc(runs.created_at), runs.run_id)
        .limit(limit)
    )
    return tuple((row[0], row[1]) for row in unit.connection.execute(query))


def _weighed(unit: Unit, run_id: str) -> tuple[Weighed, ...]:
    rows = t.run_memory.c
    query = select(t.run_memory).where(rows.run_id == run_id).order_by(desc(rows.injected), desc(rows.score))
    return tuple(_row(row) for row in unit.connection.execute(query))


def _entered(unit: Unit, query_id: str) -> tuple[Entered, ...]:
    context, runs = t.run_context.c, t.model_runs.c
    query = (
        select(runs.specialist, context.kind, context.ref_id, context.score)
        .join(t.model_runs, runs.run_id == context.run_id)
        .where(runs.query_id == query_id)
        .order_by(context.kind, desc(context.score), runs.specialist)
    )
    return tuple(Entered(*row) for row in unit.connection.execute(query))


def _row(row: Row[Any]) -> Weighed:
    factors = Factors(**{name: getattr(row, name) for name in FACTORS})
    reason = UseReason(row.reason) if row.reason else UseReason.RULE_IN_SCOPE
    return Weighed(row.correction_id, factors, row.score, bool(row.injected), reason, row.tokens)


def conversation_of(unit: Unit, message_id: str) -> str | None:
    """Return the conversation of a message, or None when it is gone."""
    m = t.messages.c
    return unit.connection.execute(select(m.conversation_id).where(m.message_id == message_id)).scalar()


def passage_of(unit: Unit, message_id: str, score: float) -> Passage | None:
    """Return a recalled message as it reads now, or None when it is gone."""
    m = t.messages.c
    query = select(m.conversation_id, m.content, m.created_at).where(m.message_id == message_id)
    row = unit.connection.execute(query).first()
    if row is None:
        return None
    return Passage(message_id, row.conversation_id, row.content, from_timestamp(row.created_at), score)


def applications(unit: Unit, correction_id: str, limit: int, before: str | None = None) -> tuple[Application, ...]:
    """Return the questions into whose prompts a correction entered, newest first. before: ids smaller than this one."""
    memory, runs, queries, asked = t.run_memory.c, t.model_runs.c, t.queries, t.messages.c
    query = (
        select(
            queries.c.query_id,
            queries.c.conversation_id,
            func.coalesce(asked.content, "").label("question"),
            queries.c.created_at,
            func.max(memory.score).label("score"),
        )
        .select_from(t.run_memory)
        .join(t.model_runs, runs.run_id == memory.run_id)
        .join(queries, queries.c.query_id == runs.query_id)
        .outerjoin(t.messages, asked.message_id == queries.c.question_message_id)
        .where(memory.correction_id == correction_id, memory.injected == True)  # noqa: E712  SQL
        .group_by(queries.c.query_id)
        .order_by(desc(queries.c.query_id))
        .limit(limit)
    )
    if before is not None:
        query = query.where(queries.c.query_id < before)
    return tuple(
        Application(row.query_id, row.conversation_id, row.question, from_timestamp(row.created_at), row.score)
        for row in unit.connection.execute(query)
    )


def entered_counts(unit: Unit, query_ids: Sequence[str]) -> Mapping[str, int]:
    """Return how many corrections entered the prompts of each of these questions; those without any are left out."""
    memory, runs = t.run_memory.c, t.model_runs.c
    query = (
        select(runs.query_id, func.count(distinct(memory.correction_id)))
        .join(t.run_memory, memory.run_id == runs.run_id)
        .where(runs.query_id.in_(query_ids), memory.injected == True)  # noqa: E712  SQL
        .group_by(runs.query_id)
    )
    return {row[0]: row[1] for row in unit.connection.execute(query)}
