"""A circuit breaker as a pure state machine: after several failures a model is left alone, then probed.

Nygard, Release It! (2nd edition, 2018), chapter 5. Closed lets everything through; five failures within a minute open
it for half a minute; then one call at a time is let through, and two of them in a row that succeed close it.
"""

from dataclasses import dataclass, replace
from enum import StrEnum


@dataclass(frozen=True, slots=True)
class BreakerRule:
    """Limits of the machine; times in seconds."""

    failures: int = 5
    window_s: float = 60.0
    open_s: float = 30.0
    successes: int = 2


class Phase(StrEnum):
    """Where the machine stands."""

    CLOSED = "closed"
    OPEN = "open"
    HALF_OPEN = "half_open"


class BreakerEvent(StrEnum):
    """What happened to a call: it began, it succeeded, it failed, or it ended in a way that says nothing."""

    ASKED = "asked"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    ABANDONED = "abandoned"


@dataclass(frozen=True, slots=True)
class BreakerState:
    """Everything the machine remembers. Moments are seconds of a clock that never runs backwards.

    failures: moments of recent failures while closed. opened_at: when it last opened. probing: a probe is under way.
    successes: probes that succeeded in a row. generation: counts the changes of phase, so that the outcome of a call
    that began in an earlier phase can be told apart.
    """

    phase: Phase = Phase.CLOSED
    failures: tuple[float, ...] = ()
    opened_at: float = 0.0
    probing: bool = False
    successes: int = 0
    generation: int = 0


def permits(rule: BreakerRule, state: BreakerState, now: float) -> bool:
    """Whether a call may begin."""
    match state.phase:
        case Phase.CLOSED:
            return True
        case Phase.OPEN:
            return now >= state.opened_at + rule.open_s
        case Phase.HALF_OPEN:
            return not state.probing


def retry_in(rule: BreakerRule, state: BreakerState, now: float) -> float:
    """Seconds until the next probe may begin; 0 when it may begin now or waits for another probe."""
    return max(state.opened_at + rule.open_s - now, 0.0) if state.phase is Phase.OPEN else 0.0


def step(
    rule: BreakerRule, state: BreakerState, event: BreakerEvent, now: float, asked_in: int | None = None
) -> BreakerState:
    """Return the state after `event`. ASKED is given only when `permits` said yes.

    asked_in: the generation in which the call began. Outcomes of calls from an earlier phase change nothing.
    """
    if asked_in is not None and asked_in != state.generation:
        return state
    match state.phase:
        case Phase.CLOSED:
            return _failed(rule, state, now) if event is BreakerEvent.FAILED else state
        case Phase.OPEN:
            asked = event is BreakerEvent.ASKED
            return _moved(state, Phase.HALF_OPEN, opened_at=state.opened_at, probing=True) if asked else state
        case Phase.HALF_OPEN:
            return _probed(rule, state, event, now)


def _probed(rule: BreakerRule, state: BreakerState, event: BreakerEvent, now: float) -> BreakerState:
    match event:
        case BreakerEvent.ASKED:
            return replace(state, probing=True)
        case BreakerEvent.ABANDONED:
            return replace(state, probing=False)
        case BreakerEvent.FAILED:
            return _moved(state, Phase.OPEN, opened_at=now)
        case BreakerEvent.SUCCEEDED:
            return _recovering(rule, state)


def _moved(state: BreakerState, phase: Phase, *, opened_at: float = 0.0, probing: bool = False) -> BreakerState:
    return BreakerState(phase, opened_at=opened_at, probing=probing, generation=state.generation + 1)


def _failed(rule: BreakerRule, state: BreakerState, now: float) -> BreakerState:
    recent = (*(moment for moment in state.failures if now - moment < rule.window_s), now)
    if len(recent) >= rule.failures:
        return _moved(state, Phase.OPEN, opened_at=now)
    return replace(state, failures=recent)


def _recovering(rule: BreakerRule, state: BreakerState) -> BreakerState:
    successes = state.successes + 1
    if successes >= rule.successes:
        return _moved(state, Phase.CLOSED)
    return replace(state, probing=False, successes=successes)
