"""What is remembered, over a real encrypted store with a fake clock, without the rest of the program."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import delete, func, insert, select

from auritas.app.audit import AuditUseCases
from auritas.audit.adapters.sql import SqlAuditLog
from auritas.kernel.clock import ManualClock, timestamp
from auritas.kernel.ids import TimeOrderedIds
from auritas.kernel.memory import Correction, CorrectionState, CorrectionType, Provenance, Scope
from auritas.kernel.randomness import SeededRng, SystemEntropy
from auritas.memory.adapters.corrections_sql import SqlCorrections
from auritas.memory.adapters.forgetting_sql import Forgetting
from auritas.memory.model import Draft, Kept, Undone, place_of
from auritas.memory.service import Remembering
from auritas.store import SqlStore, Unit
from auritas.store import schema as t
from auritas.store.secret import Secret

KEY = Secret(bytes(range(32)))
PROJECTS, TALKS, FIELDS = ("falcon", "heron"), ("talk", "chat"), ("law", "health")
T = TypeVar("T")


@dataclass
class Remembered:
    """A store with two projects and two conversations, and everything that changes what is remembered."""

    folder: Path
    clock: ManualClock = field(default_factory=ManualClock)

    def __post_init__(self) -> None:
        self.store = SqlStore.open(self.folder, KEY)
        self.ids = TimeOrderedIds(self.clock, SeededRng(5))
        self.log = SqlAuditLog(self.clock, SystemEntropy(), self.ids)
        self.corrections = SqlCorrections(self.log, self.clock)
        self.rules: Remembering[Unit] = Remembering(self.corrections, self.clock, self.ids)
        self.forgetting = Forgetting(self.log, self.clock)
        now = timestamp(self.clock.now())
        with self.store.unit() as unit:
            for each in PROJECTS:
                row = {"project_id": each, "name": each, "created_at": now, "updated_at": now}
                unit.connection.execute(insert(t.projects).values(_known(t.projects, row)))
            for each in TALKS:
                row = {"conversation_id": each, "created_at": now, "updated_at": now, "last_active_at": now}
                unit.connection.execute(insert(t.conversations).values(_known(t.conversations, row)))

    def close(self) -> None:
        self.store.close()

    def do(self, act: Callable[[Unit], T]) -> T:
        """Do one act of the person in a unit of work of its own."""
        self.clock.advance(1)
        with self.store.unit() as unit:
            return act(unit)

    def keep(self, claim: str, state: CorrectionState = CorrectionState.ACTIVE, **more: Any) -> Kept:
        return self.do(lambda unit: self.rules.keep(unit, draft(claim, **more), state))

    def propose(self, claim: str, **more: Any) -> Kept:
        return self.keep(claim, CorrectionState.PROPOSED, **{"provenance": Provenance.REVIEWER} | more)

    def confirm(self, correction_id: str) -> Kept:
        return self.do(lambda unit: self.rules.confirm(unit, correction_id))

    def edit(self, correction_id: str, claim: str) -> Kept:
        return self.do(lambda unit: self.rules.edit(unit, correction_id, claim))

    def move(self, correction_id: str, scope: Scope, **to: str) -> Kept:
        return self.do(lambda unit: self.rules.move(unit, correction_id, scope, **to))

    def pin(self, correction_id: str, *, pinned: bool = True) -> Correction:
        return self.do(lambda unit: self.rules.pin(unit, correction_id, pinned=pinned))

    def supersede(self, newer: str, older: str) -> Kept:
        return self.do(lambda unit: self.rules.supersede(unit, newer, older))

    def erase(self, correction_id: str) -> Correction:
        return self.do(lambda unit: self.rules.erase(unit, correction_id))

    def dismiss(self, correction_id: str) -> Correction:
        return self.do(lambda unit: self.rules.dismiss(unit, correction_id))

    def undo(self) -> Undone:
        return self.do(self.rules.undo)

    def delete_project(self, project_id: str) -> None:
        def gone(unit: Unit) -> None:
            self.forgetting.project(unit, project_id)
            unit.connection.execute(delete(t.projects).where(t.projects.c.project_id == project_id))

        self.do(gone)

    def delete_talk(self, conversation_id: str) -> None:
        self.do(lambda unit: self.forgetting.conversations(unit, [conversation_id], with_memory=False))

    # --- what there is -------------------------------------------------------------------------------------------

    def get(self, correction_id: str) -> Correction:
        with self.store.read() as unit:
            found = self.corrections.get(unit, correction_id)
        assert found is not None
        return found

    def all(self, *states: CorrectionState) -> list[Correction]:
        with self.store.read() as unit:
            return list(self.corrections.listed(unit, states or tuple(CorrectionState), limit=10_000))

    @property
    def active(self) -> list[Correction]:
        return sorted(self.all(CorrectionState.ACTIVE), key=lambda each: each.id)

    @property
    def claims(self) -> list[str]:
        return [each.claim for each in self.active]

    def entries(self) -> int:
        with self.store.read() as unit:
            return int(unit.connection.execute(select(func.count()).select_from(t.audit_log)).scalar() or 0)

    def events(self, correction_id: str) -> list[str]:
        with self.store.read() as unit:
            return [happened.change.value for happened in self.corrections.history(unit, correction_id)]

    @property
    def intact(self) -> bool:
        return AuditUseCases(self.store, self.log).verify().ok


def _known(table: Any, row: dict[str, str]) -> dict[str, str]:
    return {name: value for name, value in row.items() if name in table.c}


def draft(claim: str, **more: Any) -> Draft:
    """Return a rule that the user says outright, changed by `more`."""
    values: dict[str, Any] = {
        "type": CorrectionType.INSTRUCTION,
        "scope": Scope.GLOBAL,
        "provenance": Provenance.USER_EXPLICIT,
    }
    return Draft(claim=claim, **values | more)


def where(correction: Correction) -> tuple[str, str, str | None, str]:
    """Return what no two active corrections share: scope, place, slot and condition."""
    return correction.scope, place_of(correction.scope, correction), correction.slot, correction.condition
