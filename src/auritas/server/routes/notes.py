"""Hand-off notes, by which conversations are resumed, and recovery prompts: what each model knows of the person."""

from collections.abc import Awaitable, Callable
from typing import Annotated

from fastapi import Path, Query, Response
from pydantic import BaseModel, ConfigDict, Field

from auritas.app.access import Scope
from auritas.app.compose import Auritas
from auritas.app.progress import Steps, told
from auritas.app.runs import RunDesk
from auritas.app.shapes.memory import NoteView, PendingView, RecoveryView
from auritas.server import wire
from auritas.server.caller import Desk, Mine, needs
from auritas.server.ids import EXAMPLE_ID, ID_CHARACTERS, Id
from auritas.server.paging import DEFAULT_LIMIT, Before, Limit
from auritas.server.router import Router
from auritas.server.specimens import memory as specimens
from auritas.server.specimens import numbered, showing

router = Router(prefix="/api/v1", tags=["notes"], dependencies=[needs(Scope.QUERY)])
_CHANGED = "notes"
_SeatName = Annotated[str, Path(min_length=1, max_length=200, examples=["smollm2"])]


class NoteList(BaseModel):
    """Notes, newest first. next: give it as `before` to go on."""

    items: tuple[NoteView, ...]
    next: str | None


class NewNote(BaseModel):
    """A note to be written now. Without a conversation, of the newest; without a seat, by who answered most here."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"conversation_id": EXAMPLE_ID}]})
    conversation_id: str | None = Field(None, max_length=ID_CHARACTERS)
    seat: str | None = Field(None, max_length=200)


@router.get("/notes", responses=showing(NoteList(items=(specimens.NOTE,), next=numbered(20))))
def list_notes(
    mine: Mine,
    conversation_id: Annotated[str | None, Query(max_length=ID_CHARACTERS)] = None,
    limit: Limit = DEFAULT_LIMIT,
    before: Before = None,
) -> NoteList:
    """List hand-off notes, newest first; of one conversation or of all."""
    found = mine.notes.page(conversation_id, limit + 1, before)
    return NoteList(items=found[:limit], next=found[limit - 1].note.id if len(found) > limit else None)


@router.get("/notes/pending", responses=showing((specimens.PENDING,)))
def list_pending_notes(mine: Mine) -> tuple[PendingView, ...]:
    """List the notes that wait to be written, and whether they may be written by themselves."""
    return mine.notes.pending()


@router.get("/notes/{note_id}", responses=showing(specimens.NOTE))
def show_note(mine: Mine, note_id: Id) -> NoteView:
    """Return one note as its model is given it."""
    return mine.notes.show(note_id)


@router.post("/notes", status_code=201, response_model=wire.RunView)
async def make_note(mine: Mine, desk: Desk, wanted: NewNote) -> Response:
    """Have a note written now, as a run: a model reads for it. One elsewhere is sent what was said since its last."""

    async def work(_: Steps) -> str:
        return (await mine.notes.make(wanted.conversation_id, wanted.seat)).id

    return _begun(mine, desk, "note", wanted.seat or "", work)


@router.get("/recovery", responses=showing((specimens.RECOVERY,)))
def list_recovery(mine: Mine) -> tuple[RecoveryView, ...]:
    """Return how the recovery prompt of every seat stands."""
    return mine.recovery.list()


@router.get("/recovery/{seat}", responses=showing(specimens.RECOVERY))
def show_recovery(mine: Mine, seat: _SeatName) -> RecoveryView:
    """Return what a seat is told of the person in a new conversation."""
    return mine.recovery.show(seat)


@router.post("/recovery/{seat}", status_code=201, response_model=wire.RunView)
async def make_recovery(mine: Mine, desk: Desk, seat: _SeatName) -> Response:
    """Have a seat write its recovery prompt now, stale or not, as a run."""

    async def work(_: Steps) -> str:
        return (await mine.recovery.make(seat)).seat

    return _begun(mine, desk, "recovery", seat, work)


def _begun(mine: Auritas, desk: RunDesk, kind: str, text: str, work: Callable[[Steps], Awaitable[str]]) -> Response:
    async def afterwards(_: object) -> None:
        desk.changed(_CHANGED)

    run = desk.start(kind, text, lambda: told(kind, work, mine.spawner), after=afterwards)
    return Response(wire.run_json(run), 201, media_type="application/json")
