"""A deadline that is really enforced: the work behind a stream is stopped, whatever it waits for."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import TypeVar

from auritas.kernel.clock import Clock

T = TypeVar("T")


async def within(
    parts: AsyncGenerator[T, None], until: float, clock: Clock, passed: Callable[[], Exception]
) -> AsyncGenerator[T, None]:
    """Yield the items of `parts` until the clock's monotonic time `until`, then stop it and raise `passed()`.

    The wait itself is cut by the event loop's timer, so a stream that hangs is cut too; the clock decides about items
    that arrive late, so a clock in a test decides as well.
    """
    async with aclosing(parts):
        while True:
            left = until - clock.monotonic()
            if left <= 0:
                raise passed()
            limit = asyncio.timeout(left)
            try:
                async with limit:
                    item = await anext(parts)
            except StopAsyncIteration:
                return
            except TimeoutError:
                if not limit.expired():
                    raise
                raise passed() from None
            if clock.monotonic() > until:
                raise passed()
            yield item
