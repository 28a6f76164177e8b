"""Opening a locked store: one try at a time, few tries a minute, and nothing learned from how long one takes."""

import asyncio
from dataclasses import dataclass, field

from auritas.app.household import Household
from auritas.kernel.clock import Clock
from auritas.kernel.errors import RefusedError, UnavailableError
from auritas.server.guard.rates import Bucket, take

TRIES_A_MINUTE = 5
"""For everybody together: whoever guesses must not be able to lend strength from many addresses."""


class OpenAlreadyError(RefusedError):
    """There is nothing to unlock."""

    code = "open_already"

    def __init__(self) -> None:
        super().__init__("The store is open already.", remedy="Let this browser in: auritas open")


class TooManyTriesError(UnavailableError):
    """Passphrases were tried too often."""

    code = "too_many_tries"

    def __init__(self, wait_s: float) -> None:
        self.wait_s = wait_s
        super().__init__("Too many passphrases were tried.", remedy=f"Try again in {wait_s:.0f} seconds.")


@dataclass
class Unlocking:
    """Unlocks one household. Wrong passphrases raise what `Household.unlock` raises."""

    household: Household
    clock: Clock
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    _bucket: Bucket | None = None

    async def unlock(self, passphrase: str) -> None:
        """Open the store. Raises OpenAlreadyError, TooManyTriesError and what a wrong passphrase raises."""
        if not self.household.locked:
            raise OpenAlreadyError
        self._count()
        async with self._turn:
            if not self.household.locked:
                raise OpenAlreadyError
            # Deriving the key takes a noticeable part of a second by design, so never in the event loop.
            await asyncio.to_thread(self.household.unlock, passphrase)

    def _count(self) -> None:
        now = self.clock.monotonic()
        bucket = self._bucket or Bucket(TRIES_A_MINUTE, now)
        self._bucket, wait_s = take(bucket, TRIES_A_MINUTE, now)
        if wait_s:
            raise TooManyTriesError(wait_s)
