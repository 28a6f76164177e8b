"""The Model Context Protocol at `/mcp`, behind the guard: a token is needed, and each tool needs its own scope."""

from typing import Any

from fastapi import Request, Response
from starlette.types import Receive, Send
from starlette.types import Scope as AsgiScope

from auritas.app.access import Scope
from auritas.server.caller import Desk, Me, Mine, needs
from auritas.server.router import Router

router = Router(tags=["mcp"])
_SERVER = "mcp_server"
_VISIT = "auritas.visit"


class Handed(Response):
    """Hands a request over to the protocol, in a session of its own: nothing is kept between requests."""

    def __init__(self, server: Any) -> None:
        super().__init__()
        self._server = server

    async def __call__(self, scope: AsgiScope, receive: Receive, send: Send) -> None:
        """Answer by the protocol."""
        from mcp.server.transport_security import TransportSecuritySettings

        guarded = TransportSecuritySettings(enable_dns_rebinding_protection=False)  # the guard has looked already
        self._server.streamable_http_app(stateless_http=True, transport_security=guarded)
        manager = self._server.session_manager
        async with manager.run():
            await manager.asgi_app(scope, receive, send)


@router.api_route("/mcp", methods=["POST", "DELETE"], include_in_schema=False, dependencies=[needs(Scope.QUERY)])
async def mcp(me: Me, mine: Mine, desk: Desk, request: Request) -> Response:
    """Answer a client of the protocol.

    GET has no answer but 405, as the protocol allows: each answer holds its own progress, and a stream on which nothing
    is ever sent would only keep the server from stopping.
    """
    server = _server(request.app.state)
    from auritas.server.mcp.tools import Visit

    request.scope[_VISIT] = Visit(me, mine, desk)
    return Handed(server)


def _server(state: Any) -> Any:
    """Return the one server of the process, made at the first request: the SDK takes half a second to import."""
    found = getattr(state, _SERVER, None)
    if found is None:
        from auritas.server.mcp.tools import server_of

        found = server_of(lambda request: request.scope[_VISIT])
        setattr(state, _SERVER, found)
    return found
