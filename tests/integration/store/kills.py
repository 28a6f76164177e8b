"""The campaign of kills: start the load, kill it at a random moment, open again, and miss nothing.

    missing = campaign(folder, key, kills=20, seed=1, each="my.module:append", check=my_check)

`each` and `check` are the seams for what others keep in the same file, the audit log above all.
"""

import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

from sqlalchemy import select

from auritas.kernel.randomness import SeededRng
from auritas.store.database import SqlStore
from auritas.store.health import examine
from auritas.store.schema import local_settings, outbox
from auritas.store.secret import Secret

ROOT = Path(__file__).parents[3]
NOTHING = "tests.integration.store.load:nothing"
LONGEST_S = 0.4

Check = Callable[[SqlStore], None]


def start(folder: Path, key: Secret, prefix: str, *more: str) -> "subprocess.Popen[str]":
    """Start the load program on `folder`."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.integration.store.load", str(folder), prefix, *more],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    process.stdin.write(key.reveal().hex() + "\n")
    process.stdin.flush()
    return process


def campaign(
    folder: Path, key: Secret, *, kills: int, seed: int, each: str = NOTHING, check: Check = lambda _store: None
) -> int:
    """Kill `kills` times; after each, assert that nothing acknowledged is lost and nothing is half there.

    Returns how many writes were acknowledged in all.
    """
    rng = SeededRng(seed)
    acknowledged: set[str] = set()
    for round_number in range(kills):
        acknowledged |= _killed(start(folder, key, str(round_number), "--each", each), rng.uniform() * LONGEST_S)
        assert examine_whole(folder, key, check) >= acknowledged
    return len(acknowledged)


def _killed(process: "subprocess.Popen[str]", after_s: float) -> set[str]:
    assert process.stdout is not None
    first = process.stdout.readline()  # the load is running
    threading.Event().wait(after_s)
    process.send_signal(signal.SIGKILL)
    rest, errors = process.communicate(timeout=60)
    assert process.returncode == -signal.SIGKILL, (process.returncode, errors)
    assert not errors
    return {line.strip() for line in [first, *rest.splitlines(keepends=True)] if line.endswith("\n")}


def examine_whole(folder: Path, key: Secret, check: Check) -> set[str]:
    """Open the store, assert that it is sound and that both tables agree, and return the names in it."""
    with SqlStore.open(folder, key) as store:
        health = examine(store.home, key)
        assert health.ok, health
        with store.read() as unit:
            names = set(unit.connection.scalars(select(local_settings.c.key)))
            assert names == set(unit.connection.scalars(select(outbox.c.topic)))
        check(store)
    return names
