"""When a note is due: pure rules over what was counted and when it was."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from auritas.memory.notes.model import Counter, Mode, Trigger, Turn

GAP: Final = timedelta(hours=24)
"""A conversation that rests so long is resumed rather than continued."""
GAP_MESSAGES: Final = 5
"""Fewer messages are read again faster than a note about them."""
COVERAGE_EVERY: Final = timedelta(hours=6)
COVERAGE_FIRST: Final = timedelta(seconds=60)
COVERAGE_AT_MOST: Final = 4
"""Notes that one sweep orders: at about a minute each, a laptop is not busy for long."""
COVERAGE_OLDEST: Final = timedelta(days=30)
"""A conversation that nobody touched for a month is not read through by itself; by hand it always is."""
_PERIODS: Final = {
    Mode.AUTO: COVERAGE_EVERY,
    Mode.QUARTER_HOURLY: timedelta(minutes=15),
    Mode.HOURLY: timedelta(hours=1),
}
_IDLE: Final = {
    Mode.AUTO: timedelta(hours=1),
    Mode.QUARTER_HOURLY: timedelta(minutes=5),
    Mode.HOURLY: timedelta(minutes=5),
}


@dataclass(frozen=True, slots=True)
class Rules:
    """When notes are written. messages: since the last note. share: of the seat's window, in (0, 1]."""

    mode: Mode = Mode.AUTO
    messages: int = 30
    share: float = 0.7


def fired(before: Counter, after: Counter, window: int, rules: Rules) -> Trigger | None:
    """Return what fires when `before` becomes `after`. While a note is pending nothing does.

    window: of the seat's model, in tokens.
    """
    if before.pending is not None or not rules.mode.by_itself:
        return None
    if after.tokens >= rules.share * window:
        return Trigger.TOKENS
    if after.messages >= rules.messages:
        return Trigger.MESSAGES
    rested = before.counted_at is not None and after.counted_at is not None and gap(before.counted_at, after.counted_at)
    return Trigger.GAP if rested and before.messages >= GAP_MESSAGES else None


def gap(earlier: datetime, later: datetime) -> bool:
    """Return whether what was said at `later` resumes what was said at `earlier`, rather than continues it."""
    return later - earlier >= GAP


def covered(turns: Sequence[Turn], trigger: Trigger) -> Sequence[Turn]:
    """Return what a note is about: everything since the last one, but after a gap only what came before it."""
    if trigger is not Trigger.GAP:
        return turns
    after = [i for i in range(1, len(turns)) if gap(turns[i - 1].said_at, turns[i].said_at)]
    return turns[: after[-1]] if after else turns


def sweep_every(mode: Mode) -> timedelta | None:
    """Return how often conversations without a valid note are looked for, or None where never."""
    return _PERIODS.get(mode)


def idle_for(mode: Mode) -> timedelta:
    """Return how long a conversation must have rested before a sweep takes it: nobody is to wait for a note."""
    return _IDLE.get(mode, timedelta.max)
