"""What a pick leaves behind besides its grades: the user prefers these members on this domain.

A row of `corrections` of type model_preference, one for each question with a pick that holds: slot `pick:<query id>`,
scope domain, claim = the seats that are preferred, rejected = those that are not, both as JSON lists, metadata =
{"act_id"}. It holds no word of the user or of a model. Memory reads it; it is superseded by the next pick on the same
question and erased when its own is undone.
"""

import json
from dataclasses import dataclass

from sqlalchemy import insert, select, update

from auritas.council.acts import ActRecord, Answered, Pick, representatives
from auritas.kernel.clock import Clock, timestamp
from auritas.kernel.ids import Ids
from auritas.kernel.log import Kind, Log, LogEvent
from auritas.store import Unit
from auritas.store import schema as t

MODEL_PREFERENCE = "model_preference"
GENERAL = "general"


@dataclass(frozen=True, slots=True)
class _Preference:
    """What should stand: the act behind it, the domain, and the seats on both sides, sorted."""

    act_id: str
    domain: str
    preferred: tuple[str, ...]
    rejected: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SqlPreferences:
    """Keeps the preferences of a question equal to the pick that holds."""

    log: Log[Unit]
    clock: Clock
    ids: Ids

    def keep(self, unit: Unit, asked: Answered, pick: ActRecord | None) -> None:
        """Make the stored preference that of `pick`, or remove it where there is none."""
        wanted = _wanted(asked, pick)
        held = self._held(unit, asked.query_id)
        if (held.wanted if held else None) == wanted:
            return
        # The old one makes room first: of one slot only one is active.
        if held:
            self._retire(unit, held.id, replaced=wanted is not None)
        if wanted:
            new_id = self._create(unit, asked.query_id, wanted)
            if held:
                mine = update(t.corrections).where(t.corrections.c.id == held.id)
                unit.connection.execute(mine.values(superseded_by=new_id))

    def _held(self, unit: Unit, query_id: str) -> "_Held | None":
        rows = t.corrections.c
        query = select(rows.id, rows.domain, rows.claim, rows.rejected, rows.metadata).where(
            rows.slot == _slot(query_id), rows.state == "active", rows.type == MODEL_PREFERENCE
        )
        row = unit.connection.execute(query).first()
        if row is None:
            return None
        act_id = json.loads(row.metadata)["act_id"]
        sides = tuple(json.loads(row.claim)), tuple(json.loads(row.rejected or "[]"))
        return _Held(row.id, _Preference(act_id, row.domain or GENERAL, *sides))

    def _create(self, unit: Unit, query_id: str, wanted: _Preference) -> str:
        correction_id, now = self.ids.new(), timestamp(self.clock.now())
        row = {
            "id": correction_id,
            "created_at": now,
            "subject": f"who answers questions about {wanted.domain}",
            "domain": wanted.domain,
            "claim": json.dumps(wanted.preferred),
            "rejected": json.dumps(wanted.rejected),
            "confidence": 1.0,
            "effective_confidence": 1.0,
            "source": "arbiter",
            "decay_class": "B",
            "metadata": json.dumps({"act_id": wanted.act_id}),
            "type": MODEL_PREFERENCE,
            "scope": "domain",
            "state": "active",
            "slot": _slot(query_id),
            "provenance": "user_implicit",
        }
        unit.connection.execute(insert(t.corrections).values(row))
        self._note(unit, correction_id, "created", Kind.CORRECTION_CREATED)
        return correction_id

    def _retire(self, unit: Unit, correction_id: str, *, replaced: bool) -> None:
        mine = update(t.corrections).where(t.corrections.c.id == correction_id)
        if replaced:
            unit.connection.execute(mine.values(state="superseded", scope="superseded"))
            self._note(unit, correction_id, "superseded", Kind.CORRECTION_SUPERSEDED)
            return
        # An erased row keeps its place and nothing of what it said.
        unit.connection.execute(
            mine.values(state="erased", subject="", domain=None, claim="", rejected=None, metadata="{}")
        )
        self._note(unit, correction_id, "erased", Kind.CORRECTION_ERASED)

    def _note(self, unit: Unit, correction_id: str, event: str, kind: Kind) -> None:
        row = {"correction_id": correction_id, "event": event, "at": timestamp(self.clock.now())}
        unit.connection.execute(insert(t.correction_events).values(row))
        self.log.append(unit, [LogEvent(kind, "user", {"correction_id": correction_id, "type": MODEL_PREFERENCE})])


@dataclass(frozen=True, slots=True)
class _Held:
    id: str
    wanted: _Preference


def _wanted(asked: Answered, pick: ActRecord | None) -> _Preference | None:
    if pick is None or not isinstance(pick.act, Pick):
        return None
    candidate = pick.act.candidate
    candidate = representatives(asked.merges).get(candidate, candidate)
    seats = {c.id: c.supporters for c in asked.joined.candidates}
    rejected = sorted(seat for each, supporters in seats.items() if each != candidate for seat in supporters)
    domain = min(asked.domains, key=lambda name: (-asked.domains[name], name), default=GENERAL)
    return _Preference(pick.id, domain, tuple(sorted(seats.get(candidate, ()))), tuple(rejected))


def _slot(query_id: str) -> str:
    return f"pick:{query_id}"
