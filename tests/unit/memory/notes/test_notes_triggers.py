"""When a note is due."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auritas.kernel.model import Role
from auritas.memory.notes.model import Counter, Mode, Trigger, Turn
from auritas.memory.notes.triggers import Rules, covered, fired, idle_for, sweep_every

NOON = datetime(2026, 5, 14, 12, tzinfo=UTC)
RULES = Rules()
WINDOW = 4_096


def after(counter: Counter, *, tokens: int = 0, messages: int = 1, hours: float = 0) -> Trigger | None:
    now = (counter.counted_at or NOON) + timedelta(hours=hours)
    return fired(counter, counter.plus(tokens, messages, now), WINDOW, RULES)


def test_the_thirtieth_message_fires_and_the_twenty_ninth_does_not():
    """Thirty messages since the last note trigger the next (M12)."""
    assert after(Counter(messages=28, counted_at=NOON)) is None
    assert after(Counter(messages=29, counted_at=NOON)) is Trigger.MESSAGES


def test_a_window_that_is_seven_tenths_full_fires():
    """What counts is the share of the seat's own window, 2,867.2 of 4,096 tokens."""
    assert after(Counter(tokens=2_866), tokens=1) is None
    assert after(Counter(tokens=2_867), tokens=1) is Trigger.TOKENS


def test_a_full_window_is_named_before_many_messages():
    """Where both hold, the trigger says that room ran out: that is the harder limit."""
    assert after(Counter(tokens=4_000, messages=29)) is Trigger.TOKENS


@pytest.mark.parametrize(
    ("messages", "hours", "expected"),
    [(5, 24, Trigger.GAP), (4, 24, None), (5, 23.999, None), (29, 24, Trigger.MESSAGES)],
)
def test_a_day_of_rest_after_five_messages_fires(messages: int, hours: float, expected: Trigger | None):
    """A conversation that is resumed after 24 hours gets a note of what came before, if that was worth one."""
    assert after(Counter(messages=messages, counted_at=NOON), hours=hours) is expected


@given(
    st.builds(
        Counter,
        tokens=st.integers(0, 10_000),
        messages=st.integers(0, 100),
        counted_at=st.none() | st.just(NOON),
        pending=st.sampled_from(Trigger),
    ),
    st.integers(0, 10_000),
    st.integers(0, 100),
)
def test_nothing_fires_while_a_note_is_pending(counter: Counter, tokens: int, messages: int):
    """One trigger is enough until its note is stored (M12)."""
    assert after(counter, tokens=tokens, messages=messages, hours=48) is None


@pytest.mark.parametrize("mode", [Mode.MANUAL, Mode.OFF])
def test_nothing_fires_where_notes_are_written_by_hand_or_not_at_all(mode: Mode):
    """Counting goes on, so that switching notes on again knows where it stands."""
    counter = Counter(tokens=9_999, messages=99, counted_at=NOON)
    assert fired(counter, counter.plus(1, 1, NOON), WINDOW, Rules(mode=mode)) is None
    assert sweep_every(mode) is None


def test_sweeps_come_every_six_hours_unless_more_often_is_wanted():
    """Each way of writing notes has its period and its rest before."""
    periods = [sweep_every(mode) for mode in (Mode.AUTO, Mode.QUARTER_HOURLY, Mode.HOURLY)]
    assert periods == [timedelta(hours=6), timedelta(minutes=15), timedelta(hours=1)]
    assert idle_for(Mode.AUTO) == timedelta(hours=1)


def turns(*hours: float) -> tuple[Turn, ...]:
    return tuple(Turn(n, Role.USER, "x", NOON + timedelta(hours=h)) for n, h in enumerate(hours, 1))


def test_a_note_after_a_gap_is_about_what_came_before_it():
    """What was said since the resumption is still before everybody's eyes."""
    said = turns(0, 1, 30, 31, 60, 61)
    assert [turn.seq for turn in covered(said, Trigger.GAP)] == [1, 2, 3, 4]
    assert covered(said, Trigger.MESSAGES) == said


def test_a_note_written_before_the_resumption_is_about_everything():
    """Where the new question is not there yet, there is no gap among the messages."""
    assert covered(turns(0, 1, 2), Trigger.GAP) == turns(0, 1, 2)
