"""What the tests of the server share."""

from collections.abc import AsyncIterator, Iterator

import pytest
from tests.integration.app.hall import Hall
from tests.integration.server.desk import Served
from tests.integration.server.desk import served as serving


@pytest.fixture
def hall(tmp_path, clock, ids, rng) -> Iterator[Hall]:
    found = Hall(tmp_path / "hall", clock, ids, rng)
    yield found
    found.close()


@pytest.fixture
async def served(hall) -> AsyncIterator[Served]:
    async with serving(hall) as found:
        yield found
