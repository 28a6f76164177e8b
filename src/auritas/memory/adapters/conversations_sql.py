"""Conversations in the store: found, read a stretch at a time, renamed, moved, archived and branched."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Select, func, insert, or_, select, update

from auritas.kernel.clock import Clock, from_timestamp, timestamp
from auritas.kernel.ids import Ids
from auritas.kernel.log import Kind, Log, LogEvent
from auritas.memory.adapters.steering_sql import copy_left_out
from auritas.memory.conversations.model import Conversation, Said, Source
from auritas.memory.conversations.policy import short_id
from auritas.store import Unit
from auritas.store import schema as t
from auritas.store.cursor import Cursor, Page, page

MESSAGES_AT_ONCE = 200
"""How many messages are held in memory while a conversation is written out."""

_COPIED = (
    "role", "content", "callout_type", "models_used", "accuracy_level", "confidence", "notices", "created_at"
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ConversationRecords:
    """Reads and writes inside the unit of work it is given; each change is written with its audit entry."""

    log: Log[Unit]
    clock: Clock
    ids: Ids

    # --- reading -------------------------------------------------------------------------------------------------

    def newest(
        self,
        unit: Unit,
        size: int,
        after: Cursor | None,
        *,
        project_id: str | None = None,
        archived: bool = False,
        source: Source | None = None,
    ) -> Page[Conversation]:
        """Return up to `size` conversations, the latest used first; of one project or from one program only."""
        c = t.conversations.c
        query = _SELECTED.where(c.archived == archived, c.temporary.is_(False))
        if project_id is not None:
            query = query.where(c.project_id == project_id)
        if source is not None:
            query = query.where(c.source == source)
        found = page(unit.connection, query, c.updated_at, c.conversation_id, size=size, after=after, newest_first=True)
        return Page(tuple(map(_conversation, found.rows)), found.next)

    def find(self, unit: Unit, name: str, limit: int) -> tuple[Conversation, ...]:
        """Return up to `limit` conversations that `name` may mean.

        Those whose id begins with it; else those whose title it is; else those in whose title it stands.
        """
        c = t.conversations.c
        meanings = (
            c.conversation_id.startswith(name, autoescape=True),
            func.lower(c.title) == func.lower(name),
            c.title.contains(name, autoescape=True),
        )
        for meant in meanings if name else ():
            query = _SELECTED.where(meant).order_by(c.updated_at.desc(), c.conversation_id.desc()).limit(limit)
            if found := tuple(map(_conversation, unit.connection.execute(query))):
                return found
        return ()

    def get(self, unit: Unit, conversation_id: str) -> Conversation | None:
        """Return one conversation by its whole id."""
        query = _SELECTED.where(t.conversations.c.conversation_id == conversation_id)
        row = unit.connection.execute(query).first()
        return None if row is None else _conversation(row)

    def count(self, unit: Unit) -> int:
        """Return how many conversations there are, archived ones included."""
        lasting = t.conversations.c.temporary.is_(False)
        return int(
            unit.connection.execute(select(func.count()).select_from(t.conversations).where(lasting)).scalar_one()
        )

    def temporary(self, unit: Unit, before: datetime) -> tuple[str, ...]:
        """Return the ids of conversations that are to leave nothing behind and in which nothing was said since."""
        c = t.conversations.c
        query = select(c.conversation_id).where(c.temporary.is_(True), c.updated_at < timestamp(before))
        return tuple(unit.connection.execute(query).scalars())

    def every(self, unit: Unit, *, batch: int = 200) -> Iterator[Conversation]:
        """Yield all conversations, archived ones included, the oldest first, so that an origin precedes its branch."""
        c = t.conversations.c
        after: Cursor | None = None
        while True:
            lasting = _SELECTED.where(c.temporary.is_(False))
            found = page(unit.connection, lasting, c.created_at, c.conversation_id, size=batch, after=after)
            yield from map(_conversation, found.rows)
            if found.next is None:
                return
            after = found.next

    def messages(self, unit: Unit, conversation_id: str, first: int, count: int) -> tuple[Said, ...]:
        """Return up to `count` messages from number `first` on, in the order in which they were said."""
        query = _in_order(conversation_id).offset(first - 1).limit(count)
        rows = unit.connection.execute(query)
        return tuple(_said(row, first + place) for place, row in enumerate(rows))

    def all_messages(self, unit: Unit, conversation_id: str) -> Iterator[Said]:
        """Yield all messages of a conversation, a page at a time."""
        m = t.messages.c
        after: Cursor | None = None
        number = 0
        query = select(t.messages).where(m.conversation_id == conversation_id)
        while True:
            found = page(unit.connection, query, m.created_at, m.seq, size=MESSAGES_AT_ONCE, after=after)
            for row in found.rows:
                number += 1
                yield _said(row, number)
            if found.next is None:
                return
            after = found.next

    def message_named(self, unit: Unit, conversation_id: str, name: str) -> tuple[Said, ...]:
        """Return the message with that number, or up to two messages whose id begins with `name`."""
        if name.isascii() and name.isdigit() and len(name) < ID_LIKE:
            return self.messages(unit, conversation_id, int(name), 1) if int(name) else ()
        m = t.messages.c
        mine = m.message_id.startswith(name, autoescape=True)
        rows = unit.connection.execute(_in_order(conversation_id).where(mine).limit(2)).all() if name else []
        return tuple(_said(row, self._number(unit, row)) for row in rows)

    def message_of(self, unit: Unit, conversation_id: str, message_id: str) -> Said | None:
        """Return a message of a conversation by its whole id."""
        row = unit.connection.execute(_in_order(conversation_id).where(t.messages.c.message_id == message_id)).first()
        return None if row is None else _said(row, self._number(unit, row))

    def branches(self, unit: Unit, conversation_id: str) -> tuple[tuple[int, Conversation], ...]:
        """Return the conversations that began in this one, each with the number of the message."""
        m, c = t.messages.c, t.conversations.c
        # Conversations first, few of which are branches: joined the other way they would be read once a message.
        branches = select(c.conversation_id, c.branched_from).where(c.branched_from.is_not(None))
        begun = [(row[0], row[1]) for row in unit.connection.execute(branches)]
        here = select(m.message_id, m.created_at, m.seq).where(
            m.message_id.in_([at for _, at in begun]), m.conversation_id == conversation_id
        )
        places = {row.message_id: row for row in unit.connection.execute(here)}
        found = []
        for branch_id, at in begun:
            place, branch = places.get(at), self.get(unit, branch_id) if at in places else None
            if place is not None and branch is not None:
                found.append((_place(unit, conversation_id, place.created_at, place.seq), branch))
        return tuple(sorted(found, key=lambda each: (each[0], each[1].id)))

    def origin(self, unit: Unit, branch: Conversation) -> str | None:
        """Return the conversation in which a branch began, None where it is none or that one is gone."""
        if branch.branched_from is None:
            return None
        m = t.messages.c
        found = select(m.conversation_id).where(m.message_id == branch.branched_from)
        return unit.connection.execute(found).scalar()

    def originals(self, unit: Unit, branch: Conversation, copies: Sequence[Said]) -> Mapping[str, str]:
        """Return of which message each of these copies was made, the one that was written first.

        A copy has the words and the moment of its original, which stands in a conversation that the branch goes back
        to. Whatever is no copy, or whose original is gone, is left out.
        """
        ancestors = self._ancestors(unit, branch)
        moments = {(timestamp(each.at), each.role, each.text): each.id for each in copies}
        m = t.messages.c
        query = select(m.message_id, m.created_at, m.role, m.content).where(
            m.conversation_id.in_(ancestors), m.created_at.in_([at for at, _, _ in moments])
        )
        found: dict[str, str] = {}
        for row in unit.connection.execute(query.order_by(m.seq)) if ancestors else ():
            copy = moments.get((row.created_at, row.role, row.content))
            if copy is not None:
                found.setdefault(copy, row.message_id)
        return found

    def _ancestors(self, unit: Unit, branch: Conversation) -> list[str]:
        """Return the conversation in which a branch began, the one in which that began, and so on."""
        found: list[str] = []
        here: Conversation | None = branch
        while here is not None:
            origin = self.origin(unit, here)
            here = self.get(unit, origin) if origin is not None and origin not in found else None
            if here is not None:
                found.append(here.id)
        return found

    def asked_anew(self, unit: Unit, conversation_id: str) -> str | None:
        """Return the message of which the next question in a conversation is another wording, if it is one.

        That is so in a branch that ends just before a question, until something is asked in it.
        """
        m, c = t.messages, t.conversations.c
        query = (
            select(m.c.message_id, m.c.conversation_id, m.c.created_at, m.c.seq)
            .join(t.conversations, c.branched_from == m.c.message_id)
            .where(c.conversation_id == conversation_id, m.c.role == "user")
        )
        origin = unit.connection.execute(query).first()
        if origin is None:
            return None
        own = select(func.count()).select_from(m).where(m.c.conversation_id == conversation_id)
        there = unit.connection.execute(own).scalar_one()
        before = _place(unit, origin.conversation_id, origin.created_at, origin.seq) - 1
        return origin.message_id if there == before else None

    # --- changing ------------------------------------------------------------------------------------------------

    def rename(self, unit: Unit, conversation_id: str, title: str) -> None:
        """Give a conversation a title of the person's own."""
        self._set(unit, conversation_id, title=title, renamed=True)
        self._note(unit, "renamed", conversation_id, title)

    def move(self, unit: Unit, conversation_id: str, project_id: str | None) -> None:
        """Put a conversation into a project, or into none."""
        self._set(unit, conversation_id, project_id=project_id)
        self._note(unit, "moved", conversation_id, project_id=project_id)

    def instruct(self, unit: Unit, conversation_id: str, instructions: str) -> None:
        """Keep what the person wants in a conversation; the entry commits to the words."""
        self._set(unit, conversation_id, system_prompt=instructions or None)
        self._note(unit, "instructed", conversation_id, instructions)

    def archive(self, unit: Unit, conversation_id: str, *, archived: bool) -> None:
        """Hide a conversation from the list, or show it again."""
        self._set(unit, conversation_id, archived=archived)
        self._note(unit, "archived" if archived else "unarchived", conversation_id)

    def branch(self, unit: Unit, origin: Conversation, at: Said, count: int, title: str) -> str:
        """Copy the first `count` messages of a conversation into a new one that began at message `at`.

        Messages get new ids and keep their times. Returns the id of the branch.
        """
        branch_id, now = self.ids.new(), timestamp(self.clock.now())
        prompt = select(t.conversations.c.system_prompt).where(t.conversations.c.conversation_id == origin.id)
        passing = select(t.conversations.c.temporary).where(t.conversations.c.conversation_id == origin.id)
        row = {
            "conversation_id": branch_id,
            "title": title,
            "project_id": origin.project_id,
            "system_prompt": unit.connection.execute(prompt).scalar(),
            "branched_from": at.id,
            "temporary": unit.connection.execute(passing).scalar(),
            "created_at": now,
            "updated_at": now,
        }
        unit.connection.execute(insert(t.conversations).values(row))
        parent, first = None, 1
        while first <= count:
            size = min(MESSAGES_AT_ONCE, count - first + 1)
            rows = unit.connection.execute(_in_order(origin.id).offset(first - 1).limit(size)).all()
            copies = []
            for each in rows:
                copy = {name: each._mapping[name] for name in _COPIED}  # noqa: SLF001  public in SQLAlchemy
                copy |= {"message_id": self.ids.new(), "conversation_id": branch_id, "parent_id": parent}
                parent = copy["message_id"]
                copies.append(copy)
            unit.connection.execute(insert(t.messages), copies)
            first += size
        copy_left_out(unit, origin.id, branch_id)
        self._note(unit, "branched", branch_id, branched_from=at.id, origin_id=origin.id)
        return branch_id

    def _set(self, unit: Unit, conversation_id: str, **values: Any) -> None:
        mine = t.conversations.c.conversation_id == conversation_id
        unit.connection.execute(update(t.conversations).where(mine).values(**values))

    def _note(self, unit: Unit, event: str, conversation_id: str, body: str = "", **more: str | None) -> None:
        refs = {"event": event, "conversation_id": conversation_id} | more
        kept = {name: value for name, value in refs.items() if value is not None}
        self.log.append(unit, [LogEvent(Kind.CONVERSATION, "user", kept, body)])

    def _number(self, unit: Unit, row: Any) -> int:
        return _place(unit, row.conversation_id, row.created_at, row.seq)


ID_LIKE = 8
"""Digits from which a name is the beginning of an id rather than the number of a message."""


def _neighbours() -> tuple[Any, Any]:
    other, c = t.conversations.alias("other"), t.conversations.c
    before = select(func.max(other.c.conversation_id)).where(other.c.conversation_id < c.conversation_id)
    after = select(func.min(other.c.conversation_id)).where(other.c.conversation_id > c.conversation_id)
    return before.scalar_subquery(), after.scalar_subquery()


def _selected() -> Select[Any]:
    c, m = t.conversations.c, t.messages
    counted = select(func.count()).select_from(m).where(m.c.conversation_id == c.conversation_id)
    before, after = _neighbours()
    return select(
        t.conversations,
        t.projects.c.name.label("project"),
        counted.scalar_subquery().label("message_count"),
        before.label("id_before"),
        after.label("id_after"),
    ).outerjoin(t.projects, t.projects.c.project_id == c.project_id)


_SELECTED = _selected()


def titles_of(unit: Unit, conversation_ids: Sequence[str]) -> Mapping[str, str]:
    """Return the titles of conversations by their ids; those that are gone are left out."""
    c = t.conversations.c
    query = select(c.conversation_id, c.title).where(c.conversation_id.in_(conversation_ids))
    return {row[0]: row[1] for row in unit.connection.execute(query)}


def _in_order(conversation_id: str) -> Select[Any]:
    m = t.messages.c
    return select(t.messages).where(m.conversation_id == conversation_id).order_by(m.created_at, m.seq)


def _place(unit: Unit, conversation_id: str, created_at: str, seq: int) -> int:
    m = t.messages.c
    earlier = or_(m.created_at < created_at, (m.created_at == created_at) & (m.seq <= seq))
    query = select(func.count()).select_from(t.messages).where(m.conversation_id == conversation_id, earlier)
    return int(unit.connection.execute(query).scalar_one())


def _conversation(row: Any) -> Conversation:
    fields: Mapping[str, Any] = row._mapping  # noqa: SLF001  public in SQLAlchemy
    return Conversation(
        id=row.conversation_id,
        title=row.title,
        created_at=from_timestamp(row.created_at),
        updated_at=from_timestamp(row.updated_at),
        short=short_id(row.conversation_id, [each for each in (row.id_before, row.id_after) if each]),
        messages=fields["message_count"],
        project_id=row.project_id,
        project=fields["project"],
        archived=bool(row.archived),
        renamed=bool(row.renamed),
        source=Source(row.source),
        external_id=row.external_id,
        branched_from=row.branched_from,
        instructions=row.system_prompt or "",
        temporary=bool(row.temporary),
    )


def _said(row: Any, number: int) -> Said:
    return Said(
        id=row.message_id,
        number=number,
        role=row.role,
        text=row.content,
        at=from_timestamp(row.created_at),
        models=tuple(json.loads(row.models_used)),
        level=row.accuracy_level,
        confidence=row.confidence,
        callout=row.callout_type,
        notices=tuple(str(each) for each in json.loads(row.notices)),
        edited_from=row.edited_from,
        external_id=row.external_id,
    )
