"""F4: kill -9 at random points of a mixed load."""

from pathlib import Path

import pytest
from tests.integration.store.kills import campaign

from auritas.kernel.randomness import SystemEntropy
from auritas.store.database import SqlStore
from auritas.store.secret import Secret


def run(tmp_path: Path, kills: int, seed: int) -> int:
    key, looked = Secret(SystemEntropy().token(32)), []

    def look(store: SqlStore) -> None:
        looked.append(store)

    acknowledged = campaign(tmp_path / "home", key, kills=kills, seed=seed, check=look)
    assert len(looked) == kills
    return acknowledged


def test_twenty_kills(tmp_path: Path):
    """After each of 20 kills no acknowledged write is lost, none is half there, and the file is sound (F4)."""
    assert run(tmp_path, 20, seed=4) > 20


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_two_hundred_kills(tmp_path: Path):
    """The same over 200 kills of one growing file (F4)."""
    assert run(tmp_path, 200, seed=44) > 200
