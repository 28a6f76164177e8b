"""Conversations as they are spoken: their messages in order, whoever writes them."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import BindParameter, Select, bindparam, desc, insert, select, update

from auritas.kernel.clock import Clock, timestamp
from auritas.kernel.errors import NotFoundError
from auritas.kernel.ids import Ids
from auritas.kernel.model import Message, Role
from auritas.kernel.text import one_line
from auritas.memory.conversations.policy import TITLE_WIDTH
from auritas.store import Unit
from auritas.store import schema as t


@dataclass(frozen=True, slots=True)
class LastTurn:
    """A question that was answered, and what was shown. message_id: the question's.

    query_id: None where the turn was copied into a branch or read in: nobody of this council answered it here.
    """

    query_id: str | None
    question: str
    answer: str
    message_id: str | None
    conversation_id: str = ""


def _turns() -> Select[Any]:
    q, m = t.queries.c, t.messages
    asked, shown = m.alias("asked"), m.alias("shown")
    return (
        select(q.query_id, asked.c.content, shown.c.content, asked.c.message_id, q.conversation_id)
        .join(asked, asked.c.message_id == q.question_message_id)
        .join(shown, shown.c.message_id == q.message_id)
        .where(q.status == "finished")
    )


_TURNS = _turns()
_C, _M, _P, _Q = t.conversations.c, t.messages.c, t.projects.c, t.queries.c
_HERE: BindParameter[str] = bindparam("here")
"""The id of a conversation; a statement is built once, because building one costs more than running it."""

_LAST_TURN = _TURNS.where(_Q.conversation_id == _HERE).order_by(desc(_Q.created_at), desc(_Q.query_id)).limit(1)
_BEGIN, _WRITE = insert(t.conversations), insert(t.messages)
_TOUCH = update(t.conversations).where(_C.conversation_id == _HERE).values(updated_at=bindparam("now"))
_LAST = select(_M.message_id).where(_M.conversation_id == _HERE).order_by(desc(_M.seq)).limit(1)
_HISTORY = select(_M.role, _M.content).where(_M.conversation_id == _HERE).order_by(desc(_M.created_at), desc(_M.seq))
_PROJECT = select(_C.project_id).where(_C.conversation_id == _HERE)
_TEMPORARY = select(_C.temporary).where(_C.conversation_id == _HERE)
_INSTRUCTIONS = select(_C.system_prompt).where(_C.conversation_id == _HERE)
_PROJECT_INSTRUCTIONS = select(_P.system_prompt).where(_P.project_id == bindparam("project"))


@dataclass(frozen=True, slots=True)
class Turns:
    """Reads and writes messages. Every method works inside the unit of work it is given."""

    clock: Clock
    ids: Ids

    def begin(
        self,
        unit: Unit,
        conversation_id: str,
        first_words: str,
        project_id: str | None,
        *,
        temporary: bool = False,
    ) -> None:
        """Write a new conversation, titled by what it begins with."""
        now = timestamp(self.clock.now())
        row = {
            "conversation_id": conversation_id,
            "title": one_line(first_words, TITLE_WIDTH),
            "project_id": project_id,
            "created_at": now,
            "updated_at": now,
            "temporary": temporary,
        }
        unit.connection.execute(_BEGIN, row)

    def say(self, unit: Unit, conversation_id: str, role: Role, content: str) -> str:
        """Write a message about something to remember, outside any question, and return its id."""
        self.touch(unit, conversation_id)
        return self.write(unit, conversation_id, role, content, callout_type="correction")

    def touch(self, unit: Unit, conversation_id: str) -> None:
        """Say that something has just happened in a conversation."""
        unit.connection.execute(_TOUCH, {"here": conversation_id, "now": timestamp(self.clock.now())})

    def write(self, unit: Unit, conversation_id: str, role: Role, content: str, **more: object) -> str:
        """Write a message after the newest one and return its id. more: further columns."""
        message_id = self.ids.new()
        row = {
            "message_id": message_id,
            "conversation_id": conversation_id,
            "parent_id": unit.connection.execute(_LAST, {"here": conversation_id}).scalar(),
            "role": role,
            "content": content,
            "created_at": timestamp(self.clock.now()),
        }
        unit.connection.execute(_WRITE, row | more)
        return message_id

    def last_turn(self, unit: Unit, conversation_id: str) -> LastTurn | None:
        """Return the newest question of a conversation that was answered."""
        row = unit.connection.execute(_LAST_TURN, {"here": conversation_id}).first()
        return LastTurn(*row) if row else self._spoken(unit, conversation_id)

    def _spoken(self, unit: Unit, conversation_id: str) -> LastTurn | None:
        """Return the last question and answer of a conversation in which nothing was asked yet: a branch, an import."""
        m = t.messages.c
        mine = select(m.seq, m.message_id, m.content).where(m.conversation_id == conversation_id)
        shown = unit.connection.execute(mine.where(m.role == Role.ASSISTANT).order_by(desc(m.seq)).limit(1)).first()
        if shown is None:
            return None
        asking = mine.where(m.role == Role.USER, m.seq < shown.seq).order_by(desc(m.seq)).limit(1)
        asked = unit.connection.execute(asking).first()
        return LastTurn(None, asked.content, shown.content, asked.message_id, conversation_id) if asked else None

    def turn_of(self, unit: Unit, query_id: str) -> LastTurn | None:
        """Return one question that was answered, by its id."""
        row = unit.connection.execute(_TURNS.where(t.queries.c.query_id == query_id)).first()
        return LastTurn(*row) if row else None

    def asked(self, unit: Unit, query_id: str) -> LastTurn | None:
        """Return one question, answered or not, by its id; `answer` is empty."""
        q, m = t.queries.c, t.messages.c
        query = select(q.query_id, m.content, m.message_id, q.conversation_id)
        query = query.join(t.messages, m.message_id == q.question_message_id).where(q.query_id == query_id)
        row = unit.connection.execute(query).first()
        return LastTurn(row.query_id, row.content, "", row.message_id, row.conversation_id) if row else None

    def project(self, unit: Unit, conversation_id: str) -> str | None:
        """Return the project of a conversation. Raises NotFoundError when there is no such conversation."""
        row = unit.connection.execute(_PROJECT, {"here": conversation_id}).first()
        if row is None:
            raise NotFoundError(
                f"There is no conversation {conversation_id!r}.",
                remedy="See them in the list of conversations, or by auritas conversations list",
            )
        project_id: str | None = row.project_id
        return project_id

    def is_temporary(self, unit: Unit, conversation_id: str) -> bool:
        """Return whether a conversation is to leave nothing behind."""
        return bool(unit.connection.execute(_TEMPORARY, {"here": conversation_id}).scalar())

    def instructions(self, unit: Unit, conversation_id: str, project_id: str | None) -> str:
        """Return what the user wants in a conversation: the project's instructions, then its own."""
        own = unit.connection.execute(_INSTRUCTIONS, {"here": conversation_id}).scalar()
        of_project = None
        if project_id is not None:
            of_project = unit.connection.execute(_PROJECT_INSTRUCTIONS, {"project": project_id}).scalar()
        return "\n".join(text for text in (of_project, own) if text)

    def history(self, unit: Unit, conversation_id: str, characters: int) -> tuple[Message, ...]:
        """Return the newest whole messages of a conversation that fit in `characters`, oldest first.

        A conversation that is not there yet has none.
        """
        kept: list[Message] = []
        with unit.connection.execute(_HISTORY, {"here": conversation_id}) as rows:
            for role, content in rows:
                characters -= len(content)
                if characters < 0:
                    break
                kept.append(Message(Role(role), content))
        return tuple(reversed(kept))
