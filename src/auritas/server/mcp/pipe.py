"""The Model Context Protocol over a pipe: for programs that start this one and speak to it by its input and output."""

from auritas.app.access import Caller, Scope
from auritas.app.compose import Auritas
from auritas.app.household import LOCAL
from auritas.app.runs import RunDesk


async def serve(auritas: Auritas) -> None:
    """Serve until the input ends. Whoever can start this program may do what its owner may."""
    from auritas.server.mcp.tools import Visit, server_of

    desk = RunDesk(auritas.clock, auritas.ids, auritas.spawner, auritas.diagnostics)
    visit = Visit(Caller("pipe", LOCAL, frozenset({Scope.ADMIN})), auritas, desk)
    server = server_of(lambda _: visit)
    try:
        await server.run_stdio_async()
    finally:
        await desk.aclose()
        await auritas.aclose()
