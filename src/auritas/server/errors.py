"""Errors as HTTP says them: a status, and the code, sentence and remedy that the command line shows, too."""

import re
from dataclasses import dataclass

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from auritas.app.household import LockedError
from auritas.app.runs import BusyError
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


def install(app: FastAPI) -> None:
    """Let `app` answer errors in this form."""

    @app.exception_handler(AuritasError)
    async def _ours(_: Request, error: AuritasError) -> JSONResponse:
        return JSONResponse(document(error.code, error.message, error.remedy), status_of(error))

    @app.exception_handler(RequestValidationError)
    async def _invalid(_: Request, error: RequestValidationError) -> JSONResponse:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"] if part != "body") or "the body"
        wrong = _MEMBER.sub(r"\1", first["msg"])
        said = f"{place}: {wrong}."
        return JSONResponse(document("invalid", said, "The shapes are in /api/v1/openapi.json."), 422)

    @app.exception_handler(HTTPException)
    async def _http(_: Request, error: HTTPException) -> JSONResponse:
        code, message, remedy = _WORDS.get(error.status_code, ("http", str(error.detail), ""))
        return JSONResponse(document(code, message, remedy), error.status_code, headers=error.headers)

    @app.exception_handler(Exception)
    async def _bug(request: Request, error: Exception) -> JSONResponse:
        household = request.app.state.household
        if not household.locked:
            # The route, not the path: that may hold a one-time code, or what a person wrote.
            route = getattr(request.scope.get("route"), "path_format", "unmatched")
            household.main.diagnostics.trouble(f"{request.method} {route}", error)
        remedy = "Try again; auritas doctor checks everything."
        return JSONResponse(document("bug", "Something unexpected happened inside Auritas.", remedy), 500)
