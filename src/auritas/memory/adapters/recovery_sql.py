"""Recovery prompts in the store, and what models write them from."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import and_, bindparam, delete, func, select
from sqlalchemy.dialects.sqlite import insert

from auritas.kernel.clock import Clock, from_timestamp, timestamp
from auritas.kernel.log import Kind, Log, LogEvent
from auritas.kernel.memory import CorrectionState
from auritas.kernel.model import Role, Usage
from auritas.memory.recovery.model import Material, RecoveryPrompt, Remembered, Talk
from auritas.memory.recovery.staleness import corrections_hash
from auritas.store import Unit
from auritas.store import schema as t

if TYPE_CHECKING:
    from auritas.kernel.canonical import Scalar

TALKS: Final = 20
QUESTIONS: Final = 200
"""Newest questions of a seat from which its domains are read."""
TOP: Final = 5

_PROMPTS: Final = select(t.model_context_prompts).where(
    t.model_context_prompts.c.specialist.in_(bindparam("seats", expanding=True))
)


@dataclass(frozen=True, slots=True)
class SqlRecovery:
    """Writes and reads recovery prompts. Every method works inside the unit of work it is given."""

    log: Log[Unit]
    clock: Clock

    def prompt(self, unit: Unit, seat: str) -> RecoveryPrompt | None:
        """Return what a seat wrote last, stale or not."""
        return self.prompts(unit, [seat]).get(seat)

    def prompts(self, unit: Unit, seats: Sequence[str]) -> Mapping[str, RecoveryPrompt]:
        """Return what seats wrote last, stale or not, by seat; those that wrote nothing are missing."""
        rows = unit.connection.execute(_PROMPTS, {"seats": seats})
        return {row.specialist: _prompt(row) for row in rows}

    def put(self, unit: Unit, prompt: RecoveryPrompt, usage: Usage, *, by: str = "system") -> None:
        """Write a seat's prompt in place of the one before. The entry holds sizes; a hash of words would tell them."""
        values = {
            "text": prompt.text,
            "generated_at": timestamp(prompt.generated_at),
            "corrections_hash": prompt.corrections_hash,
        }
        statement = insert(t.model_context_prompts).values(specialist=prompt.seat, **values)
        unit.connection.execute(statement.on_conflict_do_update(index_elements=["specialist"], set_=values))
        refs: dict[str, Scalar] = {
            "specialist": prompt.seat,
            "characters": len(prompt.text),
            "tokens_in": usage.tokens_in,
            "tokens_out": usage.tokens_out,
            "cost_micros": usage.cost_micros,
        }
        self.log.append(unit, [LogEvent(Kind.RECOVERY, by, refs)])

    def forget(self, unit: Unit) -> None:
        """Remove every prompt: for when something was erased that may stand in one."""
        unit.connection.execute(delete(t.model_context_prompts))

    def current_hash(self, unit: Unit) -> str:
        """Return the hash of what is remembered now."""
        return corrections_hash(self.remembered(unit))

    def remembered(self, unit: Unit) -> tuple[Remembered, ...]:
        """Return every active correction."""
        c = t.corrections.c
        text = func.coalesce(func.nullif(c.instruction, ""), c.claim)
        rows = unit.connection.execute(
            select(c.id, text, c.scope, c.pinned).where(c.state == CorrectionState.ACTIVE).order_by(c.id)
        )
        return tuple(Remembered(id_, text_, scope, bool(pinned)) for id_, text_, scope, pinned in rows)

    def material(self, unit: Unit, seat: str) -> Material:
        """Return what a seat writes from: nothing of a conversation in which it was not asked."""
        return Material(self.remembered(unit), self._domains(unit, seat), self._talks(unit, seat))

    def still_there(self, unit: Unit, material: Material) -> bool:
        """Return whether all that a model has read is still there: words erased meanwhile may be in what it wrote."""
        if not set(material.remembered) <= set(self.remembered(unit)):
            return False
        c, m = t.conversations.c, t.messages.c
        joined = select(m.message_id).join(t.conversations, c.conversation_id == m.conversation_id)
        asked = (
            (c.title == talk.title, m.content == talk.question, m.created_at == timestamp(talk.at))
            for talk in material.talks
        )
        return all(unit.connection.execute(joined.where(*same).limit(1)).first() is not None for same in asked)

    def used_since(self, unit: Unit, seat: str, moment: datetime | None) -> bool:
        """Return whether a seat has answered since a moment, or ever."""
        r = t.model_runs.c
        since = "" if moment is None else timestamp(moment)
        mine = select(r.run_id).where(r.specialist == seat, r.created_at > since, r.text != "").limit(1)
        return unit.connection.execute(mine).first() is not None

    def _domains(self, unit: Unit, seat: str) -> tuple[str, ...]:
        """Return what a seat's newest questions were about, by their shares together."""
        r, q = t.model_runs.c, t.queries.c
        rows = unit.connection.execute(
            select(q.domains)
            .join(t.model_runs, r.query_id == q.query_id)
            .where(r.specialist == seat, r.text != "")
            .order_by(q.created_at.desc(), q.query_id)
            .limit(QUESTIONS)
        )
        shares: Counter[str] = Counter()
        for (document,) in rows:
            shares.update(json.loads(document))
        ranked = sorted(shares.items(), key=lambda pair: (-pair[1], pair[0]))
        return tuple(name for name, _ in ranked[:TOP])

    def _talks(self, unit: Unit, seat: str) -> tuple[Talk, ...]:
        """Return the newest conversations in which a seat was asked, each with its newest question."""
        r, c, m = t.model_runs.c, t.conversations.c, t.messages.c
        mine = select(r.conversation_id).where(r.specialist == seat, r.text != "")
        newest = (
            select(m.conversation_id, func.max(m.seq).label("seq"))
            .where(m.role == Role.USER)
            .group_by(m.conversation_id)
            .subquery()
        )
        rows = unit.connection.execute(
            select(c.title, m.content, m.created_at)
            .join(newest, newest.c.conversation_id == c.conversation_id)
            .join(t.messages, m.seq == newest.c.seq)
            .where(and_(c.conversation_id.in_(mine), c.archived.is_(False)))
            .order_by(m.seq.desc())
            .limit(TALKS)
        )
        return tuple(Talk(title, content, from_timestamp(at)) for title, content, at in rows)


def _prompt(row: Any) -> RecoveryPrompt:
    return RecoveryPrompt(row.specialist, row.text, from_timestamp(row.generated_at), row.corrections_hash)
