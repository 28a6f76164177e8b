"""Frames of a stream: read back into the events they were made from, and told in fewer."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, get_args

from pydantic import TypeAdapter, ValidationError

from auritas.app.runs import Changed, Frame, Progress, RunEnded, RunEvent, RunForgotten, RunStarted
from auritas.kernel.errors import VerificationError
from auritas.kernel.events import AnswerDelta, Event, MemberRetried

KINDS: tuple[type, ...] = (*get_args(Event), Progress, RunStarted, RunEnded, RunForgotten, Changed)
"""Everything that travels."""
SNAPSHOT = "snapshot"


class StrangeFrameError(VerificationError):
    """A server of another version said something that this program does not know."""

    code = "strange_frame"

    def __init__(self) -> None:
        super().__init__(
            "The server said something that this program does not understand.",
            remedy="Stop the server and start it again, so that both are of one version: auritas serve",
        )


@dataclass(frozen=True, slots=True)
class Told:
    """An event as it arrived. run: the run it belongs to."""

    id: int
    run: str
    event: RunEvent


def name_of(kind: type) -> str:
    """Return the name of a kind of event on the wire: AnswerDelta is `answer_delta`."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower()


_BY_NAME = {name_of(kind): kind for kind in KINDS}


@cache
def _reader(kind: type) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def read(data: bytes) -> Sequence[Told]:
    """Return what one piece of a stream's data tells: one event, or those of a snapshot. Raises StrangeFrameError."""
    try:
        said = json.loads(data)
        if said["type"] == SNAPSHOT:
            return [_told(frame) for run in said["data"]["runs"] for frame in run["frames"]]
        return [_told(said)]
    except (ValueError, KeyError, TypeError, ValidationError):
        raise StrangeFrameError from None


def _told(said: dict[str, Any]) -> Told:
    # Through JSON once more: there a tuple may be a list and a moment a text.
    event = _reader(_BY_NAME[said["type"]]).validate_json(json.dumps(said["data"]))
    return Told(int(said["id"]), str(said["run"]), event)


def folded(frames: Sequence[Frame]) -> tuple[Frame, ...]:
    """Return frames that tell the same in fewer: what one member wrote in a row becomes one piece."""
    kept: list[Frame] = []
    open_at: dict[str, int] = {}
    for frame in frames:
        event = frame.event
        if isinstance(event, MemberRetried):
            open_at.pop(event.seat, None)  # what it writes from here on begins anew
        if not isinstance(event, AnswerDelta):
            kept.append(frame)
            continue
        at = open_at.get(event.seat)
        if at is None:
            open_at[event.seat] = len(kept)
            kept.append(frame)
            continue
        before = kept[at].event
        text = before.text + event.text if isinstance(before, AnswerDelta) else event.text
        kept[at] = Frame(frame.id, frame.run, AnswerDelta(event.seat, text))
    return tuple(kept)
