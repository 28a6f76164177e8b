"""Conversations that another program keeps and sends whole each time: found again by what was said in them so far."""

from dataclasses import dataclass

from sqlalchemy import bindparam, delete, exists, select, update

from auritas.store import Unit
from auritas.store import schema as t

_OURS = "auritas"
_C = t.conversations.c
_RELEASE = (
    update(t.conversations).where(_C.source == _OURS, _C.external_id == bindparam("key")).values(external_id=None)
)
_KEEP = update(t.conversations).where(_C.conversation_id == bindparam("here")).values({"external_id": bindparam("key")})


@dataclass(frozen=True, slots=True)
class Carried:
    """Keeps with a conversation the key of its turns. Works inside the unit of work it is given."""

    def found(self, unit: Unit, key: str) -> str | None:
        """Return the conversation that stands where `key` says."""
        c = t.conversations.c
        mine = select(c.conversation_id).where(c.source == _OURS, c.external_id == key)
        return unit.connection.execute(mine).scalar()

    def keep(self, unit: Unit, conversation_id: str, key: str) -> None:
        """Note where a conversation stands; another one that said the same is found by this key no longer."""
        unit.connection.execute(_RELEASE, {"key": key})
        unit.connection.execute(_KEEP, {"here": conversation_id, "key": key})

    def instruct(self, unit: Unit, conversation_id: str, instructions: str) -> None:
        """Keep what the program tells every model in this conversation."""
        mine = update(t.conversations).where(t.conversations.c.conversation_id == conversation_id)
        unit.connection.execute(mine.values(system_prompt=instructions or None))

    def drop_empty(self, unit: Unit, conversation_id: str) -> None:
        """Remove a conversation in which nothing was said."""
        c, m = t.conversations.c, t.messages.c
        silent = ~exists(select(m.seq).where(m.conversation_id == conversation_id))
        unit.connection.execute(delete(t.conversations).where(c.conversation_id == conversation_id, silent))
