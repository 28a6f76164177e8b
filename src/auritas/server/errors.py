"""Errors as HTTP says them: a status, and the code, sentence and remedy that the command line shows, too."""

import re
from dataclasses import dataclass
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from auritas.app.household import LockedError
from auritas.app.run_errors import BusyError
from auritas.app.shapes.keeping import WrongPassphraseError
from auritas.kernel.errors import (
    AuritasError,
    NotFoundError,
    RefusedError,
    UnavailableError,
    UsageError,
    VerificationError,
)
from auritas.server.caller import ForbiddenError


@dataclass(frozen=True, slots=True)
class ErrorBody:
    """What went wrong: a stable code for programs, a sentence for a person, and what to do next."""

    code: str
    message: str
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class ErrorDocument:
    """The body of every answer that is an error."""

    error: ErrorBody


BUSY_S = 5
"""Seconds after which one of so many questions will probably be answered."""
_OPENAI = "/v1/"
_OURS = 500
_KINDS = {401: "authentication_error", 403: "permission_error", 429: "rate_limit_error"}
_MEMBER = re.compile(r"<\w+\.\w+: ('[^']*')>")
"""A member of an enumeration as Python writes it; what is sent is its value."""
_STATUS: tuple[tuple[type[AuritasError], int], ...] = (
    (ForbiddenError, 403),
    (WrongPassphraseError, 403),
    (LockedError, 423),
    (BusyError, 429),
    (UsageError, 422),
    (NotFoundError, 404),
    (RefusedError, 409),
    (UnavailableError, 503),
    (VerificationError, 422),
)
_WORDS = {
    400: ("invalid", "The body could not be read.", "Send a JSON object with content-type application/json."),
    404: ("not_found", "There is nothing at this address.", "The addresses are listed in /api/v1/openapi.json."),
    413: ("too_large", "The body is larger than this address takes.", "Send less at a time."),
    405: ("method_not_allowed", "This address does not take that method.", "See /api/v1/openapi.json."),
}


def status_of(error: AuritasError) -> int:
    """Return the HTTP status that says what `error` says."""
    return next((status for kind, status in _STATUS if isinstance(error, kind)), 500)


def document(code: str, message: str, remedy: str = "") -> dict[str, dict[str, str]]:
    """Return the body of an error."""
    return {"error": {"code": code, "message": message, "remedy": remedy}}


def document_at(path: str, status: int, code: str, message: str, remedy: str = "") -> dict[str, dict[str, Any]]:
    """Return the body of an error in the form that callers of `path` read: clients of OpenAI under /v1."""
    if not path.startswith(_OPENAI):
        return document(code, message, remedy)
    said = {"message": f"{message} {remedy}".strip(), "type": kind_of(status), "param": None}
    return {"error": {**said, "code": code, "remedy": remedy}}


def kind_of(status: int) -> str:
    """Return what clients of OpenAI call an error with this status."""
    return _KINDS.get(status, "api_error" if status >= _OURS else "invalid_request_error")


def headers_of(error: AuritasError) -> dict[str, str]:
    """Return the headers of the answer to `error`: when to come again, where that is known."""
    return {"retry-after": str(BUSY_S)} if isinstance(error, BusyError) else {}


def install(app: FastAPI) -> None:
    """Let `app` answer errors in this form."""

    @app.exception_handler(AuritasError)
    async def _ours(_: Request, error: AuritasError) -> JSONResponse:
        return JSONResponse(document(error.code, error.message, error.remedy), status_of(error), headers_of(error))

    @app.exception_handler(RequestValidationError)
    async def _invalid(_: Request, error: RequestValidationError) -> JSONResponse:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"] if part != "body") or "the body"
        wrong = _MEMBER.sub(r"\1", first["msg"])
        said = f"{place}: {wrong}."
        return JSONResponse(document("invalid", said, "The shapes are in /api/v1/openapi.json."), 422)

    @app.exception_handler(HTTPException)
    async def _http(request: Request, error: HTTPException) -> JSONResponse:
        status = error.status_code
        said = _WORDS.get(status, ("http", str(error.detail), ""))
        return JSONResponse(document_at(request.url.path, status, *said), status, headers=error.headers)

    @app.exception_handler(Exception)
    async def _bug(request: Request, error: Exception) -> JSONResponse:
        household = request.app.state.household
        if not household.locked:
            # The route, not the path: that may hold a one-time code, or what a person wrote.
            route = getattr(request.scope.get("route"), "path_format", "unmatched")
            household.main.diagnostics.trouble(f"{request.method} {route}", error)
        remedy = "Try again; auritas doctor checks everything."
        said = "Something unexpected happened inside Auritas."
        return JSONResponse(document_at(request.url.path, _OURS, "bug", said, remedy), _OURS)
