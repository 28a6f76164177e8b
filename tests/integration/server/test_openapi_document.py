"""The OpenAPI document is complete, and its examples are true."""

from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from auritas.app.household import Household
from auritas.app.settings import load
from auritas.server.app import routes
from auritas.server.openapi import describe, operations

ERRORS = ("401", "403", "404", "422", "429")
NO_CONTENT = "204"
Operation = tuple[str, str, dict[str, Any]]


@pytest.fixture
def document(tmp_path) -> dict[str, Any]:
    return describe(routes(Household(load(home=tmp_path))))


def _checked(document: dict[str, Any], schema: dict[str, Any], example: Any) -> list[str]:
    whole = {**schema, "components": document["components"]}
    return [error.message[:200] for error in Draft202012Validator(whole).iter_errors(example)]


def _bodies(document: dict[str, Any], operation: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any], list[Any]]]:
    """Yield each JSON body of an operation: what it is, its schema, and its examples."""
    body = operation.get("requestBody", {}).get("content", {}).get("application/json")
    if body is not None:
        yield "body", body["schema"], _examples(document, body)
    for status, answer in operation["responses"].items():
        content = answer.get("content", {}).get("application/json")
        if content is not None and status.startswith("2"):
            yield status, content.get("schema", {}), _examples(document, content)


def _examples(document: dict[str, Any], content: dict[str, Any]) -> list[Any]:
    if "example" in content:
        return [content["example"]]
    named = [each["value"] for each in content.get("examples", {}).values()]
    schema = content.get("schema", {})
    ref = schema.get("$ref", "").removeprefix("#/components/schemas/")
    return named or schema.get("examples") or document["components"]["schemas"].get(ref, {}).get("examples", [])


def test_every_operation_says_what_it_does(document):
    """Each operation has an id of its own, a summary and a description."""
    found = list(operations(document))
    ids = [operation["operationId"] for _, _, operation in found]
    assert len(ids) == len(set(ids))
    missing = [
        f"{method} {path}"
        for path, method, operation in found
        if not operation.get("summary") or not operation.get("description")
    ]
    assert missing == []


def test_every_body_and_answer_has_an_example(document):
    """Nobody has to guess what a request looks like, or what comes back."""
    missing = [
        f"{method} {path}: {what}"
        for path, method, operation in operations(document)
        for what, _, examples in _bodies(document, operation)
        if not examples
    ]
    assert missing == []


def test_every_example_fits_its_schema(document):
    """An example that does not validate would be a lie."""
    wrong = [
        f"{method} {path}: {what}: {problem}"
        for path, method, operation in operations(document)
        for what, schema, examples in _bodies(document, operation)
        for example in examples
        for problem in _checked(document, schema, example)
    ]
    assert wrong == []


def test_every_operation_tells_its_errors(document):
    """Each says which errors it can answer with, in which form, with an example that fits."""
    for path, method, operation in operations(document):
        for status in ERRORS:
            content = operation["responses"][status]["content"]["application/json"]
            assert content["schema"]["$ref"].endswith("Document"), (path, method, status)
            assert _checked(document, content["schema"], content["example"]) == [], (path, method, status)


def test_no_schema_of_the_framework_is_left(document):
    """The errors are ours, so the framework's own form of them appears nowhere."""
    assert "HTTPValidationError" not in document["components"]["schemas"]


@pytest.mark.anyio
async def test_the_server_serves_its_document(served):
    """The document can be read from the server that it describes."""
    found = await served.get("/api/v1/openapi.json")
    assert "/v1/chat/completions" in found["paths"]
    assert "/api/v1/runs" in found["paths"]
