"""What the store knows of embedded models: where each lies, its digest, its self-test and what it may do."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import delete, select, update
from sqlalchemy.dialects.sqlite import insert

from auritas.gateway.selftest import ModelRole, SelfTest, from_json, to_json
from auritas.kernel.canonical import Scalar
from auritas.kernel.clock import Clock, timestamp
from auritas.kernel.log import Kind, Log, LogEvent
from auritas.store.schema import models
from auritas.store.unit import Unit

_KIND = "embedded"


@dataclass(frozen=True, slots=True)
class ModelRecord:
    """One embedded model as stored. path: only for a file that the user brought."""

    name: str
    title: str
    digest: str
    window: int
    path: Path | None = None
    roles: tuple[ModelRole, ...] = ()
    self_test: SelfTest | None = None


class EmbeddedRecords:
    """Reads and writes the rows of embedded models, each write with its audit entry in the same unit."""

    def __init__(self, log: Log[Unit], clock: Clock) -> None:
        self._log = log
        self._clock = clock

    def all(self, unit: Unit) -> tuple[ModelRecord, ...]:
        """Return every embedded model by name."""
        rows = unit.connection.execute(select(models).where(models.c.kind == _KIND).order_by(models.c.name))
        return tuple(
            ModelRecord(
                name=row.name,
                title=row.model_id,
                digest=row.digest or "",
                window=row.window,
                path=Path(row.path) if row.path else None,
                roles=tuple(ModelRole(role) for role in json.loads(row.roles)),
                self_test=from_json(row.self_test) if row.self_test else None,
            )
            for row in rows
        )

    def taken(self, unit: Unit, name: str) -> bool:
        """Return whether a model of another kind has this name."""
        query = select(models.c.name).where(models.c.name == name, models.c.kind != _KIND)
        return unit.connection.execute(query).first() is not None

    def install(self, unit: Unit, record: ModelRecord) -> None:
        """Store a model. The self-test of other weights under the same name does not count for these."""
        row = {
            "name": record.name,
            "kind": _KIND,
            "model_id": record.title,
            "digest": record.digest,
            "path": str(record.path) if record.path else None,
            "window": record.window,
        }
        before = {one.name: one.digest for one in self.all(unit)}.get(record.name)
        if before == record.digest:
            unit.connection.execute(update(models).where(models.c.name == record.name).values(path=row["path"]))
            return
        fresh = row | {"roles": "[]", "self_test": None}
        statement = insert(models).values(**fresh, added_at=timestamp(self._clock.now()))
        unit.connection.execute(statement.on_conflict_do_update(index_elements=["name"], set_=fresh))
        self._append(unit, Kind.MODEL, {"event": "installed", "digest": record.digest}, record.name)

    def remove(self, unit: Unit, record: ModelRecord) -> None:
        """Forget a model."""
        unit.connection.execute(delete(models).where(models.c.name == record.name, models.c.kind == _KIND))
        self._append(unit, Kind.MODEL, {"event": "removed", "digest": record.digest}, record.name)

    def tested(self, unit: Unit, result: SelfTest) -> None:
        """Store a self-test and what the model may do by it."""
        row = {"roles": json.dumps(list(result.roles)), "self_test": to_json(result)}
        unit.connection.execute(update(models).where(models.c.name == result.model).values(**row))
        refs: Mapping[str, Scalar] = {
            "digest": result.digest,
            "exam": result.exam,
            "answers_right": result.answers_right,
            "answers": len(result.answered),
            "votes_right": result.votes_right,
            "votes": len(result.voted),
        }
        self._append(unit, Kind.SELF_TEST, refs, f"{result.model}: {', '.join(result.roles)}")

    def _append(self, unit: Unit, kind: Kind, refs: Mapping[str, Scalar], body: str) -> None:
        self._log.append(unit, (LogEvent(kind, "user", refs, body),))
