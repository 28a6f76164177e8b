"""When a recovery prompt may not be used any more."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auritas.memory.recovery.model import RecoveryPrompt, Remembered
from auritas.memory.recovery.staleness import corrections_hash, is_stale

NOW = datetime(2026, 5, 14, 12, tzinfo=UTC)
METRIC = Remembered("c1", "Use metric units", "global", pinned=False)
TABS = Remembered("c2", "Never use tabs", "domain", pinned=True)

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
remembered = st.builds(Remembered, id=texts, text=texts, scope=texts, pinned=st.booleans())


def written(age: timedelta, corrections: tuple[Remembered, ...] = (METRIC, TABS)) -> RecoveryPrompt:
    return RecoveryPrompt("ada", "…", NOW - age, corrections_hash(corrections))


@pytest.mark.parametrize(
    ("seconds", "stale"), [(0, False), (86_399, False), (86_400, False), (86_400.000001, True), (86_401, True)]
)
def test_a_prompt_is_stale_when_it_is_older_than_a_day(seconds: float, stale: bool):
    """86,399 s is fresh, and so is a day to the microsecond (M10)."""
    assert is_stale(written(timedelta(seconds=seconds)), corrections_hash((METRIC, TABS)), NOW) is stale


@pytest.mark.parametrize(
    "now",
    [
        (),
        (METRIC,),
        (replace(METRIC, text="Use metric units."), TABS),
        (replace(METRIC, scope="project"), TABS),
        (replace(METRIC, pinned=True), TABS),
        (replace(METRIC, id="c3"), TABS),
    ],
)
def test_a_change_of_what_is_remembered_makes_it_stale(now: tuple[Remembered, ...]):
    """Text, scope, pin or another correction: each changes the hash (M10)."""
    assert is_stale(written(timedelta()), corrections_hash(now), NOW)


def test_the_hash_is_of_a_documented_form():
    """Sixteen hexadecimal digits of SHA-256 over [[id, text, scope, pinned], …] in RFC 8785 form (M10)."""
    assert corrections_hash(()) == "4f53cda18c2baa0c"  # SHA-256 of []
    assert corrections_hash((METRIC, TABS)) == corrections_hash((TABS, METRIC))


@given(st.lists(remembered, max_size=3), st.lists(remembered, max_size=3))
def test_different_lists_have_different_hashes(one: list[Remembered], other: list[Remembered]):
    """No text can pass for the end of one entry and the beginning of another (M10)."""
    same = sorted(map(repr, one)) == sorted(map(repr, other))
    assert (corrections_hash(one) == corrections_hash(other)) is same
