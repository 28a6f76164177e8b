"""The log's rules: closing of days, levels, and how erasures are written."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auritas.audit.errors import EntryRefusedError
from auritas.audit.model import Checkpoint, Reason
from auritas.audit.policy import closable, covering, due, erased, erasures, level_of, midnight_after, reason_code
from auritas.kernel.log import Level

BERLIN = ZoneInfo("Europe/Berlin")
NEW_YORK = ZoneInfo("America/New_York")


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def made(size: int, level: Level = Level.SIGNED) -> Checkpoint:
    return Checkpoint(size, bytes(32), "", level, at("2026-01-01T00:00:00"), Reason.DEMAND)


@pytest.mark.parametrize(
    ("now", "zone", "day"),
    [
        ("2026-01-02T00:04:59", UTC, date(2025, 12, 31)),
        ("2026-01-02T00:05:00", UTC, date(2026, 1, 1)),
        ("2026-01-01T23:04:59", BERLIN, date(2025, 12, 31)),
        ("2026-01-01T23:05:00", BERLIN, date(2026, 1, 1)),
        ("2026-07-01T22:05:00", BERLIN, date(2026, 7, 1)),
        ("2026-01-02T05:04:59", NEW_YORK, date(2025, 12, 31)),
    ],
)
def test_a_day_is_closed_at_five_past_midnight_of_its_person(now, zone, day):
    """At 00:05 local, summer time or not, the day before may be closed, and not a moment earlier."""
    assert closable(at(now), zone) == day


@pytest.mark.parametrize(("day", "hours"), [(date(2026, 3, 29), 23), (date(2026, 10, 25), 25), (date(2026, 5, 5), 24)])
def test_a_day_is_as_long_as_the_clocks_make_it(day, hours):
    """Where the clocks change, a day of the log has 23 or 25 hours."""
    assert midnight_after(day, BERLIN) - midnight_after(day - timedelta(days=1), BERLIN) == timedelta(hours=hours)


@pytest.mark.parametrize(
    ("last_day", "last_size", "size", "reasons"),
    [
        (None, 0, 0, ()),
        (None, 0, 1, (Reason.DAILY,)),
        (date(2026, 1, 9), 0, 999, ()),
        (date(2026, 1, 9), 0, 1000, (Reason.COUNT,)),
        (date(2026, 1, 8), 10, 1010, (Reason.DAILY, Reason.COUNT)),
        (date(2026, 1, 9), 500, 1499, ()),
    ],
)
def test_what_is_due_follows_from_time_and_size(last_day, last_size, size, reasons):
    """A day that ended and is not closed, and each thousand entries, call for a checkpoint."""
    assert due(at("2026-01-10T12:00:00"), UTC, last_day, last_size, size) == reasons


def test_a_clock_that_was_put_back_closes_nothing_again():
    """When now is before the latest daily root, no day is due."""
    assert due(at("2026-01-01T12:00:00"), UTC, date(2026, 1, 9), 5, 5) == ()


def test_the_level_of_an_entry_is_the_most_that_stands_behind_it():
    """What a later, larger and witnessed head covers is witnessed; what none covers is unsigned."""
    heads = [made(5), made(8, Level.WITNESSED), made(10)]
    assert [level_of(seq, heads) for seq in (0, 4, 7, 8, 9, 10)] == [
        Level.WITNESSED,
        Level.WITNESSED,
        Level.WITNESSED,
        Level.SIGNED,
        Level.SIGNED,
        Level.UNSIGNED,
    ]
    assert level_of(0, []) is Level.UNSIGNED


def test_an_entry_is_proven_by_the_strongest_and_then_the_smallest_head():
    """A proof uses the witnessed head if there is one, else the smallest that covers the entry."""
    assert covering(3, [made(5), made(4), made(2)]) == made(4)
    assert covering(3, [made(5), made(9, Level.WITNESSED)]) == made(9, Level.WITNESSED)
    assert covering(5, [made(5)]) is None


@given(st.sets(st.integers(0, 20_000), min_size=1))
def test_erasures_read_back_as_they_were_written(seqs):
    """Whatever was erased, the texts name exactly these entries, each short enough for an entry."""
    texts = erasures(sorted(seqs, reverse=True))
    assert sorted(seq for text in texts for span in erased(text) for seq in span) == sorted(seqs)
    assert all(len(text) < 60_000 for text in texts)


def test_many_scattered_erasures_take_several_entries():
    """Ten thousand entries that are no neighbours do not fit one entry."""
    texts = erasures(range(0, 20_000, 2))
    assert len(texts) == 3
    assert erasures([3, 7, 8, 9]) == ["3,7-9"]


@pytest.mark.parametrize("text", ["", "x", "1-", "-1", None, "1,,2"])
def test_other_texts_are_no_erasures(text):
    """What is not a list of numbers and ranges is refused."""
    with pytest.raises(ValueError, match="invalid literal"):
        erased(text)


@pytest.mark.parametrize("reason", ["", "He asked me to", "ÄRGER", "x" * 41])
def test_a_reason_to_erase_is_a_code(reason):
    """A person's words never get into refs by way of a reason."""
    with pytest.raises(EntryRefusedError):
        reason_code(reason)
    assert reason_code("user_request") == "user_request"
