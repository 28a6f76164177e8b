"""The OpenAPI document of this server."""

import json

from fastapi import Request, Response

from auritas.app.access import Scope
from auritas.server.caller import needs
from auritas.server.examples import shows
from auritas.server.openapi import describe
from auritas.server.router import Router

router = Router(prefix="/api/v1", tags=["server"], dependencies=[needs(Scope.STATUS)])
_EXAMPLE = {"openapi": "3.1.0", "info": {"title": "Auritas", "version": "1.0.0"}, "paths": {}}


@router.get("/openapi.json", response_model=dict[str, object], responses=shows(_EXAMPLE))
def show_openapi(request: Request) -> Response:
    """Return the OpenAPI document: every operation with its shapes, its errors and an example."""
    document = json.dumps(describe(request.app), ensure_ascii=False).encode()
    return Response(document, media_type="application/json")
