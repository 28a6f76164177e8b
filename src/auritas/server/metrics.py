"""Figures for Prometheus: counted where requests pass, read where things stand, written as text 0.0.4."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from auritas.kernel.clock import Clock

BUCKETS_S = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Upper bounds of the histogram, in seconds."""
CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
PASSING = "auritas.passing"
"""Where the meter and what stands inside of it meet in the ASGI scope."""
_UNMATCHED = "unmatched"
"""Stands for every path that is no route's, so that made-up paths make no new series."""
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_STREAM = b"text/event-stream"


@dataclass(slots=True)
class Durations:
    """A histogram: how many requests took at most so long, and seconds in all."""

    counts: list[int] = field(default_factory=lambda: [0] * (len(BUCKETS_S) + 1))
    total_s: float = 0.0

    def add(self, seconds: float) -> None:
        """Count one request."""
        self.counts[bisect_left(BUCKETS_S, seconds)] += 1
        self.total_s += seconds


@dataclass(slots=True)
class Requests:
    """What has passed: requests by route, method and status, and how long they took. A stream's length is its own."""

    counted: Counter[tuple[str, str, int]] = field(default_factory=Counter)
    durations: dict[tuple[str, str], Durations] = field(default_factory=dict)

    def add(self, route: str, method: str, status: int, seconds: float | None) -> None:
        """Count one request. seconds: None for a stream."""
        method = method if method in _METHODS else "OTHER"
        self.counted[route, method, status] += 1
        if seconds is not None:
            self.durations.setdefault((route, method), Durations()).add(seconds)


class Naming:
    """Tells the meter which route answered. It stands inside of everything, where that is known."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on."""
        try:
            await self._app(scope, receive, send)
        finally:
            if PASSING in scope:
                scope[PASSING].route = getattr(scope.get("route"), "path_format", _UNMATCHED)


@dataclass(slots=True)
class Passing:
    """What is known of one request while it passes."""

    route: str = _UNMATCHED
    status: int = 500
    streams: bool = False


class Meter:
    """Counts every request that passes, also those that the guard turns away, and changes nothing about them."""

    def __init__(self, app: ASGIApp, requests: Requests, clock: Clock) -> None:
        self._app, self._requests, self._clock = app, requests, clock

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started, passing = self._clock.monotonic(), Passing()
        scope[PASSING] = passing

        async def noted(message: Message) -> None:
            if message["type"] == "http.response.start":
                passing.status = message["status"]
                passing.streams = any(n == b"content-type" and v.startswith(_STREAM) for n, v in message["headers"])
            await send(message)

        try:
            await self._app(scope, receive, noted)
        finally:
            seconds = None if passing.streams else self._clock.monotonic() - started
            self._requests.add(passing.route, scope["method"], passing.status, seconds)


# --- the text ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Gauge:
    """Values of one measure as they stand, by their labels."""

    name: str
    says: str
    values: Sequence[tuple[Mapping[str, str], float]]


def text(requests: Requests, gauges: Iterable[Gauge]) -> str:
    """Return everything in the text format 0.0.4 of Prometheus."""
    lines = [*_counted(requests), *_timed(requests)]
    for gauge in gauges:
        lines += _head(gauge.name, "gauge", gauge.says)
        lines += [_line(gauge.name, labels, value) for labels, value in gauge.values]
    return "\n".join(lines) + "\n"


def _counted(requests: Requests) -> Iterator[str]:
    name = "auritas_requests_total"
    yield from _head(name, "counter", "Requests by route, method and status.")
    for (route, method, status), count in sorted(requests.counted.items()):
        yield _line(name, {"route": route, "method": method, "status": str(status)}, count)


def _timed(requests: Requests) -> Iterator[str]:
    name = "auritas_request_seconds"
    yield from _head(name, "histogram", "Seconds that requests took, streams left out.")
    for (route, method), taken in sorted(requests.durations.items()):
        labels, so_far = {"route": route, "method": method}, 0
        for bound, count in zip((*map(str, BUCKETS_S), "+Inf"), taken.counts, strict=True):
            so_far += count
            yield _line(f"{name}_bucket", {**labels, "le": bound}, so_far)
        yield _line(f"{name}_sum", labels, taken.total_s)
        yield _line(f"{name}_count", labels, so_far)


def _head(name: str, kind: str, says: str) -> list[str]:
    return [f"# HELP {name} {says}", f"# TYPE {name} {kind}"]


def _line(name: str, labels: Mapping[str, str], value: float) -> str:
    shown = ",".join(f'{key}="{_escaped(value)}"' for key, value in labels.items())
    number = str(int(value)) if float(value).is_integer() else repr(float(value))
    return f"{name}{{{shown}}} {number}" if shown else f"{name} {number}"


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
