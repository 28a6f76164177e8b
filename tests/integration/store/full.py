"""A program that fills a small disk and says what happened, as JSON.

    python -m tests.integration.store.full FOLDER fill|limit|open|backup

The key comes in hexadecimal in the environment. `fill` writes until there is no room; `limit` does so under a limit
on the size of files; `open` only opens; `backup` backs up to /mnt.
"""

import json
import os
import resource
import sys
from pathlib import Path
from typing import Any

from sqlalchemy import func, select

from auritas.kernel.clock import ManualClock
from auritas.kernel.errors import AuritasError
from auritas.kernel.randomness import SystemEntropy
from auritas.store.backup import back_up
from auritas.store.database import SqlStore
from auritas.store.envelope import by_keyring
from auritas.store.health import examine
from auritas.store.home import replace_file
from auritas.store.schema import local_settings
from auritas.store.secret import Secret

LIMIT_BYTES = 2 * 2**20


def filled(store: SqlStore) -> tuple[int, AuritasError | None]:
    """Write large rows until one fails; return how many were acknowledged, and the error."""
    for number in range(1000):
        try:
            with store.unit() as unit:
                unit.connection.execute(local_settings.insert().values(key=f"a{number}", value="x" * 50_000))
                unit.connection.execute(local_settings.insert().values(key=f"b{number}", value="x" * 50_000))
        except AuritasError as error:
            return number, error
    return 1000, None


def tried(folder: Path, key: Secret, what: str) -> dict[str, Any]:
    """Do it and return what happened."""
    with SqlStore.open(folder, key) as store:
        if what == "open":
            return {"code": None}
        if what == "backup":
            return backed_up(store, key)
        if what == "limit":
            resource.setrlimit(resource.RLIMIT_FSIZE, (LIMIT_BYTES, resource.RLIM_INFINITY))
        written, error = filled(store)
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        with store.read() as unit:
            rows = unit.connection.scalar(select(func.count()).select_from(local_settings))
        health = examine(store.home, key)
    return described(error) | {"written": written, "rows": rows, "findings": health.findings}


def backed_up(store: SqlStore, key: Secret) -> dict[str, Any]:
    """Back up to a disk that is too small and return what became of it."""
    target = Path("/mnt/file.backup")
    replace_file(store.home.envelope, by_keyring("install", key).encode())
    try:
        back_up(store.home, key, target, clock=ManualClock(), entropy=SystemEntropy())
    except AuritasError as error:
        return described(error) | {"left": [path.name for path in target.parent.iterdir()]}
    return described(None)


def described(error: AuritasError | None) -> dict[str, Any]:
    """Return what a program and a person see of an error."""
    if error is None:
        return {"code": None}
    return {"code": error.code, "exit": error.exit_code, "remedy": error.remedy}


def main() -> None:
    """Do what the arguments say."""
    key = Secret(bytes.fromhex(os.environ["AURITAS_TEST_KEY"]))
    try:
        result = tried(Path(sys.argv[1]), key, sys.argv[2])
    except AuritasError as error:
        result = described(error)
    sys.stdout.write(json.dumps(result) + "\n")


if __name__ == "__main__":
    main()
