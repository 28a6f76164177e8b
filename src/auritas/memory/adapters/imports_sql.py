"""Conversations that were held elsewhere, written into the store: what is there already is never written twice."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import insert, select, update

from auritas.kernel.clock import Clock, timestamp
from auritas.kernel.ids import Ids
from auritas.kernel.log import Kind, Log, LogEvent
from auritas.memory.adapters.projects_sql import ProjectRecords
from auritas.memory.conversations.model import Said
from auritas.memory.imports.model import Imported
from auritas.store import Unit
from auritas.store import schema as t

_CHUNK = 500


@dataclass(frozen=True, slots=True)
class Landed:
    """What became of one conversation. messages: how many were new."""

    conversation_id: str
    is_new: bool
    messages: int


@dataclass(frozen=True, slots=True)
class ImportRecords:
    """Writes inside the unit of work it is given, with one audit entry for each conversation that changed."""

    log: Log[Unit]
    clock: Clock
    ids: Ids
    projects: ProjectRecords

    def land(self, unit: Unit, imported: Imported) -> Landed:
        """Write a conversation, or what is new of one that is there. Times stay as they were told."""
        known = self._known(unit, imported)
        conversation_id = known or imported.id or self.ids.new()
        fresh = self._fresh(unit, conversation_id, imported.messages) if known else self._unknown(unit, imported)
        if known is None:
            self._create(unit, conversation_id, imported)
        if fresh:
            self._add(unit, conversation_id, fresh, is_new=known is None)
        if known is None or fresh:
            refs = {
                "conversation_id": conversation_id,
                "source": imported.source.value,
                "new": known is None,
                "messages": len(fresh),
            }
            self.log.append(unit, [LogEvent(Kind.IMPORT, "user", refs)])
        return Landed(conversation_id, known is None, len(fresh))

    def _known(self, unit: Unit, imported: Imported) -> str | None:
        c = t.conversations.c
        if imported.external_id is not None:
            same = (c.source == imported.source, c.external_id == imported.external_id)
            found: str | None = unit.connection.execute(select(c.conversation_id).where(*same)).scalar()
            if found is not None:
                return found
        if imported.id is None:
            return None
        return unit.connection.execute(select(c.conversation_id).where(c.conversation_id == imported.id)).scalar()

    def _fresh(self, unit: Unit, conversation_id: str, messages: Sequence[Said]) -> list[Said]:
        m = t.messages.c
        mine = select(m.external_id).where(m.conversation_id == conversation_id, m.external_id.is_not(None))
        there = set(unit.connection.execute(mine).scalars())
        return _without_repeats(
            [said for said in messages if said.external_id not in there], self._taken(unit, messages)
        )

    def _unknown(self, unit: Unit, imported: Imported) -> list[Said]:
        return _without_repeats(imported.messages, self._taken(unit, imported.messages))

    def _taken(self, unit: Unit, messages: Sequence[Said]) -> set[str]:
        """Return the ids of messages, where they have some of their own, that the store has already."""
        ids, taken = [said.id for said in messages if said.id], set[str]()
        m = t.messages.c
        for start in range(0, len(ids), _CHUNK):
            part = select(m.message_id).where(m.message_id.in_(ids[start : start + _CHUNK]))
            taken.update(unit.connection.execute(part).scalars())
        return taken

    def _create(self, unit: Unit, conversation_id: str, imported: Imported) -> None:
        row = {
            "conversation_id": conversation_id,
            "title": imported.title,
            "project_id": self._project(unit, imported.project),
            "created_at": timestamp(imported.created_at),
            "updated_at": timestamp(imported.updated_at),
            "archived": imported.archived,
            "renamed": imported.renamed,
            "source": imported.source,
            "external_id": imported.external_id,
            "branched_from": self._existing(unit, imported.branched_from),
        }
        unit.connection.execute(insert(t.conversations).values(row))

    def _project(self, unit: Unit, name: str | None) -> str | None:
        if name is None:
            return None
        return self.projects.named(unit, name) or self.projects.create(unit, name)

    def _add(self, unit: Unit, conversation_id: str, fresh: Sequence[Said], *, is_new: bool) -> None:
        parent = None if is_new else self._last(unit, conversation_id)
        rows: list[dict[str, Any]] = []
        for said in fresh:
            row = _row(replace(said, id=said.id or self.ids.new()), conversation_id, parent)
            row["edited_from"] = self._existing(unit, said.edited_from)
            parent = row["message_id"]
            rows.append(row)
        unit.connection.execute(insert(t.messages), rows)
        if not is_new:
            latest = max(row["created_at"] for row in rows)
            c = t.conversations.c
            older = update(t.conversations).where(c.conversation_id == conversation_id, c.updated_at < latest)
            unit.connection.execute(older.values(updated_at=latest))

    def _last(self, unit: Unit, conversation_id: str) -> str | None:
        m = t.messages.c
        query = select(m.message_id).where(m.conversation_id == conversation_id)
        return unit.connection.execute(query.order_by(m.created_at.desc(), m.seq.desc()).limit(1)).scalar()

    def _existing(self, unit: Unit, message_id: str | None) -> str | None:
        if message_id is None:
            return None
        query = select(t.messages.c.message_id).where(t.messages.c.message_id == message_id)
        return unit.connection.execute(query).scalar()


def _without_repeats(messages: Sequence[Said], taken: set[str]) -> list[Said]:
    """Return messages whose ids are not taken, each once."""
    kept, ids, external = [], set(taken), set[str]()
    for said in messages:
        if (said.id and said.id in ids) or (said.external_id is not None and said.external_id in external):
            continue
        ids.add(said.id)
        if said.external_id is not None:
            external.add(said.external_id)
        kept.append(said)
    return kept


def _row(said: Said, conversation_id: str, parent: str | None) -> dict[str, Any]:
    return {
        "message_id": said.id,
        "conversation_id": conversation_id,
        "parent_id": parent,
        "role": said.role,
        "content": said.text,
        "callout_type": said.callout,
        "models_used": json.dumps(list(said.models), ensure_ascii=False),
        "accuracy_level": said.level,
        "confidence": said.confidence,
        "notices": json.dumps(list(said.notices), ensure_ascii=False),
        "created_at": timestamp(said.at),
        "external_id": said.external_id,
    }
