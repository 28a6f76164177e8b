"""Previews: what a model wrote as a page, in a sandbox."""

from datetime import datetime

from fastapi import Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import HTMLResponse

from auritas.app.access import Scope
from auritas.server.caller import House, Me, needs
from auritas.server.examples import shows
from auritas.server.previews import CHARACTERS, POLICY, Previews
from auritas.server.router import Router

router = Router(tags=["previews"], dependencies=[needs(Scope.QUERY)])
_EXAMPLE = {
    "id": "01JAV3Q0000000000000000001",
    "path": "/preview/01JAV3Q0000000000000000001",
    "until": "2026-11-20T10:10:00Z",
}
_PAGE = {
    "content": {"text/html": {"schema": {"type": "string"}, "example": "<h1>Rehearsal on Tuesday</h1>"}},
    "description": "The page.",
}


class NewPreview(BaseModel):
    """A page to be shown in a frame."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"html": "<h1>Rehearsal on Tuesday</h1>"}]})
    html: str = Field(max_length=CHARACTERS)


class PreviewView(BaseModel):
    """Where a preview is shown, and until when."""

    id: str
    path: str
    until: datetime


def _previews(request: Request, house: House) -> Previews:
    if not hasattr(request.app.state, "previews"):
        request.app.state.previews = Previews(house.main.clock, house.main.ids)
    previews = request.app.state.previews
    assert isinstance(previews, Previews)  # noqa: S101  only ever set above
    return previews


@router.post("/api/v1/previews", status_code=201, responses=shows(_EXAMPLE, 201))
async def make_preview(request: Request, house: House, me: Me, preview: NewPreview) -> PreviewView:
    """Keep a page for ten minutes and say where a sandboxed frame may load it; it can run and fetch nothing."""
    preview_id, until = _previews(request, house).put(me.owner, preview.html)
    return PreviewView(id=preview_id, path=f"/preview/{preview_id}", until=until)


@router.get("/preview/{preview_id}", responses={200: _PAGE}, response_class=HTMLResponse)
async def show_preview(request: Request, house: House, me: Me, preview_id: str) -> HTMLResponse:
    """Return a preview under a policy of its own, which forbids scripts, forms, requests and everything else."""
    html = _previews(request, house).get(me.owner, preview_id)
    headers = {"content-security-policy": POLICY, "cache-control": "no-store"}
    return HTMLResponse(html.encode("utf-8", "replace"), headers=headers)
