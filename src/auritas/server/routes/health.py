"""Health: for supervisors and for whoever waits until the server can be used."""

from typing import Literal

from fastapi import Request, Response
from pydantic import BaseModel

from auritas.app.access import Scope
from auritas.app.duties import Duties
from auritas.server.caller import House, Maybe, open_to_all
from auritas.server.examples import shows
from auritas.server.health import Readiness, readiness
from auritas.server.router import Router

router = Router(prefix="/health", tags=["health"])
_NOT_READY = 503
_STORE = {"name": "store", "ok": True, "text": "open, 12 entries in the log", "remedy": ""}
_READY = {"ready": True, "parts": [_STORE]}
_LOCKED = {"name": "store", "ok": False, "text": "The store is locked.", "remedy": "Give its passphrase on the page."}
_RESPONSES = {
    **shows(_READY),
    503: {
        "model": Readiness,
        "description": "Something cannot work; the parts say what and why.",
        "content": {"application/json": {"example": {"ready": False, "parts": [_LOCKED]}}},
    },
}


class Alive(BaseModel):
    """The process turns."""

    status: Literal["alive"] = "alive"


def duties_behind(request: Request) -> Duties | None:
    """Return the duties of this process; a server without any has none to tell of."""
    duties = getattr(request.app.state, "duties", None)
    return duties if isinstance(duties, Duties) else None


@router.get("/live", dependencies=[open_to_all()], responses=shows({"status": "alive"}))
async def show_liveness() -> Alive:
    """Say that the process turns."""
    return Alive()


@router.get("/ready", dependencies=[open_to_all(looks=True)], responses=_RESPONSES)
def show_readiness(request: Request, response: Response, house: House, caller: Maybe) -> Readiness:
    """Say whether the store is open, the workers are alive, the index is whole and models are there; 503 if not.

    What is so, and what to do, is told to a token with the scope `status`; without one each part says only yes or no.
    """
    found = readiness(house, duties_behind(request))
    if not found.ready:
        response.status_code = _NOT_READY
    response.headers["cache-control"] = "no-store"
    return found if caller is not None and caller.may(Scope.STATUS) else found.brief
