"""What the server does by itself, and the switch that lets it rest."""

from typing import Annotated

from fastapi import Body, Request
from pydantic import BaseModel, ConfigDict

from auritas.app.access import Scope
from auritas.app.duties import Duties, Heartbeat
from auritas.kernel.errors import UnavailableError
from auritas.server.caller import needs
from auritas.server.examples import shows
from auritas.server.router import Router
from auritas.server.routes.health import duties_behind

router = Router(prefix="/api/v1/duties", tags=["health"])
_BEAT = {
    "name": "hand-off notes",
    "at": "2026-11-20T10:00:00Z",
    "age_s": 12.5,
    "failures": 0,
    "error": "",
    "fresh": True,
}
_VIEW = {"paused": False, "duties": [_BEAT]}


class NoDutiesError(UnavailableError):
    """This process does nothing by itself."""

    code = "no_duties"

    def __init__(self) -> None:
        super().__init__("This server does nothing by itself that could be paused.", remedy="Start one: auritas serve")


class DutiesView(BaseModel):
    """Whether the duties that can wait rest, and how each duty stands."""

    paused: bool
    duties: tuple[Heartbeat, ...]


class PauseWanted(BaseModel):
    """Whether they are to rest."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"paused": True}]})
    paused: bool


@router.get("", dependencies=[needs(Scope.STATUS)], responses=shows(_VIEW))
async def show_duties(request: Request) -> DutiesView:
    """Return what the server does by itself."""
    duties = duties_behind(request)
    return DutiesView(paused=False, duties=()) if duties is None else _view(duties)


@router.post("", dependencies=[needs(Scope.ADMIN)], responses=shows({**_VIEW, "paused": True}))
async def pause_duties(request: Request, wanted: Annotated[PauseWanted, Body()]) -> DutiesView:
    """Let the duties that can wait rest, or go on, until the server ends. Indexing what is said never rests."""
    duties = duties_behind(request)
    if duties is None:
        raise NoDutiesError
    duties.switch.paused = wanted.paused
    return _view(duties)


def _view(duties: Duties) -> DutiesView:
    return DutiesView(paused=duties.switch.paused, duties=duties.heartbeats())
