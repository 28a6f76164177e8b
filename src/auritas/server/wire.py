"""Events as they travel: one typed envelope per kind of event, so that the page's types are generated from ours."""

import re
from collections.abc import Sequence
from datetime import datetime
from functools import cache
from typing import Annotated, Any, Literal, Union, get_args

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, create_model

from auritas.app.frames import folded
from auritas.app.runs import (
    Changed,
    Frame,
    Problem,
    Progress,
    Run,
    RunEnded,
    RunEvent,
    RunForgotten,
    RunStarted,
    RunState,
)
from auritas.kernel.events import Event


def type_of(kind: type) -> str:
    """Return the name of an event's type on the wire: AnswerDelta is `answer_delta`."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower()


_KINDS: tuple[type, ...] = (*get_args(Event), Progress, RunStarted, RunEnded, RunForgotten, Changed)
_NAMES = {kind: type_of(kind) for kind in _KINDS}
_LATE = ConfigDict(defer_build=True)
"""Only the OpenAPI document needs the shapes of all events; the start does not wait for them."""


def _envelope(kind: type) -> type[BaseModel]:
    name: Any = Literal[_NAMES[kind]]
    return create_model(
        f"{kind.__name__}Frame",
        __config__=_LATE,
        __doc__=kind.__doc__,
        id=(int, Field(description="Grows without end; resume after it.")),
        run=(str, Field(description="Id of the run, empty for what belongs to none.")),
        type=(name, Field()),
        data=(kind, Field()),
    )


ENVELOPES = tuple(_envelope(kind) for kind in _KINDS)
WireFrame = Annotated[Union[ENVELOPES], Field(discriminator="type")]  # type: ignore[valid-type]  # noqa: UP007  made at run time


_RUN: dict[str, Any] = {
    "id": "01JAV3Q0000000000000000004",
    "kind": "ask",
    "text": "How many members does our choir have?",
    "conversation_id": "01JAV3Q0000000000000000003",
    "query_id": "01JAV3Q0000000000000000002",
    "state": "failed",
    "started_at": "2026-11-20T10:00:00Z",
    "ended_at": "2026-11-20T10:00:01Z",
    "problem": {"code": "no_model", "message": "No model is installed.", "remedy": "auritas models get standard"},
    "frames": [],
}


class _RunHead(BaseModel):
    id: str
    kind: str
    text: str
    conversation_id: str | None
    query_id: str | None
    state: RunState
    started_at: datetime
    ended_at: datetime | None
    problem: Problem | None


class RunView(_RunHead):
    """A run as it stands. frames: what has happened in it, where what one member wrote in a row is one piece."""

    model_config = ConfigDict(defer_build=True, json_schema_extra={"examples": [_RUN]})
    frames: list[WireFrame] = []


class Snapshot(BaseModel):
    """Everything that runs, for whoever joins or has missed something: it replaces what was known."""

    model_config = ConfigDict(defer_build=True, json_schema_extra={"examples": [{"runs": [_RUN]}]})
    runs: list[RunView]


def encode(event: RunEvent) -> bytes:
    """Return an event's data as JSON."""
    kind: type = type(event)
    return _writer(kind).dump_json(event)


@cache
def _writer(kind: type) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def line(frame: Frame) -> bytes:
    """Return a frame as JSON, as its envelope describes it."""
    head = f'{{"id":{frame.id},"run":"{frame.run}","type":"{_NAMES[type(frame.event)]}","data":'
    return head.encode() + encode(frame.event) + b"}"


def sse(frame: Frame) -> bytes:
    """Return a frame as a server-sent event (WHATWG HTML, section 9.2)."""
    return b"id: %d\nevent: %s\ndata: %s\n\n" % (frame.id, _NAMES[type(frame.event)].encode(), line(frame))


def run_json(run: Run) -> bytes:
    """Return a run as `RunView` describes it."""
    view = _RunHead.model_construct(
        id=run.id,
        kind=run.kind,
        text=run.text,
        conversation_id=run.conversation_id,
        query_id=run.query_id,
        state=run.state,
        started_at=run.started_at,
        ended_at=run.ended_at,
        problem=run.problem,
    )
    head = view.model_dump_json().encode()
    return head[:-1] + b',"frames":[' + b",".join(line(frame) for frame in folded(run.frames)) + b"]}"


def snapshot(runs: Sequence[Run], last_id: int) -> bytes:
    """Return the event that replaces what a reader knows."""
    body = b",".join(run_json(run) for run in runs)
    return b'id: %d\nevent: snapshot\ndata: {"type":"snapshot","id":%d,"run":"","data":{"runs":[%s]}}\n\n' % (
        last_id,
        last_id,
        body,
    )
