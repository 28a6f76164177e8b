"""A question that was given up, because its process seemed dead, and is answered after all."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from sqlalchemy import select
from tests.integration.app.hall import Hall, voice

from auritas.council.adapters.behind_sql import behind
from auritas.kernel.answers import AccuracyLevel
from auritas.kernel.events import AskFinished, AskStarted
from auritas.store import Unit
from auritas.store import schema as t


@pytest.fixture
def hall(tmp_path, clock, ids, rng) -> Iterator[Hall]:
    found = Hall(tmp_path / "hall", clock, ids, rng)
    yield found
    found.close()


def asked_in(unit: Unit) -> list[str]:
    return list(unit.connection.execute(select(t.queries.c.question_message_id)).scalars())


@pytest.mark.anyio
async def test_an_answer_that_comes_after_all_counts(hall):
    """A machine may sleep for hours in the middle of a question: its answer is shown with its own reasons (F5)."""
    hall.seat(voice("ada"), 15)
    auritas, result = hall.auritas, None
    async for event in auritas.ask("Is it so?", level=AccuracyLevel.FAST):
        if isinstance(event, AskStarted):
            with auritas.store.unit() as unit:
                auritas.records.give_up(unit, auritas.clock.now() + timedelta(seconds=1))
            assert [each.status for each in auritas.questions.newest(1)] == ["abandoned"]
            with auritas.store.read() as unit:
                assert [one.state for one in behind(unit, asked_in(unit)).values()] == ["abandoned"]
        if isinstance(event, AskFinished):
            result = event.result
    assert result is not None
    (found,) = auritas.questions.newest(1)
    assert (found.status, found.trace_id) == ("finished", result.trace_id)
    shown = auritas.question_pages.show(found.query_id)
    assert shown.message_id is not None
    assert shown.decision.chosen is not None
