"""Fifth line: how often somebody may ask. One bucket of tokens for each caller and class of request."""

from collections import OrderedDict
from dataclasses import asdict, dataclass
from enum import StrEnum

_MINUTE_S = 60.0
_BUCKETS_AT_MOST = 4_096
"""What was not used for longest is forgotten beyond this, so that many addresses fill no memory."""


class RateClass(StrEnum):
    """What kind of work a request makes."""

    ASKS = "asks"
    WRITES = "writes"
    READS = "reads"
    SEARCHES = "searches"
    STREAMS = "streams"
    FAILURES = "failures"


@dataclass(frozen=True, slots=True)
class Rates:
    """How many requests of each class one caller may make in a minute; failures: bad tokens of one address."""

    asks: int = 120
    writes: int = 600
    reads: int = 3_000
    searches: int = 1_800
    streams: int = 120
    failures: int = 30


@dataclass(slots=True)
class Bucket:
    """Tokens that are left, and when they were counted."""

    left: float
    at: float


def take(bucket: Bucket, per_minute: int, now: float) -> tuple[Bucket, float]:
    """Return the bucket with one token less and 0, or as it is with the seconds until there is one.

    A bucket holds what a minute allows and fills evenly (token bucket: RFC 2697, section 3, with one rate).
    """
    each_s = _MINUTE_S / per_minute
    left = min(per_minute, bucket.left + max(0.0, now - bucket.at) / each_s)
    if left >= 1:
        return Bucket(left - 1, now), 0.0
    return Bucket(left, now), (1 - left) * each_s


class Limiter:
    """Counts requests by whoever makes them."""

    def __init__(self, rates: Rates) -> None:
        self._per_minute: dict[str, int] = asdict(rates)
        self._buckets: OrderedDict[tuple[str, RateClass], Bucket] = OrderedDict()

    def wait_s(self, who: str, kind: RateClass, now: float) -> float:
        """Count one request at `now` (seconds, monotonic); return 0, or after how many seconds it may come again."""
        per_minute = self._per_minute[kind.value]
        bucket = self._buckets.pop((who, kind), None) or Bucket(per_minute, now)
        self._buckets[who, kind], wait = take(bucket, per_minute, now)
        if len(self._buckets) > _BUCKETS_AT_MOST:
            self._buckets.popitem(last=False)
        return wait


def address_of(client: tuple[str, int] | None, forwarded: list[str], proxies: frozenset[str]) -> str:
    """Return who sent a request. What X-Forwarded-For says counts only where a proxy of ours has written it.

    forwarded: the headers' values. proxies: addresses of proxies; the last hop that is none of them is the sender.
    """
    address = client[0] if client else "unix"
    if address not in proxies:
        return address
    hops = [hop.strip() for value in forwarded for hop in value.split(",")]
    return next((hop for hop in reversed(hops) if hop and hop not in proxies), address)
