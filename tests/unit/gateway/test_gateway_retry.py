"""When a failed call is tried again."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auritas.gateway.errors import FailureKind
from auritas.gateway.policy.retry import RetryRule, failure_kind, retry_after_seconds, wait_before

NOW = datetime(2026, 1, 1, tzinfo=UTC)
chances = st.floats(0, 1, exclude_max=True)


@pytest.mark.parametrize("status", [408, 409, 429, 500, 502, 503, 504, 529, 599])
def test_what_may_pass_is_retried(status: int):
    """Timeouts, conflicts, limits and server errors are asked again."""
    assert failure_kind(status) is not None


@pytest.mark.parametrize("status", [200, 301, 400, 401, 403, 404, 413, 422])
def test_what_cannot_change_is_not_retried(status: int):
    """A wrong request or key stays wrong."""
    assert failure_kind(status) is None


def test_server_errors_are_told_from_limits():
    """429 and 503 are different troubles."""
    assert failure_kind(429) is FailureKind.LIMITED
    assert failure_kind(503) is FailureKind.SERVER


@given(st.integers(1, 10), chances)
def test_waits_grow_and_stay_bounded(failures: int, chance: float):
    """Backoff doubles, is jittered over its whole range and never exceeds its cap."""
    rule = RetryRule(attempts=20)
    wait = wait_before(rule, failures, None, chance)
    assert wait is not None
    assert 0 <= wait <= min(rule.cap_s, rule.base_s * 2**failures)


@given(st.floats(0, 3_600), chances)
def test_a_hint_is_never_undercut(hint: float, chance: float):
    """Who was asked to wait waits at least that long."""
    wait = wait_before(RetryRule(), 1, hint, chance)
    assert wait is not None
    assert hint <= wait <= hint * 1.25 + 0.5


def test_attempts_are_counted_with_the_first():
    """Three attempts are two retries."""
    assert wait_before(RetryRule(attempts=3), 2, None, 0.5) is not None
    assert wait_before(RetryRule(attempts=3), 3, None, 0.5) is None


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("120", 120.0),
        ("1.5", 1.5),
        (" 0 ", 0.0),
        ("Thu, 01 Jan 2026 00:00:30 GMT", 30.0),
        ("Wed, 31 Dec 2025 23:00:00 GMT", 0.0),
        ("", None),
        (None, None),
        ("-5", None),
        ("soon", None),
        ("²", None),
        ("99 Foo 2026", None),
        ("Thu, 01 Jan 2026 00:00:30", None),
    ],
)
def test_retry_after_is_read_in_both_forms(header: str | None, seconds: float | None):
    """Seconds and dates are understood, a past date is now, and anything else is no hint."""
    assert retry_after_seconds(header, NOW) == seconds


@given(st.text(max_size=40))
def test_no_header_breaks_the_reader(header: str):
    """Foreign text is never more than no hint."""
    seconds = retry_after_seconds(header, NOW)
    assert seconds is None or seconds >= 0
