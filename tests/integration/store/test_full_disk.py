"""F5: no room, no permission."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select
from tests.integration.store.full import filled
from tests.integration.store.kills import ROOT

from auritas.kernel.randomness import SystemEntropy
from auritas.store.database import SqlStore
from auritas.store.engine import Tuning
from auritas.store.errors import StoreFullError
from auritas.store.health import examine
from auritas.store.schema import local_settings
from auritas.store.secret import Secret

PROGRAM = f"{sys.executable} -m tests.integration.store.full"
MOUNT = ["unshare", "--map-root-user", "--mount", "sh", "-ec"]


@pytest.fixture
def key() -> Secret:
    return Secret(SystemEntropy().token(32))


def run(command: list[str], key: Secret) -> list[dict[str, Any]]:
    """Run a command that prints results as lines of JSON."""
    environment = dict(os.environ) | {"AURITAS_TEST_KEY": key.reveal().hex()}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return [json.loads(line) for line in done.stdout.splitlines()]


def in_namespace(script: str, key: Secret) -> list[dict[str, Any]]:
    """Run a shell script where it may mount, or skip and say why not."""
    tried = subprocess.run([*MOUNT, "mount -t tmpfs tmpfs /mnt"], capture_output=True, text=True, check=False)
    if tried.returncode:
        pytest.skip(f"this machine lets nobody mount in a namespace of their own: {tried.stderr.strip()}")
    return run([*MOUNT, script], key)


def assert_full(result: dict[str, Any], *codes: str) -> None:
    assert result["code"] in codes
    assert result["exit"] == 5
    assert result["remedy"]
    assert result["written"] > 0
    assert result["rows"] == 2 * result["written"]
    assert result["findings"] == []


def test_a_full_disk(key: Secret):
    """On a disk of 4 MiB the write that does not fit raises the typed error; every unit before is whole (F5)."""
    (result,) = in_namespace(f"mount -t tmpfs -o size=4m tmpfs /mnt; {PROGRAM} /mnt/home fill", key)
    assert_full(result, "store_full", "store_io")


def test_a_full_disk_from_the_start(key: Secret):
    """Where there is not even room for the schema, the first start is a typed error, and works once there is (F5)."""
    grow = "mount -o remount,size=8m /mnt"
    script = f"mount -t tmpfs -o size=300k tmpfs /mnt; {PROGRAM} /mnt/home open; {grow}; {PROGRAM} /mnt/home open"
    first, second = in_namespace(script, key)
    assert first["code"] in {"store_full", "store_io"}
    assert first["exit"] == 5
    assert second["code"] is None


def test_a_read_only_disk(key: Secret):
    """A database on a disk that became read-only is a typed error with a remedy (F5)."""
    script = (
        f"mount -t tmpfs tmpfs /mnt; {PROGRAM} /mnt/home open; mount -o remount,ro /mnt; {PROGRAM} /mnt/home open; "
        f"{PROGRAM} /mnt/other open"
    )
    made, again, fresh = in_namespace(script, key)
    assert made["code"] is None
    for refused in (again, fresh):
        assert refused["code"] == "store_read_only"
        assert refused["exit"] == 5
        assert "AURITAS_HOME" in refused["remedy"]


def test_a_limit_on_the_size_of_files(tmp_path: Path, key: Secret):
    """A limit on file sizes, a "disk I/O error" to SQLite, is a typed error too; nothing is half there (F5)."""
    (result,) = run([sys.executable, "-m", "tests.integration.store.full", str(tmp_path / "home"), "limit"], key)
    assert_full(result, "store_full", "store_io")


def test_a_full_file_keeps_whole_units(tmp_path: Path, key: Secret):
    """Under a cap on pages the unit that does not fit leaves nothing, and the store goes on (F5)."""
    with SqlStore.open(tmp_path / "home", key, tuning=Tuning(max_pages=400)) as store:
        written, error = filled(store)
        assert isinstance(error, StoreFullError)
        assert error.exit_code == 5
        with store.unit() as unit:
            assert unit.connection.scalar(select(func.count()).select_from(local_settings)) == 2 * written
            unit.connection.execute(local_settings.delete())
            unit.connection.execute(local_settings.insert().values(key="again", value=""))
        assert examine(store.home, key).ok


def test_no_room_for_a_backup(tmp_path: Path, key: Secret):
    """A backup for which the disk has no room is refused before anything is written (F5)."""
    (result,) = in_namespace(f"mount -t tmpfs -o size=8m tmpfs /mnt; {PROGRAM} {tmp_path}/home backup", key)
    assert (result["code"], result["exit"]) == ("store_full", 5)
    assert result["left"] == []
