"""Several writers at once: one of them wins a slot, and no error reaches a person."""

import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.integration.memory.remembering import Remembered, draft, where

from auritas.audit.adapters.sql import SqlAuditLog
from auritas.kernel.ids import TimeOrderedIds
from auritas.kernel.memory import CorrectionState, CorrectionType
from auritas.kernel.randomness import SeededRng, SystemEntropy
from auritas.memory.adapters.corrections_sql import SqlCorrections
from auritas.memory.service import Remembering
from auritas.store import Unit

THREADS, PROCESSES, EACH = 4, 2, 8
WRITER = """
import sys
from pathlib import Path
from auritas.audit.adapters.sql import SqlAuditLog
from auritas.kernel.clock import SystemClock
from auritas.kernel.ids import TimeOrderedIds
from auritas.kernel.memory import CorrectionType, Provenance, Scope
from auritas.kernel.randomness import SeededRng, SystemEntropy
from auritas.memory.adapters.corrections_sql import SqlCorrections
from auritas.memory.model import Draft
from auritas.memory.service import Remembering
from auritas.store import SqlStore
from auritas.store.secret import Secret

clock, seed = SystemClock(), int(sys.argv[2])
ids = TimeOrderedIds(clock, SeededRng(seed))
rules = Remembering(SqlCorrections(SqlAuditLog(clock, SystemEntropy(), ids), clock), clock, ids)
with SqlStore.open(Path(sys.argv[1]), Secret(bytes(range(32)))) as store:
    for number in range(int(sys.argv[3])):
        claim = f"The limit is {1000 * seed + number}"
        with store.unit() as unit:
            rules.keep(unit, Draft(claim, CorrectionType.FACT, Scope.GLOBAL, Provenance.USER_EXPLICIT))
"""


@pytest.fixture
def box(tmp_path: Path) -> Iterator[Remembered]:
    found = Remembered(tmp_path / "box")
    yield found
    found.close()


def writer(box: Remembered, seed: int) -> Remembering[Unit]:
    """Return the rules as another part of the program holds them: with a log and ids of its own."""
    ids = TimeOrderedIds(box.clock, SeededRng(seed))
    log = SqlAuditLog(box.clock, SystemEntropy(), ids)
    return Remembering(SqlCorrections(log, box.clock), box.clock, ids)


def test_writers_of_one_slot_leave_one_winner(box):
    """Threads and processes that fill one slot at once: one holds, all others are superseded, none fails (M4)."""
    failed: list[BaseException] = []

    def write(seed: int) -> None:
        rules = writer(box, seed)
        try:
            for number in range(EACH):
                with box.store.unit() as unit:
                    rules.keep(unit, draft(f"The limit is {1000 * seed + number}", type=CorrectionType.FACT))
        except BaseException as error:  # noqa: BLE001  whatever it is, the person would have seen it
            failed.append(error)

    command = [sys.executable, "-c", WRITER, str(box.folder)]
    processes = [subprocess.Popen([*command, str(seed), str(EACH)]) for seed in range(10, 10 + PROCESSES)]
    threads = [threading.Thread(target=write, args=(seed,)) for seed in range(20, 20 + THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [process.wait(120) for process in processes] == [0] * PROCESSES
    assert failed == []
    states = Counter(each.state for each in box.all())
    all_of_them = EACH * (THREADS + PROCESSES)
    assert states == {CorrectionState.ACTIVE: 1, CorrectionState.SUPERSEDED: all_of_them - 1}
    assert box.intact


def test_a_history_of_races_can_be_undone_to_its_beginning(box):
    """After two took turns in one slot, undo walks back through both of their acts to nothing (M4)."""
    turns = [writer(box, 1), writer(box, 2)]
    for number in range(EACH):
        box.do(lambda unit, at=number: turns[at % 2].keep(unit, draft(f"The limit is {at}", type=CorrectionType.FACT)))
    for number in reversed(range(EACH)):
        assert box.claims == [f"The limit is {number}"]
        box.undo()
    assert box.active == []


def test_the_store_itself_refuses_a_rival(box):
    """Even a writer that forgot to look cannot make two hold in one slot: the index refuses (M4)."""
    first = box.keep("The limit is 50", type=CorrectionType.FACT).correction
    second = box.keep("Use tabs").correction
    statement = "UPDATE corrections SET slot = ?, claim = 'rival' WHERE id = ?"
    with pytest.raises(Exception, match="UNIQUE"), box.store.unit() as unit:
        unit.connection.exec_driver_sql(statement, (first.slot, second.id))
    assert len({where(each) for each in box.active}) == len(box.active) == 2
