"""What is remembered: told, changed, confirmed, taken back and erased."""

from collections.abc import Sequence
from typing import Annotated, Literal

from fastapi import Query
from fastapi.concurrency import run_in_threadpool
from pydantic import BaseModel, ConfigDict, Field

from auritas.app.access import Scope as Allowed
from auritas.app.compose import Auritas
from auritas.app.run_errors import BusyError
from auritas.app.runs import Run, RunDesk, WorkEvent
from auritas.app.shapes.memory import CLAIM_CHARACTERS, Confirmed, Foreseen, Kept, Telling, Undone
from auritas.app.wishes import Wishes
from auritas.kernel.answers import AccuracyLevel
from auritas.kernel.events import AskFinished
from auritas.kernel.memory import Correction, CorrectionType, Scope
from auritas.kernel.tasks import Hurry
from auritas.server.caller import Desk, Mine, needs
from auritas.server.ids import EXAMPLE_ID, ID_CHARACTERS, Id
from auritas.server.router import Router
from auritas.server.specimens import memory as specimens
from auritas.server.specimens import numbered, showing

router = Router(prefix="/api/v1/memory", tags=["memory"])
_WRITE = [needs(Allowed.CORRECTIONS_WRITE)]
_CHANGED = "memory"
_IdValue = Annotated[str | None, Field(max_length=ID_CHARACTERS)]
_Words = Annotated[str, Field(max_length=CLAIM_CHARACTERS)]
Kind = Literal[
    CorrectionType.FACT,
    CorrectionType.INSTRUCTION,
    CorrectionType.PREFERENCE,
    CorrectionType.DECISION,
    CorrectionType.DOMAIN_RULE,
    CorrectionType.FAILURE_PATTERN,
]
"""What a person can tell; what models are good at is learned instead."""


class Place(BaseModel):
    """Where something holds. With the scope `project` and no id, in the active project."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"scope": "project", "project_id": EXAMPLE_ID}]})
    scope: Scope = Scope.GLOBAL
    project_id: _IdValue = None
    conversation_id: _IdValue = None
    domain: str | None = Field(None, max_length=200)


class NewCorrection(Place):
    """Something to remember. type: without it the words decide. query: the question that it answers."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"claim": "Our choir has 53 members", "query": "How large is our choir?"}]}
    )
    claim: _Words
    type: Kind | None = None
    query: _Words = ""
    condition: str = Field("", max_length=500)
    pinned: bool = False


class Claim(BaseModel):
    """The new words of a correction."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"claim": "Our choir has 54 members"}]})
    claim: _Words


class Pinning(BaseModel):
    """Whether something enters every prompt where it holds."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"pinned": True}]})
    pinned: bool


class Replacement(BaseModel):
    """What a correction takes the place of."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"older": EXAMPLE_ID}]})
    older: str = Field(min_length=1, max_length=ID_CHARACTERS)


class Yes(BaseModel):
    """A yes to a proposal. again: ask the question whose answer it corrects once more. level: else of the settings."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"again": True}]})
    again: bool = False
    level: AccuracyLevel | None = None


class Confirmation(BaseModel):
    """What came of a yes. run_id: of the question that is asked again, if it is; not_asked: else why it is not."""

    confirmed: Confirmed
    run_id: str | None = None
    not_asked: str = ""


class Remains(BaseModel):
    """What is left after an erase.

    elsewhere: messages that hold the same words and stay. backups: files that hold it until they are replaced.
    lingers: another process is reading; the last traces go when it ends.
    """

    id: str
    elsewhere: int
    backups: int
    lingers: bool


@router.post("", status_code=201, dependencies=_WRITE, responses=showing(specimens.KEPT, 201))
def add_correction(mine: Mine, desk: Desk, told: NewCorrection) -> Kept:
    """Remember something. What it contradicts is superseded and said so; what it resembles is returned to be settled.

    Secrets are refused: what is remembered goes into prompts.
    """
    kept = mine.memory.add(told.claim, _telling(mine, told))
    desk.changed(_CHANGED)
    return kept


@router.post("/preview", dependencies=[needs(Allowed.CORRECTIONS_READ)], responses=showing(specimens.FORESEEN))
def preview_correction(mine: Mine, told: NewCorrection) -> Foreseen:
    """Return how words read and what remembering them would replace or resemble; nothing is stored.

    It refuses what remembering them would refuse.
    """
    return mine.memory.foresee(told.claim, _telling(mine, told))


@router.post("/undo", dependencies=_WRITE, responses=showing(specimens.UNDONE))
def undo_correction(
    mine: Mine,
    desk: Desk,
    act_id: Annotated[
        str | None, Query(min_length=1, max_length=ID_CHARACTERS, description="The act; else the last one.")
    ] = None,
) -> Undone:
    """Take back one change of what is remembered, and the grade that came with it.

    A change whose correction was changed once more is not taken back: that would take the later change along.
    """
    undone = mine.memory.undo(act_id)
    desk.changed(_CHANGED)
    desk.changed("grades")
    return undone


@router.put("/{correction_id}/words", dependencies=_WRITE, responses=showing(specimens.KEPT))
def edit_correction(mine: Mine, desk: Desk, correction_id: Id, words: Claim) -> Kept:
    """Change the words of a correction."""
    kept = mine.memory.edit(mine.remembered.known(correction_id).id, words.claim)
    desk.changed(_CHANGED)
    return kept


@router.put("/{correction_id}/pin", dependencies=_WRITE, responses=showing(specimens.CORRECTION))
def pin_correction(mine: Mine, desk: Desk, correction_id: Id, wanted: Pinning) -> Correction:
    """Let a correction enter every prompt where it holds, or only where it fits again."""
    pinned = mine.memory.pin(mine.remembered.known(correction_id).id, pinned=wanted.pinned)
    desk.changed(_CHANGED)
    return pinned


@router.put("/{correction_id}/place", dependencies=_WRITE, responses=showing(specimens.KEPT))
def move_correction(mine: Mine, desk: Desk, correction_id: Id, place: Place) -> Kept:
    """Say where a correction holds: everywhere, in a project, for a field, or in one conversation only."""
    kept = mine.memory.move(
        mine.remembered.known(correction_id).id,
        place.scope,
        domain=_domain(mine, place),
        conversation_id=_conversation(mine, place),
        project_id=_project(mine, place),
    )
    desk.changed(_CHANGED)
    return kept


@router.post("/{correction_id}/replace", dependencies=_WRITE, responses=showing(specimens.KEPT))
def replace_correction(mine: Mine, desk: Desk, correction_id: Id, wanted: Replacement) -> Kept:
    """Let a correction take the place of another one."""
    newer, older = mine.remembered.known(correction_id), mine.remembered.known(wanted.older)
    kept = mine.memory.replace(newer.id, older.id)
    desk.changed(_CHANGED)
    return kept


@router.post(
    "/{correction_id}/confirm",
    dependencies=_WRITE,
    responses=showing(Confirmation(confirmed=specimens.CONFIRMED, run_id=numbered(30))),
)
async def confirm_correction(mine: Mine, desk: Desk, correction_id: Id, yes: Yes) -> Confirmation:
    """Say yes to a proposal: it holds from now on, the answer that it corrects is graded, and asked again on demand."""
    confirmed = await run_in_threadpool(_confirm, mine, correction_id)
    desk.changed(_CHANGED)
    desk.changed("grades")
    if not (yes.again and confirmed.asks):
        return Confirmation(confirmed=confirmed)
    try:
        run = _ask_again(mine, desk, confirmed, yes.level or mine.settings.chat_level)
    except BusyError as busy:  # the yes is stored all the same
        return Confirmation(confirmed=confirmed, not_asked=str(busy))
    return Confirmation(confirmed=confirmed, run_id=run.id)


@router.post("/{correction_id}/dismiss", dependencies=_WRITE, responses=showing(specimens.CORRECTION))
def dismiss_correction(mine: Mine, desk: Desk, correction_id: Id) -> Correction:
    """Say no to a proposal: its words go from the store, and are returned a last time."""
    gone = mine.memory.dismiss(mine.remembered.known(correction_id).id)
    desk.changed(_CHANGED)
    return gone


@router.delete(
    "/{correction_id}",
    dependencies=_WRITE,
    responses=showing(Remains(id=specimens.CORRECTION.id, elsewhere=0, backups=2, lingers=False)),
)
def erase_correction(mine: Mine, desk: Desk, correction_id: Id, *, everywhere: bool = False) -> Remains:
    """Erase a correction for good, with every word of it.

    everywhere: also the questions and messages that repeat it; without it they stay, and are counted.
    """
    erased = mine.memory.erase(mine.remembered.known(correction_id).id, everywhere=everywhere)
    desk.changed(_CHANGED)
    if everywhere:
        desk.changed("conversations")
    return Remains(id=erased.correction.id, elsewhere=erased.elsewhere, backups=erased.backups, lingers=erased.lingers)


def _confirm(mine: Auritas, correction_id: str) -> Confirmed:
    return mine.memory.confirm(mine.remembered.known(correction_id).id)


def _ask_again(mine: Auritas, desk: RunDesk, confirmed: Confirmed, level: AccuracyLevel) -> Run:
    correction_id = confirmed.kept.correction.id

    async def afterwards(last: Sequence[WorkEvent]) -> None:
        finished = last[-1] if last else None
        await mine.afterwards(finished.result if isinstance(finished, AskFinished) else None)

    wishes = Wishes(hurry=Hurry())
    return desk.start(
        "ask",
        confirmed.asks,
        lambda: mine.talking.again(correction_id, level=level, wishes=wishes),
        after=afterwards,
        hurry=wishes.hurry,
    )


def _telling(mine: Auritas, told: NewCorrection) -> Telling:
    return Telling(
        told.type,
        told.scope,
        _domain(mine, told),
        _conversation(mine, told),
        told.query,
        told.condition,
        told.pinned,
        _project(mine, told),
    )


def _domain(mine: Auritas, place: Place) -> str | None:
    return mine.domains.known(place.domain) if place.scope is Scope.DOMAIN and place.domain else None


def _conversation(mine: Auritas, place: Place) -> str | None:
    if place.scope is not Scope.CONVERSATION or place.conversation_id is None:
        return None
    return mine.conversations.known(place.conversation_id).id


def _project(mine: Auritas, place: Place) -> str | None:
    if place.scope is not Scope.PROJECT or place.project_id is None:
        return None
    return mine.projects.known(place.project_id).id
