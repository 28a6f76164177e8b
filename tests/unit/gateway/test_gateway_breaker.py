"""The circuit breaker as a pure machine."""

from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from auritas.gateway.policy.breaker import (
    BreakerEvent,
    BreakerRule,
    BreakerState,
    Phase,
    permits,
    retry_in,
    step,
)

RULE = BreakerRule()


def failed(times: list[float]) -> BreakerState:
    state = BreakerState()
    for moment in times:
        state = step(RULE, state, BreakerEvent.FAILED, moment, state.generation)
    return state


def test_five_failures_within_a_minute_open_it():
    """The fifth failure opens, the fourth does not (F16)."""
    assert failed([0, 1, 2, 3]).phase is Phase.CLOSED
    assert failed([0, 1, 2, 3, 59.9]).phase is Phase.OPEN


def test_failures_a_minute_apart_do_not_add_up():
    """A failure counts for sixty seconds (F16)."""
    assert failed([0, 1, 2, 3, 60.0]).phase is Phase.CLOSED


def test_successes_between_failures_do_not_reset_the_count():
    """A model that fails every other time is as broken as one that fails in a row."""
    state = BreakerState()
    for moment in range(5):
        state = step(RULE, state, BreakerEvent.SUCCEEDED, moment, state.generation)
        state = step(RULE, state, BreakerEvent.FAILED, moment, state.generation)
    assert state.phase is Phase.OPEN


def test_after_half_a_minute_exactly_one_probe_is_let_through():
    """While the probe is under way nobody else is; two successes in a row close (F16)."""
    state = failed([0] * 5)
    assert not permits(RULE, state, 29.9)
    assert retry_in(RULE, state, 10.0) == 20.0
    assert permits(RULE, state, 30.0)
    state = step(RULE, state, BreakerEvent.ASKED, 30.0)
    assert not permits(RULE, state, 31.0)
    state = step(RULE, state, BreakerEvent.SUCCEEDED, 31.0, state.generation)
    assert state.phase is Phase.HALF_OPEN
    state = step(RULE, state, BreakerEvent.ASKED, 31.0)
    assert not permits(RULE, state, 31.5)
    assert step(RULE, state, BreakerEvent.SUCCEEDED, 32.0, state.generation).phase is Phase.CLOSED


def test_a_probe_that_fails_opens_for_another_half_minute():
    """One failure is enough while it is being probed."""
    state = step(RULE, failed([0] * 5), BreakerEvent.ASKED, 30.0)
    state = step(RULE, state, BreakerEvent.FAILED, 31.0, state.generation)
    assert state.phase is Phase.OPEN
    assert not permits(RULE, state, 60.9)
    assert permits(RULE, state, 61.0)


def test_a_probe_that_was_cancelled_makes_room_for_the_next():
    """A cancelled probe says nothing and blocks nobody."""
    state = step(RULE, failed([0] * 5), BreakerEvent.ASKED, 30.0)
    state = step(RULE, state, BreakerEvent.ABANDONED, 31.0, state.generation)
    assert permits(RULE, state, 31.0)


@given(st.sampled_from([BreakerEvent.SUCCEEDED, BreakerEvent.FAILED, BreakerEvent.ABANDONED]))
def test_a_straggler_from_before_does_not_touch_the_probe(event: BreakerEvent):
    """The outcome of a call that began while it was closed changes nothing once it is being probed."""
    state = step(RULE, failed([0] * 5), BreakerEvent.ASKED, 30.0)
    assert step(RULE, state, event, 31.0, asked_in=0) == state


class Callers(RuleBasedStateMachine):
    """Many callers at once, against a plain account of what they did."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0
        self.state = BreakerState()
        self.flying: list[tuple[int, Phase]] = []

    @rule(seconds=st.floats(0.0, 40.0))
    def wait(self, seconds: float) -> None:
        self.now += seconds

    @rule()
    def ask(self) -> None:
        before = self.state
        if permits(RULE, before, self.now):
            self.state = step(RULE, before, BreakerEvent.ASKED, self.now)
            self.flying.append((self.state.generation, self.state.phase))
        else:
            assert before.phase is not Phase.CLOSED

    @precondition(lambda self: self.flying)
    @rule(index=st.integers(0, 50), event=st.sampled_from(list(BreakerEvent)[1:]))
    def end(self, index: int, event: BreakerEvent) -> None:
        generation, _ = self.flying.pop(index % len(self.flying))
        self.state = step(RULE, self.state, event, self.now, generation)

    @invariant()
    def at_most_one_probe(self) -> None:
        probes = [g for g, phase in self.flying if phase is Phase.HALF_OPEN and g == self.state.generation]
        assert len(probes) == (1 if self.state.phase is Phase.HALF_OPEN and self.state.probing else 0)

    @invariant()
    def never_stuck(self) -> None:
        """A breaker that lets nobody through opens by itself, or when its probe ends."""
        later = self.now + RULE.open_s
        assert permits(RULE, self.state, later) or self.state.probing


TestCallers = Callers.TestCase
