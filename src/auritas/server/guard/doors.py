"""What each address demands, read from the rules of the routes themselves: what has no rule is not open."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from re import Pattern
from typing import Any

from fastapi import FastAPI
from fastapi.routing import RouteContext, iter_route_contexts

from auritas.app.access import Scope
from auritas.server.caller import Rule, rules_of
from auritas.server.guard.origins import SAFE
from auritas.server.guard.rates import RateClass

BODY_AT_MOST = 1_000_000
"""Bytes of a request, where its route does not say otherwise by `max_body_size`."""
_INTERFACES = ("/api", "/v1", "/mcp", "/metrics")
"""An application that is mounted below everything opens nothing here."""
_ASKS = frozenset(
    {
        "/api/v1/runs",
        "/api/v1/questions/{query_id}/again",
        "/api/v1/recovery/{seat}",
        "/api/v1/models/{name}/test",
        "/v1/chat/completions",
        "/mcp",
    }
)
"""Where a POST asks models something, and its answer is awaited."""
_LOOKS = frozenset({"/v1/embeddings", "/api/v1/routing"})
"""Where a POST changes nothing, and the scope does not tell."""
_READING = frozenset(
    {Scope.STATUS, Scope.CONFIG_READ, Scope.CORRECTIONS_READ, Scope.EXTENSIONS_READ, Scope.TOKENS_READ}
)
_SEARCHES = "/api/v1/search"
_EVENTS = "text/event-stream"
_SEGMENTS = 4
"""Of a path, the empty one before its first slash included: /api/v1/runs."""


@dataclass(frozen=True, slots=True)
class Door:
    """What one address demands for some methods.

    scope: what a caller needs, None for an open door. checks: whether only the guard sees to it, since a
    mounted application has no dependencies. ruled: whether it has exactly one rule; without, nobody but admin gets
    through. looks: whether an open one knows who calls, where that is shown.
    """

    path: str
    pattern: Pattern[str]
    methods: frozenset[str] | None
    ruled: bool
    scope: Scope | None
    checks: bool
    stream: bool
    body_at_most: int
    looks: bool = False

    @property
    def open(self) -> bool:
        """Whether nobody has to show anything."""
        return self.ruled and self.scope is None

    @property
    def start(self) -> str | None:
        """What each of its addresses begins with, None where that is not settled."""
        start = _start(self.path)
        return None if self.checks or "{" in start else start

    def is_at(self, path: str) -> bool:
        """Whether `path` leads here."""
        everywhere = self.checks and not self.path
        return self.pattern.match(path) is not None and not (everywhere and _is_interface(path))

    def takes(self, method: str) -> bool:
        """Whether it has an answer to this method."""
        return self.methods is None or method in self.methods

    def rate(self, method: str) -> RateClass:
        """Return which limit a request counts towards."""
        if self.stream and method in SAFE:
            return RateClass.STREAMS
        if method in SAFE:
            return RateClass.SEARCHES if self.path.startswith(_SEARCHES) else RateClass.READS
        return self._posted() if method == "POST" else RateClass.WRITES

    def _posted(self) -> RateClass:
        if self.path in _ASKS:
            return RateClass.ASKS
        # What asks for no more than the right to read cannot change anything.
        return RateClass.READS if self.path in _LOOKS or self.scope in _READING else RateClass.WRITES


class Doors:
    """All of them, in the order in which the router tries them."""

    def __init__(self, app: FastAPI) -> None:
        self._app = app

    def at(self, path: str, method: str) -> Door | None:
        """Return the door of a request; HEAD goes where GET does. None where no route takes it."""
        method = "GET" if method == "HEAD" else method
        return next((door for door in self._candidates(path) if door.takes(method) and door.is_at(path)), None)

    @cached_property
    def every(self) -> tuple[Door, ...]:
        """All doors, read from the routes when they are first needed."""
        return tuple(doors_of(self._app))

    def _candidates(self, path: str) -> Sequence[Door]:
        return self._by_start.get(_start(path), self._anywhere)

    @cached_property
    def _anywhere(self) -> Sequence[Door]:
        return tuple(door for door in self.every if door.start is None)

    @cached_property
    def _by_start(self) -> Mapping[str, Sequence[Door]]:
        # A hundred patterns for each request would cost more than all the rest of the guard.
        starts = {door.start for door in self.every if door.start is not None}
        return {start: tuple(door for door in self.every if door.start in {start, None}) for start in starts}


def doors_of(app: FastAPI) -> Iterator[Door]:
    """Read the door of each route of `app`."""
    for context in iter_route_contexts(app.routes):
        pattern = getattr(context, "path_regex", None)
        if pattern is not None:
            yield _door(context, pattern)


def _door(context: RouteContext, pattern: Pattern[str]) -> Door:
    dependencies: Any = getattr(context, "dependencies", None)
    mounted = dependencies is None
    rules = tuple(_rules_within(context)) if mounted else rules_of(dependencies)
    only = rules[0] if len(rules) == 1 else None
    limit = getattr(context, "max_body_size", None)
    return Door(
        path=context.path or "",
        pattern=pattern,
        methods=frozenset(context.methods) if context.methods else None,
        ruled=only is not None,
        scope=only.scope if only else None,
        checks=mounted,
        stream=_streams(context, only),
        body_at_most=BODY_AT_MOST if limit is None else limit,
        looks=only.looks if only else False,
    )


def _rules_within(context: RouteContext) -> Iterable[Rule]:
    """Return the rule of an application that is no route of FastAPI: its attribute `rule`."""
    app: Any = context.endpoint or getattr(context, "app", None)
    rule = getattr(app, "rule", None)
    return (rule,) if isinstance(rule, Rule) else ()


def _streams(context: RouteContext, rule: Rule | None) -> bool:
    if rule is not None and rule.scope is Scope.STREAM:
        return True
    answers = getattr(context, "responses", None) or {}
    return any(_EVENTS in answer.get("content", {}) for answer in answers.values())


def _start(path: str) -> str:
    return "/".join(path.split("/", _SEGMENTS)[:_SEGMENTS])


def _is_interface(path: str) -> bool:
    return any(path == prefix or path.startswith(f"{prefix}/") for prefix in _INTERFACES)
