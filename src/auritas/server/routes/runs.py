"""Runs: questions that are being answered. POST begins one, GET follows it."""

import asyncio
from collections.abc import Sequence
from typing import Annotated

from fastapi import Header, Query, Response
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import StreamingResponse

from auritas.app.access import Scope
from auritas.app.ask import QUESTION_CHARACTERS
from auritas.app.compose import Auritas
from auritas.app.runs import WorkEvent
from auritas.app.wishes import Wishes
from auritas.kernel.answers import AccuracyLevel
from auritas.kernel.errors import UsageError
from auritas.kernel.events import AskFinished
from auritas.kernel.tasks import Hurry
from auritas.server import wire
from auritas.server.caller import Desk, MayRemember, Mine, needs
from auritas.server.router import Router
from auritas.server.streams import after_of, stream

router = Router(prefix="/api/v1", tags=["runs"])
LastEventId = Annotated[str | None, Header(alias="Last-Event-ID")]
After = Annotated[int | None, Query(ge=0, description="Resume after this id, where the header cannot be set.")]
_FRAME = (
    "id: 1795312800000002\nevent: run_ended\n"
    'data: {"id":1795312800000002,"run":"01JAV3Q0000000000000000004","type":"run_ended",'
    '"data":{"state":"done","problem":null}}\n\n'
)
_STREAM: dict[int | str, dict[str, object]] = {
    200: {
        "description": "Server-sent events; each `data` is one frame.",
        "content": {"text/event-stream": {"schema": {"type": "string"}, "example": _FRAME}},
    }
}


Name = Annotated[str, Field(max_length=200)]


class Again(BaseModel):
    """How to ask once more. level: None takes the one of the settings. members: none named means all."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"level": "high"}]})
    level: AccuracyLevel | None = None
    members: tuple[Name, ...] = Field((), max_length=64)


class Message(Again):
    """What a person says.

    conversation_id: None begins a conversation. project_id: what a new one joins; None means the active project, and
    an empty text none. attachments: ids of files that were attached for it. temporary: a new conversation leaves
    nothing behind. edits: the message of which this is another wording; it is asked in a branch that ends before it.
    """

    model_config = ConfigDict(json_schema_extra={"examples": [{"text": "How many members does our choir have?"}]})
    text: str = Field(max_length=QUESTION_CHARACTERS)
    conversation_id: str | None = Field(None, max_length=64)
    project_id: str | None = Field(None, max_length=64)
    attachments: tuple[Name, ...] = Field((), max_length=20)
    temporary: bool = False
    edits: str | None = Field(None, max_length=64)

    def wishes(self, *, remember: bool) -> Wishes:
        """Return what was chosen besides the words. remember: whether what it corrects may be stored."""
        return Wishes(
            members=self.members,
            project_id=self.project_id or None,
            outside=self.project_id == "",
            attachments=self.attachments,
            temporary=self.temporary,
            remember=remember,
            hurry=Hurry(),
        )


@router.post("/runs", status_code=201, dependencies=[needs(Scope.QUERY)], response_model=wire.RunView)
async def start_run(mine: Mine, desk: Desk, may_remember: MayRemember, message: Message) -> Response:
    """Say something: it is answered, or remembered, or both. Returns at once; follow the run by its events.

    Without the scope `corrections:write` nothing is remembered: a correction is answered, and a notice says so.
    """
    level = message.level or mine.settings.chat_level
    conversation_id, wishes = message.conversation_id, message.wishes(remember=may_remember)
    if message.edits is not None:
        conversation_id = await asyncio.to_thread(_branched, mine, message)
    run = desk.start(
        "ask",
        message.text,
        lambda: mine.ask(message.text, level=level, conversation_id=conversation_id, wishes=wishes),
        conversation_id=conversation_id,
        after=lambda last: _afterwards(mine, last),
        hurry=wishes.hurry,
    )
    return Response(wire.run_json(run), 201, media_type="application/json")


def _branched(mine: Auritas, message: Message) -> str:
    """Return a branch of the conversation that ends just before the message that is edited."""
    if message.conversation_id is None:
        raise UsageError("Which conversation is edited is missing.", remedy="Give its id as conversation_id.")
    made = mine.conversations.branch(message.conversation_id, message.edits, before=True, asking=message.text)
    return made.conversation.id


@router.post(
    "/questions/{query_id}/again",
    status_code=201,
    dependencies=[needs(Scope.QUERY)],
    response_model=wire.RunView,
)
async def ask_again(mine: Mine, desk: Desk, query_id: str, again: Again) -> Response:
    """Ask a question once more where it was asked; its earlier answer stays."""
    turn = await asyncio.to_thread(mine.talking.asked, query_id)
    level = again.level or mine.settings.chat_level
    wishes = Wishes(members=again.members, hurry=Hurry())
    run = desk.start(
        "ask",
        turn.question,
        lambda: mine.talking.retry(turn, level=level, wishes=wishes),
        conversation_id=turn.conversation_id,
        after=lambda last: _afterwards(mine, last),
        hurry=wishes.hurry,
    )
    return Response(wire.run_json(run), 201, media_type="application/json")


async def _afterwards(mine: Auritas, last: Sequence[WorkEvent]) -> None:
    finished = last[-1] if last else None
    await mine.afterwards(finished.result if isinstance(finished, AskFinished) else None)


@router.get("/runs", dependencies=[needs(Scope.QUERY)], response_model=wire.Snapshot)
async def list_runs(desk: Desk) -> Response:
    """List runs that go on, and those that ended within ten minutes."""
    body = b'{"runs":[' + b",".join(wire.run_json(run) for run in desk.runs()) + b"]}"
    return Response(body, media_type="application/json")


@router.get("/runs/{run_id}", dependencies=[needs(Scope.QUERY)], response_model=wire.RunView)
async def show_run(desk: Desk, run_id: str) -> Response:
    """Return a run with everything that has happened in it."""
    return Response(wire.run_json(desk.get(run_id)), media_type="application/json")


@router.delete("/runs/{run_id}", dependencies=[needs(Scope.QUERY)], status_code=204)
async def stop_run(desk: Desk, run_id: str) -> None:
    """Stop a run; what members had answered is kept."""
    desk.stop(run_id)


@router.post("/runs/{run_id}/conclude", dependencies=[needs(Scope.QUERY)], status_code=204)
async def conclude_run(desk: Desk, run_id: str) -> None:
    """Answer with what members have said by now: the others are not waited for, and nobody reviews.

    Refused with `nobody_answered` while there is no answer; a run that is over stays as it is.
    """
    desk.conclude(run_id)


@router.get(
    "/runs/{run_id}/events",
    dependencies=[needs(Scope.STREAM)],
    responses=_STREAM,
    response_class=StreamingResponse,
)
async def follow_run(
    desk: Desk, run_id: str, last_event_id: LastEventId = None, after: After = None
) -> StreamingResponse:
    """Follow one run until it ends. Resumed after a restart it begins with a snapshot, in which the run is no more."""
    seen = after_of(last_event_id, after)
    if not seen or seen >= desk.first_id:
        desk.get(run_id)
    return stream(desk, seen, run_id)


@router.get("/events", dependencies=[needs(Scope.STREAM)], responses=_STREAM, response_class=StreamingResponse)
async def follow_everything(desk: Desk, last_event_id: LastEventId = None, after: After = None) -> StreamingResponse:
    """Follow all runs and changes; a browser needs one such stream for all of its tabs."""
    return stream(desk, after_of(last_event_id, after))
