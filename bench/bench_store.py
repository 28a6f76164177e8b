"""How fast the encrypted store is, beside plain sqlite3: python bench/bench_store.py.

Plain means the standard library on an unencrypted file in the same folder, with the same journal and the same level of
syncing. Compare ratios, not figures of two machines. Each commit inserts one row of about 200 bytes.
"""

import asyncio
import os
import resource
import signal
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from time import perf_counter

from rich.console import Console
from rich.table import Table

from auritas.kernel.clock import SystemClock
from auritas.kernel.randomness import SystemEntropy
from auritas.kernel.tasks import TaskSpawner
from auritas.store import SqlStore
from auritas.store.backup import back_up
from auritas.store.engine import Access, connect
from auritas.store.envelope import by_keyring
from auritas.store.health import examine
from auritas.store.home import replace_file
from auritas.store.schema import conversations, local_settings, messages
from auritas.store.secret import Secret
from auritas.store.unit import Unit

COMMITS = 5_000
LANES = 256
BATCH = 500
MESSAGES = 100_000
MOMENT = "2026-01-01T00:00:00.000000Z"
TEXT = "x" * 200
INSERT = "INSERT INTO local_settings (key, value) VALUES (?, ?)"
NUMBERS = count()


@dataclass(frozen=True)
class Row:
    """One line of the table: what, how much, and how much the plain way gives."""

    what: str
    figure: float
    unit: str
    plain: float | None = None
    note: str = ""


def rate(work: Callable[[], None], times: int) -> float:
    """Return how often `work` happens in a second; it does so `times` times in one call."""
    start = perf_counter()
    work()
    return times / (perf_counter() - start)


def seconds(work: Callable[[], object]) -> float:
    start = perf_counter()
    work()
    return perf_counter() - start


def name() -> str:
    return f"n{next(NUMBERS)}"


def plain_rate(folder: Path, synchronous: str, rows: int = 1) -> float:
    """Commits a second of the standard library on a plain file."""
    with closing(sqlite3.connect(folder / f"plain-{synchronous}-{rows}.db", isolation_level=None)) as plain:
        plain.execute("PRAGMA journal_mode=WAL")
        plain.execute(f"PRAGMA synchronous={synchronous}")
        plain.execute("CREATE TABLE local_settings (key TEXT PRIMARY KEY, value TEXT, updated_at TEXT) STRICT")
        return rate(lambda: raw_commits(plain, COMMITS // rows, rows), COMMITS // rows)


def raw_commits(connection: sqlite3.Connection, times: int, rows: int) -> None:
    for _ in range(times):
        connection.execute("BEGIN IMMEDIATE")
        connection.executemany(INSERT, [(name(), TEXT) for _ in range(rows)])
        connection.execute("COMMIT")


def unit_commits(store: SqlStore, times: int, rows: int, *, sync: bool = False) -> None:
    for _ in range(times):
        with store.unit() as unit:
            unit.connection.execute(local_settings.insert(), [{"key": name(), "value": TEXT} for _ in range(rows)])
        if sync:
            store.sync()


def grouped(store: SqlStore, times: int) -> None:
    def put(unit: Unit) -> None:
        unit.connection.execute(local_settings.insert(), {"key": name(), "value": TEXT})

    async def lane() -> None:
        for _ in range(times // LANES):
            await store.write(put)

    async def lanes() -> None:
        spawner = TaskSpawner()
        for task in [spawner.spawn("lane", lane()) for _ in range(LANES)]:
            await task

    asyncio.run(lanes())


def commit_rows(folder: Path, store: SqlStore, key: Secret) -> Iterator[Row]:
    normal, full, batch = plain_rate(folder, "NORMAL"), plain_rate(folder, "FULL"), plain_rate(folder, "NORMAL", BATCH)
    yield Row("plain sqlite3, NORMAL", normal, "commits/s", normal)
    yield Row("plain sqlite3, FULL", full, "commits/s", full)
    with closing(connect(store.home.database, key, Access.WRITE)) as raw:
        ours = rate(lambda: raw_commits(raw, COMMITS, 1), COMMITS)
        yield Row("SQLCipher driver, NORMAL", ours, "commits/s", normal)
        raw.execute("PRAGMA synchronous=FULL")
        ours = rate(lambda: raw_commits(raw, COMMITS, 1), COMMITS)
        yield Row("SQLCipher driver, FULL", ours, "commits/s", full)
    yield Row("store.unit(), NORMAL", rate(lambda: unit_commits(store, COMMITS, 1), COMMITS), "commits/s", normal)
    synced = rate(lambda: unit_commits(store, COMMITS // 5, 1, sync=True), COMMITS // 5)
    yield Row("store.unit() and store.sync()", synced, "commits/s", full, "two commits, one synced")
    before = store.commits
    writes = rate(lambda: grouped(store, COMMITS * 4), COMMITS * 4)
    note = f"{COMMITS * 4} writes in {store.commits - before} commits"
    yield Row(f"store.write(), {LANES} at once", writes, "writes/s", normal, note)
    rows = rate(lambda: unit_commits(store, COMMITS * 4 // BATCH, BATCH), COMMITS * 4)
    yield Row(f"rows in units of {BATCH}", rows, "rows/s", batch * BATCH)


def fill(store: SqlStore) -> None:
    with store.unit() as unit:
        talk = {"conversation_id": "c", "created_at": MOMENT, "updated_at": MOMENT}
        unit.connection.execute(conversations.insert(), talk)
    for start in range(0, MESSAGES, BATCH):
        rows = [
            {"message_id": f"m{n}", "conversation_id": "c", "role": "user", "content": TEXT, "created_at": MOMENT}
            for n in range(start, start + BATCH)
        ]
        with store.unit() as unit:
            unit.connection.execute(messages.insert(), rows)


def killed(folder: Path, key: Secret) -> None:
    """Start a process that writes into the store, and kill it in the middle."""
    root = Path(__file__).parents[1]
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.integration.store.load", str(folder), "bench"],
        cwd=root,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    if process.stdin and process.stdout:
        process.stdin.write(key.reveal().hex().encode() + b"\n")
        process.stdin.flush()
        for _ in range(500):
            process.stdout.readline()
    process.send_signal(signal.SIGKILL)
    process.communicate()


def served(folder: Path, key: Secret) -> None:
    """Open, read the newest message, write one row."""
    with SqlStore.open(folder, key) as store:
        with store.read() as unit:
            unit.connection.execute(messages.select().order_by(messages.c.seq.desc()).limit(1)).one()
        with store.unit() as unit:
            unit.connection.execute(local_settings.insert(), {"key": name(), "value": ""})


def life_rows(folder: Path, key: Secret) -> Iterator[Row]:
    with SqlStore.open(folder, key) as store:
        fill(store)
    yield Row("open a sound store", seconds(lambda: SqlStore.open(folder, key).close()) * 1000, "ms")
    killed(folder, key)
    again = seconds(lambda: served(folder, key)) * 1000
    yield Row(f"serve again after kill -9, {MESSAGES} messages", again, "ms", note="at most 2,000")
    with SqlStore.open(folder, key) as store:
        size = store.home.database.stat().st_size / 2**20
        yield Row("check every page", size / seconds(lambda: examine(store.home, key)), "MiB/s", note=f"{size:.0f} MiB")
        replace_file(store.home.envelope, by_keyring("bench", key).encode())
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        clock, entropy = SystemClock(), SystemEntropy()
        took = seconds(lambda: back_up(store.home, key, folder / "b.backup", clock=clock, entropy=entropy))
        grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
        yield Row("backup, verified", size / took, "MiB/s", note=f"peak memory grew by {grown:.0f} MiB")


def main() -> None:
    table = Table("what", "figure", "unit", "of plain sqlite3", "note", title=f"store, {os.cpu_count()} cores")
    key = Secret(SystemEntropy().token(32))
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        with SqlStore.open(folder / "commits", key) as store:
            rows = list(commit_rows(folder, store, key))
        for row in [*rows, *life_rows(folder / "life", key)]:
            ratio = "" if row.plain is None else f"{row.figure / row.plain:.2f}"
            table.add_row(
                row.what, f"{row.figure:,.1f}" if row.figure < 100 else f"{row.figure:,.0f}", row.unit, ratio, row.note
            )
    Console(width=120).print(table)


if __name__ == "__main__":
    main()
