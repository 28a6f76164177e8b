"""Which limit each address counts towards."""

import pytest
from tests.integration.server.gated import every_route, gated

from auritas.app.access import Scope
from auritas.server.guard.doors import doors_of
from auritas.server.guard.rates import RateClass

ASKS = {
    "/api/v1/runs",
    "/api/v1/questions/{query_id}/again",
    "/api/v1/recovery/{seat}",
    "/api/v1/models/{name}/test",
    "/v1/chat/completions",
    "/mcp",
}
LOOKS = {"/v1/embeddings", "/api/v1/routing", "/api/v1/audit/check"}
STREAMS = {"/api/v1/events", "/api/v1/runs/{run_id}/events"}
READING = {Scope.STATUS, Scope.CONFIG_READ, Scope.CORRECTIONS_READ, Scope.TOKENS_READ}


def expected(method: str, path: str, scope: Scope | None) -> RateClass:
    """Return the class by the contract: what changes something is a write unless it asks, searches or only looks."""
    if path in STREAMS:
        return RateClass.STREAMS
    if method in {"GET", "HEAD"}:
        return RateClass.SEARCHES if path.startswith("/api/v1/search") else RateClass.READS
    if method == "POST" and path in ASKS:
        return RateClass.ASKS
    return RateClass.READS if method == "POST" and (path in LOOKS or scope in READING) else RateClass.WRITES


@pytest.mark.anyio
async def test_every_address_counts_towards_the_limit_of_what_it_does(hall):
    """Each method of each route has the class that this table says, and every address of the table is there (W1)."""
    async with gated(hall) as stage:
        doors = tuple(doors_of(stage.app))
        found = {(m, door.path): (door.rate(m), door.scope) for door in doors for m in door.methods or ()}
        known = {context.path for context in every_route(stage.app)}
    wrong = {key: kind for key, (kind, scope) in found.items() if kind is not expected(*key, scope)}
    assert not wrong
    assert known >= ASKS | LOOKS | STREAMS
    assert found["POST", "/v1/embeddings"][0] is RateClass.READS
    assert found["POST", "/api/v1/search/index"][0] is RateClass.WRITES
