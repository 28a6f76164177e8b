"""The use case behind `auritas import`: conversations of other programs, or of our own export, land one at a time."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from auritas.kernel.clock import Clock
from auritas.memory.adapters.imports_guard import CutOffError
from auritas.memory.adapters.imports_json import FileSource, Source, Step, look_into
from auritas.memory.adapters.imports_sql import ImportRecords, Landed
from auritas.memory.adapters.projects_sql import ProjectRecords
from auritas.memory.imports.model import DAMAGED_SHOWN, Damaged, Imported, LeftOut, Tally
from auritas.store import SqlStore

if TYPE_CHECKING:
    from auritas.app.spine import Spine

__all__ = ["Damaged", "Imports", "LeftOut", "Progressed", "Tally"]


@dataclass(frozen=True, slots=True)
class Progressed:
    """How far an import has come. done, total: bytes of the file; tally: what has landed and is committed."""

    tally: Tally
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class Imports:
    """Reads an export file and writes each conversation in a unit of work of its own."""

    store: SqlStore
    records: ImportRecords
    clock: Clock

    def run(self, file: Path | Source) -> Iterator[Progressed]:
        """Yield after each conversation how far it is; the last one tells what came of all.

        Whenever it is stopped, what has been yielded is kept, and the next run adds only what is new. What is imported
        is data: no correction is made of it. Raises NotFoundError and UnknownExportError before anything is written.
        """
        source = FileSource(file) if isinstance(file, Path) else file
        found = look_into(source)
        now = Progressed(Tally(ignored_files=found.ignored), 0, source.size)
        try:
            for step in found.entries(self.clock.now()):
                now = Progressed(self._landed(now.tally, step), step.done, step.total)
                yield now
        except CutOffError as broken:
            now = replace(now, tally=replace(now.tally, cut_off=str(broken)))
        yield now

    def _landed(self, tally: Tally, step: Step) -> Tally:
        match step.found:
            case Damaged() as damaged:
                shown = (*tally.damaged, damaged)[:DAMAGED_SHOWN]
                return replace(tally, failed=tally.failed + 1, damaged=shown)
            case Imported(messages=(), id=None):
                return replace(tally, empty=tally.empty + 1)
            case imported:
                with self.store.unit() as unit:
                    landed = self.records.land(unit, imported)
                return _counted(tally, imported, landed)


def _counted(tally: Tally, imported: Imported, landed: Landed) -> Tally:
    changed = replace(tally, messages=tally.messages + landed.messages, left_out=tally.left_out + imported.left_out)
    if landed.is_new:
        return replace(changed, conversations=tally.conversations + 1)
    if landed.messages:
        return replace(changed, continued=tally.continued + 1)
    return replace(changed, known=tally.known + 1)


def imports_over(parts: "Spine") -> Imports:
    """Put the use case together over an open store."""
    projects = ProjectRecords(parts.log, parts.clock, parts.ids)
    return Imports(parts.store, ImportRecords(parts.log, parts.clock, parts.ids, projects), parts.clock)
