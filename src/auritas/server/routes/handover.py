"""How a browser is let in: a one-time address, made by whoever is let in already, opened once."""

from typing import Annotated

from fastapi import Path, Request, Response
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import HTMLResponse, RedirectResponse

from auritas.app.access import LOCAL, NotAdmittedError, Scope
from auritas.server.caller import House, needs, open_to_all
from auritas.server.examples import shows
from auritas.server.guard.credentials import cookie, cookie_name
from auritas.server.guard.handover import LASTS_S, Handover
from auritas.server.guard.head import HEAD
from auritas.server.guard.labels import label_of
from auritas.server.router import Router

router = Router(tags=["tokens"])
_GONE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Auritas</title></head>
<body><h1>This address has been used, or is too old</h1>
<p>It lets one browser in, once, within two minutes. For a new one type in a terminal:</p>
<pre>auritas open</pre></body></html>
"""


class HandoverWanted(BaseModel):
    """Whose browser is to be let in."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"owner": "local"}]})
    owner: str = Field(LOCAL, max_length=32)


class OneTimeAddress(BaseModel):
    """Where a browser is let in. path: below the address of this server. seconds: how long it can be opened."""

    path: str
    seconds: int


@router.post(
    "/api/v1/handover",
    status_code=201,
    dependencies=[needs(Scope.ADMIN)],
    responses=shows({"path": "/open/" + "x" * 43, "seconds": int(LASTS_S)}, 201),
)
def make_one_time_address(request: Request, house: House, wanted: HandoverWanted) -> OneTimeAddress:
    """Make an address that lets one browser in, once, within two minutes. It can be made while the store is locked."""
    if wanted.owner != LOCAL and wanted.owner not in house.access.people():
        raise NotAdmittedError(wanted.owner)
    return OneTimeAddress(path=_handover(request).path(wanted.owner), seconds=int(LASTS_S))


@router.get("/open/{code}", dependencies=[open_to_all()], include_in_schema=False)
def open_one_time_address(request: Request, house: House, code: Annotated[str, Path(max_length=200)]) -> Response:
    """Let the browser in and lead it to the page; while the store is locked the address stays good."""
    home = RedirectResponse("/", 303)
    if house.locked:
        return home
    if request.scope.get(HEAD):
        return Response(status_code=204)  # whoever only looks must not use it up
    owner = _handover(request).take(code)
    if owner is None:
        return HTMLResponse(_GONE, 410)
    let_in(house, request, home, owner)
    return home


def let_in(house: House, request: Request, response: Response, owner: str = LOCAL) -> None:
    """Begin a session for the browser that sent `request`, by a cookie on `response`."""
    secret = house.access.begin_session(owner, label_of(request.headers.get("user-agent", "")))
    response.headers["set-cookie"] = cookie(
        secret, cookie_name(house.settings.home), secure=request.url.scheme == "https"
    )


def _handover(request: Request) -> Handover:
    handover = request.app.state.handover
    assert isinstance(handover, Handover)  # noqa: S101  set by `guarded`
    return handover
