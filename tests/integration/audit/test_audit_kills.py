"""F4, the part of the log: after each kill -9 of a mixed load the audit log verifies and misses nothing."""

from pathlib import Path

import pytest
from tests.integration.audit.witnesses_of_kills import AuditWatch
from tests.integration.store.kills import campaign

from auritas.kernel.randomness import SystemEntropy
from auritas.store.secret import Secret

EACH = "tests.integration.audit.witnesses_of_kills:append"


def run(tmp_path: Path, kills: int, seed: int) -> int:
    """Run the campaign with an audit entry in each write and return how many writes were acknowledged."""
    watch = AuditWatch()
    key = Secret(SystemEntropy().token(32))
    acknowledged = campaign(tmp_path / "home", key, kills=kills, seed=seed, each=EACH, check=watch.look)
    assert len(watch.sizes) == kills
    assert watch.sizes == sorted(watch.sizes)
    assert watch.sizes[-1] >= acknowledged
    return acknowledged


@pytest.mark.timeout(120)
def test_the_log_survives_twenty_kills(tmp_path: Path):
    """Each acknowledged write has its entry, and the whole log and its signed heads verify after each kill (F4)."""
    assert run(tmp_path, 20, seed=5) > 20


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_the_log_survives_two_hundred_kills(tmp_path: Path):
    """The same over 200 kills of one growing log (F4)."""
    assert run(tmp_path, 200, seed=55) > 200
