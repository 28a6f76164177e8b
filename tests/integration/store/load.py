"""A program that writes as fast as it can and says what was acknowledged, until somebody kills it.

    python -m tests.integration.store.load FOLDER PREFIX [--writes N] [--each MODULE:FUNCTION]

The key comes in hexadecimal on the standard input. One line on the standard output per committed write: its name.
Each write puts a row into two tables and, with --each, does what that function (unit, number) does in the same unit.
"""

import argparse
import asyncio
import os
import sys
import threading
from collections.abc import Callable, Iterator
from importlib import import_module
from itertools import count
from pathlib import Path

from auritas.kernel.tasks import TaskSpawner
from auritas.store.database import SqlStore
from auritas.store.schema import local_settings, outbox
from auritas.store.secret import Secret
from auritas.store.unit import Unit

MOMENT = "2026-01-01T00:00:00.000000Z"
GROUP = 16
PADDING = "x" * 400

Each = Callable[[Unit, int], None]


def nothing(unit: Unit, number: int) -> None:
    """Add nothing to a write."""


def write(unit: Unit, name: str, number: int, each: Each) -> str:
    """Write one name into both tables; they must never differ."""
    unit.connection.execute(local_settings.insert().values(key=name, value=name + PADDING))
    row = {"topic": name, "payload": "{}", "created_at": MOMENT, "available_at": MOMENT}
    unit.connection.execute(outbox.insert().values(row))
    each(unit, number)
    return name


def acknowledge(name: str) -> None:
    """Tell the parent; one write call, so that a line is whole or absent."""
    os.write(1, f"{name}\n".encode())


def alone(store: SqlStore, prefix: str, numbers: Iterator[int], each: Each) -> None:
    """Write one unit after the other."""
    for number in numbers:
        name = f"{prefix}-alone-{number}"
        with store.unit() as unit:
            write(unit, name, number, each)
        acknowledge(name)


async def grouped(store: SqlStore, prefix: str, numbers: Iterator[int], each: Each) -> None:
    """Write through the group commit, several at a time."""

    async def lane(index: int) -> None:
        for number in numbers:
            name = f"{prefix}-grouped-{index}-{number}"
            acknowledge(await store.write(lambda unit, n=number, name=name: write(unit, name, n, each)))  # type: ignore[misc]

    spawner = TaskSpawner()
    for task in [spawner.spawn("lane", lane(index)) for index in range(GROUP)]:
        await task


def read_and_sync(store: SqlStore, stop: threading.Event) -> None:
    """Read snapshots and sync; a snapshot that holds half a write ends the program with an error."""
    while not stop.wait(0.01):
        with store.read() as unit:
            counted = [
                unit.connection.exec_driver_sql(f"SELECT count(*) FROM {table}").scalar()  # noqa: S608  two fixed names
                for table in ("local_settings", "outbox")
            ]
        if counted[0] != counted[1]:
            os._exit(3)
        store.sync()


def main() -> None:
    """Run the mixed load."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("prefix")
    parser.add_argument("--writes", type=int, default=0, help="per lane and thread; 0 for ever")
    parser.add_argument("--each", default="tests.integration.store.load:nothing")
    given = parser.parse_args()
    module, _, function = given.each.partition(":")
    each: Each = getattr(import_module(module), function)
    store = SqlStore.open(given.folder, Secret(bytes.fromhex(sys.stdin.readline().strip())))
    stop = threading.Event()

    def numbers() -> Iterator[int]:
        return iter(range(given.writes)) if given.writes else count()

    threads = [
        threading.Thread(target=alone, args=(store, given.prefix, numbers(), each)),
        threading.Thread(target=lambda: asyncio.run(grouped(store, given.prefix, numbers(), each))),
    ]
    observer = threading.Thread(target=read_and_sync, args=(store, stop))
    for thread in (*threads, observer):
        thread.start()
    for thread in threads:
        thread.join()
    stop.set()
    observer.join()
    store.close()


if __name__ == "__main__":
    main()
