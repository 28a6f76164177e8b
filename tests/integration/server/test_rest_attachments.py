"""Attached files over HTTP."""

import pytest
from tests.integration.app.hall import Hall
from tests.integration.server.desk import served

pytestmark = pytest.mark.anyio


async def test_an_empty_file_is_refused_by_name(hall: Hall):
    """A file with nothing in it is called empty, and not a request without a body."""
    async with served(hall) as web:
        answer = await web.send("POST", "/api/v1/attachments", None, 422, name="minutes.txt")
    assert answer["error"]["message"] == "'minutes.txt' is empty."
