"""What the council has learned, kept so that no question waits for learning."""

import json
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import delete, func, insert, select, update

from auritas.council.choice.document import from_document, to_document
from auritas.council.choice.snapshot import Snapshot
from auritas.kernel.clock import Clock, from_timestamp, timestamp
from auritas.kernel.ids import Ids
from auritas.kernel.log import Kind, Log, LogEvent
from auritas.store import Unit
from auritas.store import schema as t

POLICY = "council"
KEPT = 20
"""Snapshots of the past that stay, to see how weights moved."""
_MICROS = 1_000_000
_W = t.council_weights.c
_CURRENT = (
    select(_W.weights).where(_W.policy == POLICY, _W.in_force).order_by(_W.created_at.desc(), _W.id.desc()).limit(1)
)


@dataclass(frozen=True, slots=True)
class LearningRecords:
    """Snapshots in table council_weights; one is in force."""

    log: Log[Unit]
    clock: Clock
    ids: Ids

    def current(self, unit: Unit) -> Snapshot | None:
        """Return the snapshot in force, or None before anything was learned. Raises InvalidError when it is damaged."""
        row = unit.connection.execute(_CURRENT).first()
        return None if row is None else from_document(json.loads(row.weights))

    def stale(self, unit: Unit) -> bool:
        """Return whether grades were given, undone or deleted since the snapshot in force was learned."""
        w = t.council_weights.c
        query = (
            select(w.basis).where(w.policy == POLICY, w.in_force).order_by(w.created_at.desc(), w.id.desc()).limit(1)
        )
        basis = unit.connection.execute(query).scalar()
        return _acts(unit) != (tuple(json.loads(basis).get("acts", ())) if basis else (0, 0))

    def keep(self, unit: Unit, snapshot: Snapshot) -> None:
        """Put a snapshot in force, with its entry in the log."""
        w = t.council_weights
        guard = snapshot.guard
        unit.connection.execute(update(w).where(w.c.policy == POLICY, w.c.in_force).values(in_force=False))
        basis = {"council": guard.council, "gain": guard.gain, "questions": guard.questions, "acts": _acts(unit)}
        row = {
            "id": self.ids.new(),
            "created_at": timestamp(self._moment(unit)),
            "policy": POLICY,
            "weights": json.dumps(to_document(snapshot)),
            "basis": json.dumps(basis),
            "grades": snapshot.grades,
            "in_force": True,
        }
        unit.connection.execute(insert(w).values(row))
        kept = select(w.c.id).where(w.c.policy == POLICY).order_by(w.c.created_at.desc(), w.c.id.desc()).limit(KEPT)
        unit.connection.execute(delete(w).where(w.c.policy == POLICY, w.c.id.not_in(kept)))
        self.log.append(unit, [_entry(str(row["id"]), snapshot)])

    def _moment(self, unit: Unit) -> datetime:
        """Return a moment not before the newest act: those are ordered even where the clock stands still."""
        a = t.grading_acts.c
        newest = unit.connection.execute(select(func.max(a.created_at), func.max(a.undone_at))).one()
        known = [from_timestamp(moment) for moment in newest if moment is not None]
        return max([self.clock.now(), *known])


def _acts(unit: Unit) -> tuple[int, int]:
    """Return how many acts of grading there are, and how many of them were undone: neither hangs on a clock."""
    a = t.grading_acts.c
    count, undone = unit.connection.execute(select(func.count(a.id), func.count(a.undone_at))).one()
    return int(count), int(undone)


def _entry(weights_id: str, snapshot: Snapshot) -> LogEvent:
    guard = snapshot.guard
    return LogEvent(
        Kind.WEIGHTS,
        "system",
        {
            "weights_id": weights_id,
            "grades": snapshot.grades,
            "council": guard.council,
            "gain_micros": round(guard.gain * _MICROS),
        },
    )
