"""A real encrypted store in a temporary folder."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from auritas.kernel.randomness import SystemEntropy
from auritas.store.database import SqlStore
from auritas.store.secret import Secret


@pytest.fixture
def key() -> Secret:
    return Secret(SystemEntropy().token(32))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def store(folder: Path, key: Secret) -> Iterator[SqlStore]:
    with SqlStore.open(folder, key) as opened:
        yield opened
