"""Beginning work that tells its steps, as a run of the desk."""

from collections.abc import Awaitable, Callable, Sequence

from fastapi import Response

from auritas.app.compose import Auritas
from auritas.app.progress import Steps, told
from auritas.app.runs import RunDesk, WorkEvent
from auritas.server import wire


def begin(
    mine: Auritas, desk: RunDesk, kind: str, text: str, work: Callable[[Steps], Awaitable[str]], *, changes: str
) -> Response:
    """Begin `work` and answer with its run. changes: what pages show that is different once it is done.

    Raises BusyError while too much runs.
    """

    async def after(_: Sequence[WorkEvent]) -> None:
        desk.changed(changes)

    run = desk.start(kind, text, lambda: told(kind, work, mine.spawner), after=after)
    return Response(wire.run_json(run), 201, media_type="application/json")
