"""Catching up once for all who ask for it meanwhile."""

import asyncio
import threading

import pytest

from auritas.app.indexing import SharedCatchUp


class Index:
    """An index whose catching up takes until it is let go; it takes what had been written when it began."""

    def __init__(self) -> None:
        self.written = 0
        self.passes: list[int] = []
        self.go = threading.Event()

    def catch_up(self) -> None:
        covered = self.written
        assert self.go.wait(10)
        self.passes.append(covered)


async def _written_by(index: Index, shared: SharedCatchUp) -> int:
    index.written += 1
    mine = index.written
    await shared()
    assert max(index.passes) >= mine
    return mine


@pytest.mark.anyio
async def test_many_answers_at_once_are_indexed_in_two_goes():
    """Who comes while a pass is under way waits for the next one, which serves all of them; none is left out."""
    index = Index()
    shared = SharedCatchUp(index.catch_up)
    tasks = [asyncio.ensure_future(_written_by(index, shared)) for _ in range(8)]
    await asyncio.sleep(0)
    tasks += [asyncio.ensure_future(_written_by(index, shared)) for _ in range(8)]
    await asyncio.sleep(0)
    index.go.set()
    assert await asyncio.gather(*tasks) == list(range(1, 17))
    assert len(index.passes) <= 2


@pytest.mark.anyio
async def test_a_pass_that_fails_is_not_taken_for_done():
    """Whose pass fails hears of it, and the next one who asks gets a pass of their own."""
    tries = []

    def catch_up() -> None:
        tries.append(1)
        if len(tries) == 1:
            raise OSError("disk full")

    shared = SharedCatchUp(catch_up)
    with pytest.raises(OSError, match="disk full"):
        await shared()
    await shared()
    assert len(tries) == 2
