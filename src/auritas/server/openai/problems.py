"""Errors in the form that clients of OpenAI read."""

import json
import re
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any

from fastapi import Request, Response
from fastapi.exceptions import RequestValidationError

from auritas.kernel.errors import AuritasError, UsageError
from auritas.server.errors import headers_of, kind_of, status_of
from auritas.server.router import LateRoute

_BRANCH = re.compile(r"str|constrained-\w+|.*\[.*")
"""What a place says of the kind that was tried there, which is no field."""
_BAD_REQUEST, _TOO_MANY = 400, 429


@dataclass(frozen=True, slots=True)
class ProblemBody:
    """What went wrong. type: the kind, in OpenAI's words. param: the field at fault. remedy: what to do next."""

    message: str
    type: str
    param: str | None
    code: str
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class ProblemDocument:
    """The body of every answer under /v1 that is an error."""

    error: ProblemBody


class UnsupportedError(UsageError):
    """Something that was asked for is not possible here. param: the field that asks for it."""

    code = "unsupported"

    def __init__(self, message: str, *, param: str, remedy: str) -> None:
        super().__init__(message, remedy=remedy)
        self.param = param


def problem(error: AuritasError) -> dict[str, Any]:
    """Return the body that says what `error` says."""
    status = _status(error)
    param = error.param if isinstance(error, UnsupportedError) else None
    code = "model_not_found" if error.code == "model_missing" else error.code
    return {
        "error": {"message": str(error), "type": kind_of(status), "param": param, "code": code, "remedy": error.remedy},
    }


def refusal(error: AuritasError) -> Response:
    """Return the answer to a request that failed."""
    answer = _json(problem(error), _status(error))
    answer.headers.update(headers_of(error))
    if answer.status_code != _TOO_MANY or error.code == "budget_spent":
        # Whatever could be tried again was: a client that asks anew by itself would only repeat the question.
        answer.headers["x-should-retry"] = "false"
    return answer


def _status(error: AuritasError) -> int:
    if error.code == "budget_spent":
        return _TOO_MANY
    status = status_of(error)
    return _BAD_REQUEST if isinstance(error, UsageError) else status


def _invalid(error: RequestValidationError) -> Response:
    errors = error.errors()
    # Of several kinds that a field may have, the first is told first, and says only that it is none of the others.
    first = next((each for each in errors if not each["type"].endswith("_type")), errors[0])
    if first["type"] == "json_invalid":
        # Its place is a position in the text, which is no field.
        why = first.get("ctx", {}).get("error", first["msg"])
        message = f"The body could not be read as JSON, from character {first['loc'][-1]} on: {why}."
        return _refused(message, None, "Send a JSON object with content-type application/json.")
    place = ".".join(str(part) for part in first["loc"][1:] if not _BRANCH.fullmatch(str(part)))
    return _refused(f"{place or 'the body'}: {first['msg']}.", place or None, "See /api/v1/openapi.json.")


def _refused(message: str, param: str | None, remedy: str) -> Response:
    said = {"message": message, "type": "invalid_request_error", "param": param, "code": "invalid", "remedy": remedy}
    return _json({"error": said}, _BAD_REQUEST)


def _json(body: object, status: int) -> Response:
    content = json.dumps(body, ensure_ascii=False).encode(errors="replace")
    return Response(content, status, media_type="application/json")


class OpenAIRoute(LateRoute):
    """A route whose errors have OpenAI's form."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Wrap the handler."""
        inner = super().get_route_handler()

        async def handler(request: Request) -> Response:
            try:
                return await inner(request)
            except AuritasError as error:
                return refusal(error)
            except RequestValidationError as error:
                return _invalid(error)

        return handler
