"""Files that are read in, of conversations and of memory, and memory written out."""

from typing import Annotated, Any

from fastapi import Query, Request, Response
from fastapi.concurrency import run_in_threadpool

from auritas.app.access import Scope
from auritas.app.shapes.conversations import Form
from auritas.app.shapes.files import LARGEST_BYTES, LARGEST_MEMORY_BYTES, Imported
from auritas.server import wire
from auritas.server.caller import Desk, Mine, needs
from auritas.server.downloads import whole
from auritas.server.receiving import received, takes
from auritas.server.router import Router
from auritas.server.routes.conversations import ExportForm
from auritas.server.specimens import memory as specimens
from auritas.server.specimens import showing

router = Router(prefix="/api/v1", tags=["imports"], dependencies=[needs(Scope.BATCH)])
_CHANGED = ("conversations", "projects")
_CONVERSATIONS = {
    "application/json": {"format": "auritas-conversations", "version": 1, "conversations": []},
    "application/zip": "(the bytes of the .zip that ChatGPT or Claude sent)",
}
_MEMORY = {"format": "auritas-memory", "version": 1, "corrections": []}
_FILE: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The file.",
        "content": {
            "text/markdown": {"schema": {"type": "string"}, "example": "# What is remembered\n"},
            "application/json": {"schema": {}, "example": _MEMORY},
        },
    }
}


@router.post(
    "/imports",
    status_code=201,
    response_model=wire.RunView,
    openapi_extra=takes(_CONVERSATIONS),
    max_body_size=LARGEST_BYTES,
)
async def import_conversations(
    mine: Mine,
    desk: Desk,
    request: Request,
    name: Annotated[str, Query(max_length=200, description="What the file is called, to name it by.")] = "",
) -> Response:
    """Read in conversations of ChatGPT, of Claude or of our own export, sent as the body of up to 1 GB.

    Begins a run that tells how far it is and ends with what came of it. Sent again, a file adds only what is new. It is
    held in memory until it is read; one of more than 64 MB lies in the home meanwhile, in a file without a name.
    """
    upload = await run_in_threadpool(mine.uploads.receive, name)
    try:
        await received(request, upload.write, LARGEST_BYTES)

        async def afterwards(_: object) -> None:
            for what in _CHANGED:
                desk.changed(what)

        run = desk.start("import", upload.name, lambda: mine.uploads.read_in(upload), after=afterwards)
    except BaseException:
        upload.discard()
        raise
    return Response(wire.run_json(run), 201, media_type="application/json")


@router.post(
    "/memory/import",
    openapi_extra=takes({"application/json": _MEMORY}),
    responses=showing(specimens.IMPORTED),
    max_body_size=LARGEST_MEMORY_BYTES,
)
async def import_memory(mine: Mine, desk: Desk, request: Request) -> Imported:
    """Read in what was remembered elsewhere. What is there already stays, and so does what is newer than the file's."""
    content = bytearray()
    await received(request, content.extend, LARGEST_MEMORY_BYTES)
    came = await run_in_threadpool(mine.memory_files.take_in, bytes(content))
    desk.changed("memory")
    return came


@router.post("/memory/export", responses=_FILE, response_class=Response)
def export_memory(mine: Mine, wanted: ExportForm) -> Response:
    """Write out everything that holds, to read or to be read in again; the audit log says that it went out."""
    structured = wanted.form is Form.JSON
    text, _ = mine.memory_files.export(structured=structured)
    return whole(text, "auritas memory", "json" if structured else "md")
