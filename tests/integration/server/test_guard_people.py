"""What belongs to one person is not there for another, over every route and every id (W2)."""

import asyncio
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import httpx2
import pytest
from sqlalchemy import select
from tests.integration.app.hall import Hall, voice
from tests.integration.server.gated import Gated, gated

from auritas.app.compose import Auritas
from auritas.store.schema import metadata

CANARY = "Zanzibarese"
UNKNOWN, NOWHERE = "01900000-0000-7000-8000-00000000dead", "01900000-0000-7000-8000-00000000beef"
ID_FIELDS = frozenset(
    {
        "act_id",
        "after",
        "around",
        "attachments",
        "before",
        "branched_from",
        "conversation",
        "conversation_id",
        "conversations",
        "correction",
        "correction_id",
        "domain",
        "edited_from",
        "grade",
        "into",
        "key",
        "message_id",
        "message_ids",
        "model",
        "name",
        "note_id",
        "preview_id",
        "project",
        "project_id",
        "query",
        "query_id",
        "question",
        "question_message_id",
        "run_id",
        "seat",
        "token_id",
        "trace",
        "trace_id",
    }
)
"""Parameters, and fields of bodies, that name something; a text is nobody's."""
NOT_HERS = frozenset({"audit_log", "audit_tiles", "checkpoints", "tokens", "schedule"})
"""Tables that a server writes by itself, also when another person is busy."""
_FRESH = re.compile(
    r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}|tr_[a-z0-9]{12}|[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z"
    r"|au[rs]_[\w-]{43}|[\w-]{43}|\d+(?:\.\d+)?"
)
STREAM_S = 10
_ID = re.compile(r"[\w-]{15,64}")


@dataclass(frozen=True)
class Call:
    """One operation with one of its ids left open. place: where the id goes; `path` for all that are in the path."""

    method: str
    path: str
    place: str
    field: str
    body: Any

    async def with_id(self, client: httpx2.AsyncClient, given: str) -> tuple[int, str]:
        """Call with an id; return the status, and how it was refused without what is new in every answer."""
        path = re.sub(r"\{[^}]*\}", given if self.place == "path" else NOWHERE, self.path)
        body = self.body
        if self.place == "body":
            was = self.body.get(self.field)
            body = {**self.body, self.field: [given] if isinstance(was, list) else given}
        query = {self.field: given} if self.place == "query" else {}
        answer = await asyncio.wait_for(client.request(self.method, path, json=body, params=query), STREAM_S)
        assert CANARY not in answer.text, f"{self} tells a stranger what was said"
        if answer.is_success:  # what comes then is her own, and differs with what she did before
            return answer.status_code, ""
        return answer.status_code, _FRESH.sub("#", answer.text.replace(given, "ID"))


def calls_of(document: dict[str, Any]) -> Iterator[Call]:
    """Read every operation with every place for an id from the OpenAPI document."""
    schemas = document["components"]["schemas"]
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            body = _example(operation, schemas)
            if "{" in path:
                yield Call(method, path, "path", "", body)
            for parameter in operation.get("parameters", []):
                if parameter["in"] == "query" and parameter["name"] in ID_FIELDS:
                    yield Call(method, path, "query", parameter["name"], body)
            for field in _fields(operation, schemas) & ID_FIELDS:
                yield Call(method, path, "body", field, body or {})
    yield Call("GET", "/preview/{preview_id}", "path", "", None)
    yield Call("GET", "/open/{code}", "path", "", None)


def _schema(operation: dict[str, Any], schemas: dict[str, Any]) -> dict[str, Any]:
    content = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
    found = content.get("schema", {})
    return dict(schemas[found["$ref"].rpartition("/")[2]] if "$ref" in found else found)


def _example(operation: dict[str, Any], schemas: dict[str, Any]) -> Any:
    examples = _schema(operation, schemas).get("examples", [])
    return examples[0] if examples else None


def _fields(operation: dict[str, Any], schemas: dict[str, Any]) -> set[str]:
    return set(_schema(operation, schemas).get("properties", {}))


def contents(hall: Hall) -> dict[str, list[Any]]:
    """Return every row that is a person's."""
    return {
        table.name: sorted(map(repr, hall.rows(table)))
        for table in metadata.sorted_tables
        if table.name not in NOT_HERS
    }


def ids_of(auritas: Auritas) -> set[str]:
    """Return ids of each kind, as they stand in a store: from every column that is a key or refers to one.

    Short ones are numbers and names, which each store counts and gives by itself.
    """
    found: set[str] = set()
    with auritas.store.read() as unit:
        for table in metadata.sorted_tables:
            for column in table.columns:
                if column.primary_key or column.foreign_keys or column.name.endswith("_id"):
                    query = select(column).where(column.is_not(None)).limit(1)
                    found |= {str(value) for value in unit.connection.execute(query).scalars()}
    return {value for value in found if _ID.fullmatch(value)}


async def lived_in(stage: Gated, admin: httpx2.AsyncClient) -> set[str]:
    """Let the first person ask, remember and file things; return the ids of everything."""
    hall = stage.hall
    hall.seat(voice("ada", f"the {CANARY}"))
    hall.seat(voice("bob", f"the {CANARY}"))
    project = (await admin.post("/api/v1/projects", json={"name": CANARY})).json()
    await admin.post("/api/v1/memory", json={"claim": f"Our parrot is called {CANARY}."})
    run = (await admin.post("/api/v1/runs", json={"text": f"Who is {CANARY}?"})).json()
    desk = stage.household.desk_of("local", hall.auritas)
    reader = desk.join()
    while desk.get(run["id"]).running:
        await reader.wait(STREAM_S)
    desk.leave(reader)
    preview = (await admin.post("/api/v1/previews", json={"html": CANARY})).json()
    assert CANARY in json.dumps(contents(hall))
    own = {str(value) for value in (project["id"], run["id"], *preview.values()) if isinstance(value, str)}
    return ids_of(hall.auritas) | {value for value in own if _ID.fullmatch(value)}


@pytest.mark.anyio
async def test_nothing_of_another_is_there(hall: Hall):
    """Whatever id of the first person the second one names, by whatever verb: it is as unknown as any other (W2).

    The answer is the one to an id that never was, no word of the first person is in it, and no row of theirs changes.
    """
    async with gated(hall) as stage, stage.client(stage.install) as admin:
        ids = await lived_in(stage, admin)
        stage.household.admit("anna")
        guest = await asyncio.to_thread(stage.household.of, "anna")
        ids -= ids_of(guest)
        assert len(ids) > 10
        before, asked = contents(hall), 0
        async with stage.client(cookie=stage.access.begin_session("anna")) as client:
            for call in calls_of(stage.app.openapi()):
                # The second time there may be what the first one has made of her own.
                unknown = {await call.with_id(client, UNKNOWN), await call.with_id(client, UNKNOWN)}
                for given in sorted(ids):
                    asked += 1
                    said = await call.with_id(client, given)
                    assert said in unknown, f"{call} knows {given}: {said}, not {unknown}"
        assert contents(hall) == before
        assert asked > 500
        assert guest.audit_service.verify().ok
