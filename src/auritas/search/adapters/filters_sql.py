"""Filters of a search as conditions on conversations (`c`) and messages (`m`)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, tzinfo
from typing import Any

from sqlalchemy import Connection

from auritas.kernel.clock import timestamp
from auritas.kernel.errors import nearest
from auritas.search.errors import UnknownFilterError
from auritas.search.query import Query

_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Conditions:
    """SQL conditions with their values: what a conversation must fulfil, and what a message must beside it."""

    conversation: tuple[str, ...] = ()
    message: tuple[str, ...] = ()
    conversation_values: tuple[Any, ...] = ()
    message_values: tuple[Any, ...] = ()

    def and_conversation(self) -> str:
        """Return the conditions as the end of a WHERE clause."""
        return "".join(f" AND {each}" for each in self.conversation)

    def and_message(self) -> str:
        """Return both kinds of conditions as the end of a WHERE clause."""
        return "".join(f" AND {each}" for each in (*self.conversation, *self.message))


def conditions(connection: Connection, query: Query, zone: tzinfo) -> Conditions:
    """Return the filters of a query. Raises UnknownFilterError for a name that is none.

    A conversation is before a day when it began before it, and after a day when it was changed on it or later; a
    message when it was written then. Days are those of `zone`.
    """
    found: list[tuple[str, tuple[Any, ...]]] = []
    if query.project is not None:
        found.append(_project(connection, query.project))
    if query.model is not None:
        found.append(_model(connection, query.model))
    if query.domain is not None:
        found.append(_domain(connection, query.domain))
    words: list[str] = []
    moments: list[str] = []
    if query.before is not None:
        start = _start_of(query.before, zone)
        found.append(("c.created_at < ?", (start,)))
        words.append("m.created_at < ?")
        moments.append(start)
    if query.after is not None:
        start = _start_of(query.after, zone)
        found.append(("c.updated_at >= ?", (start,)))
        words.append("m.created_at >= ?")
        moments.append(start)
    values = tuple(value for _, each in found for value in each)
    return Conditions(tuple(sql for sql, _ in found), tuple(words), values, tuple(moments))


def _start_of(day: date, zone: tzinfo) -> str:
    return timestamp(datetime.combine(day, time(), zone))


def _project(connection: Connection, name: str) -> tuple[str, tuple[Any, ...]]:
    rows = connection.exec_driver_sql("SELECT project_id, name FROM projects").all()
    wanted = name.casefold()
    ids = [row[0] for row in rows if wanted in (row[0].casefold(), row[1].casefold())]
    if not ids:
        raise _unknown("project", name, [row[1] for row in rows])
    return f"c.project_id IN ({_marks(ids)})", tuple(ids)


def _model(connection: Connection, name: str) -> tuple[str, tuple[Any, ...]]:
    asked = "SELECT DISTINCT specialist FROM model_runs UNION SELECT DISTINCT model FROM model_runs"
    known = [row[0] for row in connection.exec_driver_sql(asked) if row[0]]
    names = [each for each in known if each.casefold() == name.casefold()]
    if not names:
        raise _unknown("model", name, known)
    marks = _marks(names)
    runs = "SELECT 1 FROM model_runs AS r WHERE r.conversation_id = c.conversation_id"
    return f"EXISTS ({runs} AND (r.specialist IN ({marks}) OR r.model IN ({marks})))", (*names, *names)


def _domain(connection: Connection, name: str) -> tuple[str, tuple[Any, ...]]:
    asked = """WITH RECURSIVE below(id) AS (
            SELECT d.node_id FROM domain_nodes AS d WHERE lower(d.node_id) = lower(?)
            OR EXISTS (SELECT 1 FROM json_each(d.aliases) AS a WHERE lower(a.value) = lower(?))
            UNION SELECT d.node_id FROM domain_nodes AS d JOIN below ON d.parent_id = below.id)
        SELECT id FROM below"""
    ids = [row[0] for row in connection.exec_driver_sql(asked, (name, name))]
    if not ids:
        rows = connection.exec_driver_sql("SELECT node_id FROM domain_nodes").all()
        raise _unknown("domain", name, [row[0] for row in rows])
    asked = "SELECT 1 FROM queries AS q, json_each(q.domains) AS share WHERE q.conversation_id = c.conversation_id"
    return f"EXISTS ({asked} AND share.key IN ({_marks(ids)}))", tuple(ids)


def _marks(values: Sequence[str]) -> str:
    return ", ".join("?" * len(values))


def _unknown(what: str, name: str, known: Sequence[str]) -> UnknownFilterError:
    if not known:
        return UnknownFilterError(f"There is no {what} yet.", remedy=f"Search without {what}:{name}.")
    listed = ", ".join(sorted(known)[:_SHOWN]) + (", …" if len(known) > _SHOWN else "")
    remedy = nearest(name, list(known)) or f"There are: {listed}."
    return UnknownFilterError(f"There is no {what} {name!r}.", remedy=remedy)
