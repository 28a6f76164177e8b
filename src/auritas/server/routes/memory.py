"""What is remembered: seen, with where it was said, where it was used and why."""

from typing import Annotated

from fastapi import Query
from pydantic import BaseModel

from auritas.app.access import Scope as Allowed
from auritas.app.shapes.memory import (
    Alike,
    Application,
    Entry,
    Happened,
    Origin,
    RememberedPage,
    Wanted,
    WhyUsed,
)
from auritas.kernel.memory import Correction, CorrectionState, CorrectionType, Scope
from auritas.server.caller import Mine, needs
from auritas.server.ids import ID_CHARACTERS, Id
from auritas.server.paging import DEFAULT_LIMIT, Before, Limit
from auritas.server.router import Router
from auritas.server.specimens import memory as specimens
from auritas.server.specimens import numbered, showing

router = Router(prefix="/api/v1/memory", tags=["memory"])
_READ = [needs(Allowed.CORRECTIONS_READ)]
_SHOWN = (CorrectionState.ACTIVE, CorrectionState.PROPOSED)


class CorrectionDetail(BaseModel):
    """Everything about one correction. origin: the message in which it was said."""

    entry: Entry
    history: tuple[Happened, ...]
    replaces: tuple[Correction, ...]
    origin: Origin | None


class Applications(BaseModel):
    """Questions into whose prompts a correction entered, newest first."""

    items: tuple[Application, ...]
    next: str | None


class Repetition(BaseModel):
    """Where else the words stand. messages: by id; the counts say how many of each kind of place there are."""

    message_ids: tuple[str, ...]
    messages: int
    questions: int
    notes: int
    titles: int


@router.get("", dependencies=_READ, responses=showing(specimens.PAGE))
def list_corrections(
    mine: Mine,
    *,
    state: Annotated[list[CorrectionState] | None, Query(max_length=4)] = None,
    type: Annotated[list[CorrectionType] | None, Query(max_length=8)] = None,  # noqa: A002  its name in the address
    scope: Annotated[list[Scope] | None, Query(max_length=4)] = None,
    text: Annotated[str, Query(max_length=200)] = "",
    project_id: Annotated[str | None, Query(max_length=ID_CHARACTERS)] = None,
    conversation_id: Annotated[str | None, Query(max_length=ID_CHARACTERS)] = None,
    domain: Annotated[str | None, Query(max_length=200)] = None,
    pinned: bool | None = None,
    limit: Limit = DEFAULT_LIMIT,
    before: Before = None,
) -> RememberedPage:
    """List what is remembered, newest first: what holds and what is proposed, or what the filters say."""
    states = tuple(each for each in state or _SHOWN if each is not CorrectionState.ERASED)
    wanted = Wanted(
        states, tuple(type or ()), tuple(scope or ()), text.strip(), project_id, conversation_id, domain, pinned
    )
    return mine.remembered.page(wanted, limit, before)


@router.get("/why", dependencies=_READ, responses=showing(specimens.WHY))
def why_remembered(
    mine: Mine,
    question: Annotated[str, Query(min_length=1, max_length=ID_CHARACTERS, description="Id of a question or a trace.")],
    correction: Annotated[str | None, Query(max_length=ID_CHARACTERS, description="Only this one.")] = None,
) -> WhyUsed:
    """Return which memory was weighed for a question, with the eight factors of each, and what entered its prompts."""
    return mine.memory.why_of(question, correction)


@router.get("/alike", dependencies=_READ, responses=showing((specimens.ALIKE,)))
def list_alike(mine: Mine, limit: Limit = DEFAULT_LIMIT) -> tuple[Alike, ...]:
    """Return pairs that hold in one place and may be meant to replace one another, the most similar first."""
    return mine.remembered.alike(limit)


@router.get(
    "/{correction_id}",
    dependencies=_READ,
    responses=showing(
        CorrectionDetail(
            entry=specimens.ENTRY, history=(specimens.CREATED,), replaces=(specimens.OLDER,), origin=specimens.ORIGIN
        )
    ),
)
def show_correction(mine: Mine, correction_id: Id) -> CorrectionDetail:
    """Return a correction with where it was said, its history and what it replaced."""
    found = mine.memory.show(mine.remembered.known(correction_id).id)
    origin = mine.remembered.origin(correction_id)
    return CorrectionDetail(entry=found.entry, history=found.history, replaces=found.replaces, origin=origin)


@router.get(
    "/{correction_id}/uses",
    dependencies=_READ,
    responses=showing(Applications(items=(specimens.APPLICATION,), next=numbered(3))),
)
def list_uses(mine: Mine, correction_id: Id, limit: Limit = DEFAULT_LIMIT, before: Before = None) -> Applications:
    """List the questions into whose prompts a correction entered, newest first."""
    found = mine.remembered.applications(mine.remembered.known(correction_id).id, limit + 1, before)
    more = len(found) > limit
    return Applications(items=found[:limit], next=found[limit - 1].query_id if more else None)


@router.get("/{correction_id}/resembling", dependencies=_READ, responses=showing((specimens.CORRECTION,)))
def list_resembling(mine: Mine, correction_id: Id) -> tuple[Correction, ...]:
    """Return what else holds in the same place and may be meant to be replaced by a correction, nearest first."""
    return mine.remembered.resembling(mine.remembered.known(correction_id))


@router.get(
    "/{correction_id}/repeated",
    dependencies=_READ,
    responses=showing(Repetition(message_ids=(numbered(5),), messages=1, questions=1, notes=0, titles=0)),
)
def find_repeated(mine: Mine, correction_id: Id) -> Repetition:
    """Return where else the words of a correction stand, which erasing it everywhere would take along."""
    found = mine.memory.repeated(mine.remembered.known(correction_id).id)
    return Repetition(
        message_ids=found.message_ids,
        messages=found.messages,
        questions=found.questions,
        notes=len(found.note_ids),
        titles=len(found.titled),
    )
