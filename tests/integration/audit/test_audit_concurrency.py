"""Many writers, one history."""

import subprocess
import sys
import threading

from auritas.kernel.log import Kind, LogEvent

APPENDS = 100
THREADS = 8
PROCESSES = 4

WRITER = """
import sys
from pathlib import Path
from auritas.audit.adapters.sql import SqlAuditLog
from auritas.kernel.clock import SystemClock
from auritas.kernel.ids import TimeOrderedIds
from auritas.kernel.log import Kind, LogEvent
from auritas.kernel.randomness import SeededRng, SystemEntropy
from auritas.store import SqlStore
from auritas.store.secret import Secret

clock = SystemClock()
log = SqlAuditLog(clock, SystemEntropy(), TimeOrderedIds(clock, SeededRng()))
with SqlStore.open(Path(sys.argv[1]), Secret(bytes(range(32)))) as store:
    for number in range(int(sys.argv[2])):
        with store.unit() as unit:
            log.append(unit, [LogEvent(Kind.RUN, sys.argv[3], {"run_id": str(number)}, "body")])
"""


def test_threads_and_processes_never_fork_the_log(book):
    """Eight threads and four processes append 100 entries each: none is lost, the history has no fork (F9)."""

    def write(actor: str) -> None:
        for number in range(APPENDS):
            with book.store.unit() as unit:
                book.log.append(unit, [LogEvent(Kind.RUN, actor, {"run_id": str(number)}, "body")])

    command = [sys.executable, "-c", WRITER, str(book.folder), str(APPENDS)]
    processes = [subprocess.Popen([*command, f"process-{number}"]) for number in range(PROCESSES)]
    threads = [threading.Thread(target=write, args=(f"thread-{number}",)) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [process.wait(120) for process in processes] == [0] * PROCESSES

    report = book.audit.verify()
    assert (report.ok, report.reason, report.entries) == (True, "", APPENDS * (THREADS + PROCESSES))
    with book.store.read() as unit:
        written = [(row.actor, row.refs) for row in book.log.entries(unit)]
    assert len(set(written)) == len(written)
    for number in range(PROCESSES):
        mine = [refs for actor, refs in written if actor == f"process-{number}"]
        assert mine == [f'{{"run_id":"{index}"}}' for index in range(APPENDS)], "each writer's order is kept"


def test_two_logs_sign_at_once_without_a_fork(book):
    """Threads that append while others sign leave a log that verifies, with checkpoints that hold."""

    def write() -> None:
        log = book.fresh_log()
        for _ in range(40):
            with book.store.unit() as unit:
                log.append(unit, [LogEvent(Kind.RUN, "user")])

    book.append(1)
    threads = [threading.Thread(target=write), threading.Thread(target=write)]
    threads += [threading.Thread(target=lambda: [book.audit.checkpoint() for _ in range(10)]) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    report = book.audit.verify()
    assert (report.ok, report.reason) == (True, "")
    assert report.checkpoint is not None
