"""Files that come with a message: sent before it, read at once, taken back until it is sent."""

from datetime import datetime
from typing import Annotated

from anyio import CapacityLimiter, to_thread
from fastapi import Body, Query, Request, Response
from pydantic import BaseModel

from auritas.app.access import Scope
from auritas.app.shapes.conversations import Attachment, FileKind
from auritas.server.caller import Mine, needs
from auritas.server.examples import shows
from auritas.server.router import Router

router = Router(prefix="/api/v1/attachments", tags=["attachments"], dependencies=[needs(Scope.QUERY)])
READERS = 2
"""Files that are read at a time, in threads of their own: a hostile PDF takes a minute, for which nobody else waits."""
_FILE = "(the bytes of the file)"
_EXAMPLE = {
    "id": "01JAV3Q0000000000000000002",
    "name": "minutes.pdf",
    "kind": "text",
    "media_type": "application/pdf",
    "size": 48213,
    "pages": 3,
    "characters": 7120,
    "created_at": "2026-11-20T10:00:00Z",
}


class AttachmentView(BaseModel):
    """An attached file. kind: text is read by every member, a picture is shown to those that see."""

    id: str
    name: str
    kind: FileKind
    media_type: str
    size: int
    pages: int
    characters: int
    created_at: datetime


def view(found: Attachment) -> AttachmentView:
    """Return a file as pages show it."""
    return AttachmentView.model_validate(found, from_attributes=True)


@router.post("", status_code=201, responses=shows(_EXAMPLE, 201), max_body_size=20_000_000)
async def attach_file(
    mine: Mine,
    request: Request,
    name: Annotated[str, Query(min_length=1, max_length=300, examples=["minutes.pdf"])],
    content: Annotated[
        bytes, Body(media_type="application/octet-stream", max_length=20_000_000, examples=[_FILE])
    ] = b"",
) -> AttachmentView:
    """Attach a file to the next message; the body is the file itself, at most 20 MB."""
    return view(await to_thread.run_sync(mine.attachments.add, name, content, limiter=_readers(request)))


def _readers(request: Request) -> CapacityLimiter:
    if not hasattr(request.app.state, "file_readers"):
        request.app.state.file_readers = CapacityLimiter(READERS)
    readers = request.app.state.file_readers
    assert isinstance(readers, CapacityLimiter)  # noqa: S101  only ever set above
    return readers


@router.get("/{attachment_id}", responses=shows(_EXAMPLE))
def show_attachment(mine: Mine, attachment_id: str) -> AttachmentView:
    """Return what is known of a file."""
    return view(mine.attachments.get(attachment_id))


@router.get("/{attachment_id}/picture", response_class=Response)
def show_picture(mine: Mine, attachment_id: str) -> Response:
    """Return a picture; anything else that was attached has none."""
    found = mine.attachments.picture(attachment_id)
    # Kept by no browser: the guard forbids that for all that is private, and a picture is no less so than a text.
    headers = {"content-disposition": "inline"}
    return Response(found.content, media_type=found.media_type, headers=headers)


@router.get("/{attachment_id}/text", response_class=Response)
def show_text(mine: Mine, attachment_id: str) -> Response:
    """Return what was read of a file, as plain text."""
    return Response(mine.attachments.text(attachment_id), media_type="text/plain; charset=utf-8")


@router.delete("/{attachment_id}", status_code=204)
def drop_attachment(mine: Mine, attachment_id: str) -> None:
    """Take back a file whose message was not sent yet."""
    mine.attachments.drop(attachment_id)
