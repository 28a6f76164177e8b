"""Steering what is remembered: left out of one conversation, brought back, and kept beside what it resembles."""

from pydantic import BaseModel

from auritas.app.access import Scope
from auritas.app.shapes.memory import Steered
from auritas.kernel.memory import Correction
from auritas.server.caller import Desk, Mine, needs
from auritas.server.ids import Id
from auritas.server.router import Router
from auritas.server.specimens import memory as specimens
from auritas.server.specimens import showing

router = Router(prefix="/api/v1", tags=["memory"])
_READ = [needs(Scope.CORRECTIONS_READ)]
_WRITE = [needs(Scope.CORRECTIONS_WRITE)]
_CHANGED = "memory"
_HERE = "/conversations/{conversation_id}/left-out"


class LeftOut(BaseModel):
    """What is left out of a conversation, the latest first."""

    items: tuple[Correction, ...]


@router.get(_HERE, dependencies=_READ, responses=showing(LeftOut(items=(specimens.CORRECTION,))))
def list_left_out(mine: Mine, conversation_id: Id) -> LeftOut:
    """List what enters no prompt of a conversation because the person said so, and holds everywhere else."""
    return LeftOut(items=mine.steering.left_out(mine.conversations.known(conversation_id).id))


@router.put(f"{_HERE}/{{correction_id}}", dependencies=_WRITE, responses=showing(specimens.STEERED))
def leave_out(mine: Mine, desk: Desk, conversation_id: Id, correction_id: Id) -> Steered:
    """Leave a correction out of one conversation, pinned or not; everywhere else it stays as it is.

    The act_id takes it back; it is empty where it was left out already.
    """
    return _left_out(mine, desk, conversation_id, correction_id, out=True)


@router.delete(f"{_HERE}/{{correction_id}}", dependencies=_WRITE, responses=showing(specimens.STEERED))
def bring_back(mine: Mine, desk: Desk, conversation_id: Id, correction_id: Id) -> Steered:
    """Let a correction that was left out of a conversation enter it again."""
    return _left_out(mine, desk, conversation_id, correction_id, out=False)


@router.put("/memory/{correction_id}/beside/{other_id}", dependencies=_WRITE, responses=showing(specimens.STEERED))
def keep_both(mine: Mine, desk: Desk, correction_id: Id, other_id: Id) -> Steered:
    """Say that two which resemble each other both hold: the pair is proposed no more until the words of one change."""
    one, other = mine.remembered.known(correction_id), mine.remembered.known(other_id)
    steered = mine.steering.keep_both(one.id, other.id)
    desk.changed(_CHANGED)
    return steered


def _left_out(mine: Mine, desk: Desk, conversation_id: str, correction_id: str, *, out: bool) -> Steered:
    conversation = mine.conversations.known(conversation_id)
    steered = mine.steering.leave_out(mine.remembered.known(correction_id).id, conversation.id, out=out)
    desk.changed(_CHANGED)
    return steered
