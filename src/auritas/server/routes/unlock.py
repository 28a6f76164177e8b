"""Unlocking: the one thing that can be done with a store that is guarded by a passphrase, before it was given."""

import math

from fastapi import Request, Response
from pydantic import BaseModel, ConfigDict, Field
from starlette.concurrency import run_in_threadpool
from starlette.responses import JSONResponse

from auritas.kernel.clock import SystemClock
from auritas.server.caller import House, open_to_all
from auritas.server.errors import ErrorDocument, document
from auritas.server.examples import shows
from auritas.server.router import Router
from auritas.server.routes.handover import let_in
from auritas.server.unlocking import TooManyTriesError, Unlocking

router = Router(prefix="/api/v1/unlock", tags=["unlock"], dependencies=[open_to_all()])
_SECRET = 1_024
_TOO_OFTEN = 429
_LOCKED = {"locked": True}
_OPEN = {
    "application/json": {
        "example": document("open_already", "The store is open already.", "Let this browser in: auritas open")
    }
}
_ERRORS: dict[int | str, dict[str, object]] = {
    403: {"model": ErrorDocument, "description": "The passphrase is wrong."},
    409: {"model": ErrorDocument, "description": "The store is open already.", "content": _OPEN},
    429: {"model": ErrorDocument, "description": "Tried too often; Retry-After says when to try again."},
    503: {"model": ErrorDocument, "description": "The store cannot be opened."},
}


class Passphrase(BaseModel):
    """What guards the store."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"passphrase": "correct horse battery staple"}]})
    passphrase: str = Field(min_length=1, max_length=_SECRET, json_schema_extra={"format": "password"})


class LockState(BaseModel):
    """Whether a passphrase is awaited."""

    locked: bool


def _unlocking(request: Request, house: House) -> Unlocking:
    if not hasattr(request.app.state, "unlocking"):
        request.app.state.unlocking = Unlocking(house, SystemClock())
    unlocking = request.app.state.unlocking
    assert isinstance(unlocking, Unlocking)  # noqa: S101  only ever set above, or by a test
    return unlocking


@router.get("", responses=shows(_LOCKED))
async def show_lock(house: House) -> LockState:
    """Say whether the store is locked."""
    return LockState(locked=house.locked)


@router.post("", response_model=LockState, responses={**shows({"locked": False}), **_ERRORS})
async def unlock_store(request: Request, house: House, given: Passphrase) -> Response:
    """Open the store with its passphrase and let this browser in."""
    try:
        await _unlocking(request, house).unlock(given.passphrase)
    except TooManyTriesError as error:
        headers = {"retry-after": str(math.ceil(error.wait_s))}
        return JSONResponse(document(error.code, error.message, error.remedy), _TOO_OFTEN, headers)
    answer = JSONResponse({"locked": False})
    await run_in_threadpool(let_in, house, request, answer)
    return answer
