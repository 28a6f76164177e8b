"""Conversations: found, read a stretch at a time, renamed, moved, archived, branched, written out and deleted."""

from typing import Annotated, Any

from fastapi import Body, Query
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import StreamingResponse

from auritas.app.access import Scope
from auritas.app.shapes.conversations import (
    Branched,
    Conversation,
    Deleted,
    Form,
    Loss,
    Source,
    Stretch,
    Thread,
)
from auritas.server.caller import Desk, ForbiddenError, Me, Mine, needs
from auritas.server.downloads import streamed
from auritas.server.ids import EXAMPLE_ID, ID_CHARACTERS, Id
from auritas.server.paging import DEFAULT_LIMIT, Before, Limit
from auritas.server.router import Router
from auritas.server.specimens import conversations as specimens
from auritas.server.specimens import showing

router = Router(prefix="/api/v1/conversations", tags=["conversations"])
_QUERY = [needs(Scope.QUERY)]
_BATCH = [needs(Scope.BATCH)]
_CHANGED = "conversations"
_ENDINGS = {Form.MARKDOWN: "md", Form.JSON: "json"}
_FILE: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The file.",
        "content": {
            "text/markdown": {"schema": {"type": "string"}, "example": "# How large is our choir?\n"},
            "application/json": {"schema": {}, "example": {"format": "auritas-conversations", "version": 1}},
        },
    }
}
MessageId = Annotated[str | None, Query(max_length=ID_CHARACTERS, examples=[EXAMPLE_ID])]


class ConversationList(BaseModel):
    """Conversations, the latest used first. next: give it as `before` to go on."""

    items: tuple[Conversation, ...]
    next: str | None


class ConversationChange(BaseModel):
    """What is to be different; what is left out stays. project_id: null takes it out of its project."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"title": "The choir", "archived": False}]})
    title: str | None = Field(None, max_length=1_000)
    project_id: str | None = Field(None, max_length=ID_CHARACTERS)
    archived: bool | None = None
    instructions: str | None = Field(None, max_length=20_000, description="What is wanted in it; empty: nothing.")


class BranchPoint(BaseModel):
    """Where a branch begins. at: a message, else the last. before: end just before it, so that it is asked anew."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"at": EXAMPLE_ID, "before": True}]})
    at: str | None = Field(None, max_length=ID_CHARACTERS)
    before: bool = False


class ExportForm(BaseModel):
    """How something is written out."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"form": "markdown"}]})
    form: Form = Form.MARKDOWN


@router.get(
    "",
    dependencies=_QUERY,
    responses=showing(ConversationList(items=(specimens.CONVERSATION,), next=specimens.CURSOR)),
)
def list_conversations(
    mine: Mine,
    *,
    limit: Limit = DEFAULT_LIMIT,
    before: Before = None,
    project_id: Annotated[str | None, Query(max_length=ID_CHARACTERS)] = None,
    source: Source | None = None,
    archived: bool = False,
) -> ConversationList:
    """List conversations, the latest used first: of one project, from one program, or those that were archived."""
    project = mine.projects.known(project_id).id if project_id is not None else None
    page = mine.conversations.newest(limit, project=project, archived=archived, cursor=before, source=source)
    return ConversationList(items=page.conversations, next=page.next)


@router.post("/export", dependencies=_BATCH, responses=_FILE, response_class=StreamingResponse)
def export_conversations(mine: Mine, wanted: ExportForm) -> StreamingResponse:
    """Write out all conversations, archived ones included, as one file; the audit log says that it went out.

    The JSON can be read in again, here or elsewhere.
    """
    return streamed(mine.conversations.export(None, wanted.form), "auritas conversations", _ENDINGS[wanted.form])


@router.get("/{conversation_id}", dependencies=_QUERY, responses=showing(specimens.CONVERSATION))
def show_conversation(mine: Mine, conversation_id: Id) -> Conversation:
    """Return a conversation without its messages."""
    return mine.conversations.known(conversation_id)


@router.get("/{conversation_id}/messages", dependencies=_QUERY, responses=showing(specimens.THREAD))
def list_messages(
    mine: Mine,
    conversation_id: Id,
    *,
    limit: Limit = DEFAULT_LIMIT,
    before: MessageId = None,
    after: MessageId = None,
    around: MessageId = None,
) -> Thread:
    """Return the last messages, or those before, after or around a message, in the order in which they were said."""
    conversation = mine.conversations.known(conversation_id)
    return mine.threads.read(conversation, Stretch(limit, before, after, around))


@router.patch("/{conversation_id}", dependencies=_QUERY, responses=showing(specimens.CONVERSATION))
def change_conversation(mine: Mine, desk: Desk, conversation_id: Id, change: ConversationChange) -> Conversation:
    """Rename a conversation, move it into a project or out of one, archive it or show it again."""
    found = mine.conversations.known(conversation_id)
    if change.title is not None:
        found = mine.conversations.rename(found.id, change.title)[1]
    if "project_id" in change.model_fields_set:
        target = mine.projects.known(change.project_id).id if change.project_id is not None else None
        found = mine.conversations.move(found.id, target)[1]
    if change.instructions is not None:
        found = mine.conversations.instruct(found.id, change.instructions)[1]
    if change.archived is not None:
        found = mine.conversations.archive(found.id, archived=change.archived)[1]
    desk.changed(_CHANGED)
    return found


@router.post(
    "/{conversation_id}/branches", status_code=201, dependencies=_QUERY, responses=showing(specimens.BRANCHED, 201)
)
def branch_conversation(mine: Mine, desk: Desk, conversation_id: Id, point: Annotated[BranchPoint, Body()]) -> Branched:
    """Begin a new conversation that copies this one up to a message, or to just before a question to ask it anew."""
    found = mine.conversations.known(conversation_id)
    at = mine.threads.known(found, point.at).id if point.at is not None else None
    made = mine.conversations.branch(found.id, at, before=point.before)
    desk.changed(_CHANGED)
    return made


@router.post("/{conversation_id}/export", dependencies=_BATCH, responses=_FILE, response_class=StreamingResponse)
def export_conversation(mine: Mine, conversation_id: Id, wanted: ExportForm) -> StreamingResponse:
    """Write out one conversation as a file; the audit log says that it went out."""
    found = mine.conversations.known(conversation_id)
    return streamed(mine.conversations.export([found.id], wanted.form), found.name, _ENDINGS[wanted.form])


@router.get("/{conversation_id}/loss", dependencies=_QUERY, responses=showing(specimens.LOSS))
def loss_of_conversation(mine: Mine, conversation_id: Id) -> Loss:
    """Return what deleting a conversation would take away, before anybody does it."""
    return mine.conversations.loss([mine.conversations.known(conversation_id).id])


@router.delete("/{conversation_id}", dependencies=_QUERY, responses=showing(specimens.DELETED))
def delete_conversation(mine: Mine, me: Me, desk: Desk, conversation_id: Id, *, with_memory: bool = False) -> Deleted:
    """Delete a conversation for good, with its words in the index and the audit log, which still verifies.

    with_memory: also what was to be remembered everywhere and was said there; that needs the scope corrections:write.
    """
    if with_memory and not me.may(Scope.CORRECTIONS_WRITE):
        raise ForbiddenError(Scope.CORRECTIONS_WRITE)
    gone = mine.conversations.delete([mine.conversations.known(conversation_id).id], with_memory=with_memory)
    desk.changed(_CHANGED)
    desk.changed("memory")
    return gone
