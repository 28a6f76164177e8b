"""A run that a single request follows to its end."""

import pytest

from auritas.kernel.events import Notice
from auritas.server.following import HEARTBEAT_S, Following

pytestmark = pytest.mark.anyio


async def test_a_beat_is_due_although_the_members_never_fall_silent(served):
    """Whoever gets nothing until the end hears a beat every ten seconds, however fast the members write meanwhile."""
    desk, clock = served.desk, served.hall.clock

    async def work():
        for number in range(12):
            await clock.sleep(HEARTBEAT_S / 4)
            yield Notice("piece", f"Piece {number}.")

    following = Following(desk, desk.start("ask", "Is it so?", work), clock)
    beats = [len(following.replied.notices) async for _ in following.beats()]
    assert len(beats) >= 2
    assert beats == sorted(beats)
    assert len(following.replied.notices) == 12
