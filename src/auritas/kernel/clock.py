"""Time has one owner. Inside it is UTC with microseconds; the user's zone belongs to the edges."""

import asyncio
import time
from datetime import UTC, datetime, timedelta
from typing import Protocol


class Clock(Protocol):
    """The only source of the present moment."""

    def now(self) -> datetime:
        """Return the current moment: aware, UTC, with microseconds."""

    def monotonic(self) -> float:
        """Return seconds from an arbitrary start that never run backwards."""

    async def sleep(self, seconds: float) -> None:
        """Return after `seconds` of this clock."""


class SystemClock:
    """The machine's clock."""

    def now(self) -> datetime:
        return datetime.now(UTC)

    def monotonic(self) -> float:
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


class ManualClock:
    """A clock that moves only when told to; sleeping on it moves it."""

    def __init__(self, start: datetime = datetime(2026, 1, 1, tzinfo=UTC)) -> None:
        self._start = start
        self._elapsed = 0.0

    def now(self) -> datetime:
        return self._start + timedelta(seconds=self._elapsed)

    def monotonic(self) -> float:
        return self._elapsed

    def advance(self, seconds: float) -> None:
        """Move the clock forward by `seconds`."""
        self._elapsed += seconds

    async def sleep(self, seconds: float) -> None:
        self.advance(max(seconds, 0.0))
        await asyncio.sleep(0)


def timestamp(moment: datetime) -> str:
    """Return `moment` as RFC 3339 in UTC with exactly six digits of microseconds, so that text order is time order."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def from_timestamp(text: str) -> datetime:
    """Return the moment that `timestamp` wrote. Raises ValueError on anything that is not RFC 3339 with a zone."""
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        msg = f"{text!r} has no time zone"
        raise ValueError(msg)
    return moment.astimezone(UTC)
