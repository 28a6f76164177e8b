"""Where else the words of a correction stand, and how those places are emptied when it is erased everywhere."""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Select, delete, func, or_, select

from auritas.kernel.memory import Correction
from auritas.memory.adapters.forgetting_sql import Forgetting
from auritas.memory.slots import topic
from auritas.store import Unit
from auritas.store import schema as t

TELLING_CHARACTERS = 4
"""Of a word that gives away what was remembered; shorter ones only where they hold a digit."""


@dataclass(frozen=True, slots=True)
class Repeated:
    """Places that say the words of a correction: messages, the questions that they belong to, and notes."""

    message_ids: tuple[str, ...] = ()
    query_ids: tuple[str, ...] = ()
    note_ids: tuple[str, ...] = ()

    @property
    def messages(self) -> int:
        """How many messages."""
        return len(self.message_ids)

    @property
    def questions(self) -> int:
        """How many questions."""
        return len(self.query_ids)


def repeats(unit: Unit, correction: Correction, source: str | None) -> Repeated:
    """Return where the words of a correction stand: in full anywhere, and in part where it had entered the prompt.

    source: the message in which it was said.
    """
    phrases = {text for text in (correction.claim, correction.instruction) if text}
    told = _entered(unit, correction.id)
    words = telling(correction)
    m, runs = t.messages.c, t.model_runs.c
    found = set(_ids(unit, select(m.message_id).where(_holds(m.content, phrases))))
    found.update([source] if source else [])
    asked_with = select(t.queries.c.message_id).where(t.queries.c.query_id.in_(told))
    if told and words:
        found.update(_ids(unit, select(m.message_id).where(m.message_id.in_(asked_with), _holds(m.content, words))))
    said = or_(_holds(runs.text, phrases), _holds(runs.explanation, phrases))
    questions = set(_ids(unit, select(runs.query_id).where(said)))
    if told and words:
        partly = or_(_holds(runs.text, words), _holds(runs.explanation, words))
        questions.update(_ids(unit, select(runs.query_id).where(runs.query_id.in_(told), partly)))
    questions.update(_of_messages(unit, found))
    found.update(_shown(unit, questions))
    notes = _ids(
        unit, select(t.context_backups.c.backup_id).where(_holds(t.context_backups.c.backup_text, phrases | words))
    )
    return Repeated(tuple(sorted(found)), tuple(sorted(questions)), tuple(sorted(notes)))


def telling(correction: Correction) -> frozenset[str]:
    """Return the words of a correction that its question does not say: what an answer can repeat of it."""
    asked = topic(correction.canonical_query)
    words = topic(correction.claim) - asked
    return frozenset(word for word in words if len(word) >= TELLING_CHARACTERS or re.search(r"\d", word))


def forget(unit: Unit, forgetting: Forgetting, found: Repeated) -> None:
    """Remove the questions and messages for good, with their runs, reasons, notes and the words in the log."""
    ids = forgetting.named_by(unit, found.query_ids, found.message_ids) | set(found.note_ids)
    traces = t.traces.c
    _each(unit, t.context_backups.c.backup_id, found.note_ids)
    _each(unit, traces.query_id, found.query_ids)
    _each(unit, t.queries.c.query_id, found.query_ids)
    _each(unit, t.messages.c.message_id, found.message_ids)
    forgetting.silence(unit, ids, spared=(), domain_events=())


def _entered(unit: Unit, correction_id: str) -> list[str]:
    used, runs = t.run_memory.c, t.model_runs.c
    query = (
        select(func.distinct(runs.query_id))
        .join(t.run_memory, used.run_id == runs.run_id)
        .where(used.correction_id == correction_id, used.injected == True)  # noqa: E712  SQL
    )
    return [each for each in unit.connection.execute(query).scalars() if each]


def _of_messages(unit: Unit, message_ids: Collection[str]) -> list[str]:
    q = t.queries.c
    mine = or_(q.message_id.in_(message_ids), q.question_message_id.in_(message_ids))
    return _ids(unit, select(q.query_id).where(mine))


def _shown(unit: Unit, query_ids: Collection[str]) -> list[str]:
    q = t.queries.c
    return _ids(unit, select(q.message_id).where(q.query_id.in_(query_ids), q.message_id.is_not(None)))


def _ids(unit: Unit, query: Select[Any]) -> list[str]:
    return [each for each in unit.connection.execute(query).scalars() if each]


def _holds(column: ColumnElement[str], texts: Iterable[str]) -> ColumnElement[bool]:
    return or_(*(column.icontains(text, autoescape=True) for text in sorted(texts)))


def _each(unit: Unit, column: ColumnElement[str], ids: Sequence[str]) -> None:
    table = column.table
    for each in ids:
        unit.connection.execute(delete(table).where(column == each))
