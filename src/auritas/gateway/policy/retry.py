"""When a failed call is tried again."""

from dataclasses import dataclass
from datetime import datetime
from email.utils import parsedate_to_datetime

from auritas.gateway.errors import FailureKind

_HTTP_KINDS = {408: FailureKind.TIMEOUT, 409: FailureKind.CONFLICT, 429: FailureKind.LIMITED}
_SERVER_ERRORS = range(500, 600)


@dataclass(frozen=True, slots=True)
class RetryRule:
    """How often and how patiently. All times in seconds; attempts include the first."""

    attempts: int = 3
    base_s: float = 0.5
    cap_s: float = 20.0
    jitter: float = 0.25
    """Share of a wait that the provider asked for, which may be added so that clients do not return together."""


def failure_kind(status: int) -> FailureKind | None:
    """Return how the HTTP `status` failed, or None when asking again the same way cannot help."""
    return FailureKind.SERVER if status in _SERVER_ERRORS else _HTTP_KINDS.get(status)


def wait_before(rule: RetryRule, failures: int, retry_after: float | None, chance: float) -> float | None:
    """Return the seconds to wait after the `failures`-th failure, or None when there are no attempts left.

    chance: a number in [0, 1). Without a hint from the provider this is exponential backoff with full jitter
    (AWS Architecture Blog, "Exponential Backoff and Jitter", 2015); a hint is a floor, never undercut.
    """
    if failures >= rule.attempts:
        return None
    if retry_after is not None:
        return max(retry_after, 0.0) + chance * rule.jitter * max(retry_after, rule.base_s)
    return chance * min(rule.cap_s, rule.base_s * 2.0**failures)


def retry_after_seconds(header: str | None, now: datetime) -> float | None:
    """Return the seconds of a Retry-After header (RFC 9110, section 10.2.3), from a number or a date, or None.

    A date in the past is 0; what cannot be read is no hint.
    """
    text = (header or "").strip()
    if not text:
        return None
    if text.replace(".", "", 1).isascii() and text.replace(".", "", 1).isdigit():
        return float(text)
    try:
        moment = parsedate_to_datetime(text)
        return max((moment - now).total_seconds(), 0.0)
    except (TypeError, ValueError, OverflowError):
        return None
