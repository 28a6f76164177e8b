"""What the tests of use cases share."""

from collections.abc import Iterator

import pytest
from tests.integration.app.hall import Hall


@pytest.fixture
def hall(tmp_path, clock, ids, rng) -> Iterator[Hall]:
    found = Hall(tmp_path / "hall", clock, ids, rng)
    yield found
    found.close()
