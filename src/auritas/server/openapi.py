"""The OpenAPI document: what FastAPI derives from the routes, with our errors in place of its own."""

from collections.abc import Iterator
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from fastapi.routing import iter_route_contexts
from pydantic import TypeAdapter

from auritas.server.errors import ErrorDocument

_METHODS = ("get", "put", "post", "delete", "patch")
_SCHEMA = {"$ref": "#/components/schemas/ErrorDocument"}
_FORBIDDEN = {
    "code": "forbidden",
    "message": "This token lacks the scope 'query'.",
    "remedy": "Make one that has it: under Settings, or by auritas tokens create NAME --scope query",
}
_ERRORS: dict[str, tuple[str, dict[str, str]]] = {
    "401": (
        "Nobody is known by this token or cookie.",
        {"code": "unauthorized", "message": "A token is needed.", "remedy": "Make one: auritas tokens create NAME"},
    ),
    "403": ("The token or the origin does not allow it.", _FORBIDDEN),
    "404": (
        "It is not there, or not yours: both are the same.",
        {"code": "not_found", "message": "There is nothing of this name.", "remedy": "See what there is."},
    ),
    "422": (
        "The request cannot be understood or done as it is.",
        {"code": "invalid", "message": "limit: Input should be less than or equal to 200.", "remedy": ""},
    ),
    "429": (
        "Too much at once; `Retry-After` says when to come again.",
        {"code": "busy", "message": "8 questions are being answered already.", "remedy": "Wait for one, or stop one."},
    ),
    "503": (
        "Something needed is missing, full or out of reach just now.",
        {"code": "no_model", "message": "No model is installed.", "remedy": "Fetch one: auritas models get standard"},
    ),
}
_FURTHER = {
    "code": "too_large",
    "message": "The body is larger than 1,000,000 bytes.",
    "remedy": "Send less at a time.",
}
"""Stands for every error that an operation does not name: 400, 405, 409, 413, 421, 423."""
_OF_FASTAPI = frozenset({"HTTPValidationError", "ValidationError"})


def describe(app: FastAPI) -> dict[str, Any]:
    """Return the document, made once for an application."""
    if app.openapi_schema is None:
        document = get_openapi(title=app.title, version=app.version, description=app.description, routes=app.routes)
        _restore_examples(document, app)
        app.openapi_schema = _completed(document)
    return app.openapi_schema


def operations(document: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield path, method and operation of everything in a document."""
    for path, found in document["paths"].items():
        for method in _METHODS:
            if method in found:
                yield path, method, found[method]


def _restore_examples(document: dict[str, Any], app: FastAPI) -> None:
    """Put the examples back as they were written: on its way through FastAPI a document loses every null."""
    for route in iter_route_contexts(app.routes):
        described = document["paths"].get(route.path_format, {})
        for method in {each.lower() for each in route.methods or ()} & described.keys():
            told = described[method]["responses"]
            for status, response in route.responses.items():
                for kind, content in response.get("content", {}).items():
                    if "example" in content:
                        told[str(status)]["content"][kind]["example"] = content["example"]


def _completed(document: dict[str, Any]) -> dict[str, Any]:
    schemas = document.setdefault("components", {}).setdefault("schemas", {})
    ours = TypeAdapter(ErrorDocument).json_schema(ref_template="#/components/schemas/{model}")
    schemas |= {**ours.pop("$defs", {}), "ErrorDocument": ours}
    for _, _, operation in operations(document):
        _tell_errors(operation)
    if not any(_mentions(document["paths"], name) for name in _OF_FASTAPI):
        for name in _OF_FASTAPI & schemas.keys():
            del schemas[name]
    document["components"]["securitySchemes"] = {
        "token": {"type": "http", "scheme": "bearer", "description": "Made by `auritas tokens create`."},
        "session": {"type": "apiKey", "in": "cookie", "name": "auritas_session", "description": "Of a browser."},
    }
    document["security"] = [{"token": []}, {"session": []}]
    return document


def _tell_errors(operation: dict[str, Any]) -> None:
    """Add the errors that every operation can answer with; what an operation says itself stays."""
    told = operation["responses"]
    if _is_of_fastapi(told.get("422")):
        del told["422"]
    for status, (words, example) in (*_ERRORS.items(), ("default", ("Any other error.", _FURTHER))):
        content = {"application/json": {"schema": _SCHEMA, "example": {"error": example}}}
        body = told.setdefault(status, {"description": words, "content": content})["content"]["application/json"]
        body.setdefault("example", {"error": example})


def _is_of_fastapi(response: Any) -> bool:
    return response is not None and any(_mentions(response, name) for name in _OF_FASTAPI)


def _mentions(part: Any, name: str) -> bool:
    match part:
        case dict():
            return part.get("$ref") == f"#/components/schemas/{name}" or any(_mentions(v, name) for v in part.values())
        case list():
            return any(_mentions(each, name) for each in part)
        case _:
            return False
