"""F6: several processes at once."""

import json
import subprocess
import sys
from pathlib import Path

from tests.integration.store.kills import ROOT, examine_whole, start

from auritas.kernel.randomness import SystemEntropy
from auritas.store.secret import Secret

WRITES = 60

FIRST_START = """
import json, pathlib, sys
from auritas.store import open_store
from auritas.store.keychain import NoKeychain
opened = open_store(pathlib.Path(sys.argv[1]), keychain=NoKeychain())
with opened.store.unit() as unit:
    unit.connection.exec_driver_sql("INSERT INTO local_settings (key, value) VALUES (?, '')", (sys.argv[2],))
opened.store.close()
print(json.dumps([opened.created, opened.unlocked.install]))
"""


def test_four_processes_write_at_once(tmp_path: Path):
    """Four processes, alone and grouped writes mixed: all arrive, and nobody sees "database is locked" (F6)."""
    key = Secret(SystemEntropy().token(32))
    processes = [start(tmp_path / "home", key, str(n), "--writes", str(WRITES)) for n in range(4)]
    acknowledged: set[str] = set()
    for process in processes:
        out, errors = process.communicate(timeout=240)
        assert (process.returncode, errors) == (0, "")
        acknowledged |= set(out.split())
    assert examine_whole(tmp_path / "home", key, lambda _store: None) == acknowledged
    assert len(acknowledged) >= 4 * 2 * WRITES


def test_four_first_starts_at_once(tmp_path: Path):
    """Four processes that start for the first time at the same moment agree on one key and one database (F6)."""
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", FIRST_START, str(tmp_path / "home"), str(n)],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for n in range(4)
    ]
    results = []
    for process in processes:
        out, errors = process.communicate(timeout=120)
        assert (process.returncode, errors) == (0, "")
        results.append(json.loads(out))
    assert sorted(created for created, _ in results) == [False, False, False, True]
    assert len({install for _, install in results}) == 1
