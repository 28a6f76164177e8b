"""The page itself: every address that is none of the program's interfaces is one of the page's."""

from fastapi import Request
from starlette.convertors import Convertor, register_url_convertor
from starlette.exceptions import HTTPException
from starlette.responses import Response

from auritas.server.caller import open_to_all
from auritas.server.router import Router
from auritas.server.static import Site, built

NONCE = "auritas.nonce"
"""Where the guard leaves the nonce of an answer in the ASGI scope."""
_NOT_FOUND = 404


class PagePath(Convertor[str]):
    """Any path that is none of the interfaces'."""

    regex = r"(?!(?:api|v1|mcp|health|metrics|open|preview)(?:/|$)).*"

    def convert(self, value: str) -> str:
        return value

    def to_string(self, value: str) -> str:
        return value


register_url_convertor("page", PagePath())
router = Router(dependencies=[open_to_all()], include_in_schema=False)


def site_of(request: Request) -> Site:
    """Return the files of the page, found once."""
    if not hasattr(request.app.state, "site"):
        request.app.state.site = Site(built())
    site = request.app.state.site
    assert isinstance(site, Site)  # noqa: S101  only ever set above, or by a test
    return site


@router.get("/{path:page}")
async def page(request: Request, path: str) -> Response:
    """Answer with a file of the page, or with the page for an address within it."""
    answer = site_of(request).answer(path, request.headers, str(request.scope.get(NONCE, "")))
    if answer is None:
        raise HTTPException(_NOT_FOUND)
    return answer
