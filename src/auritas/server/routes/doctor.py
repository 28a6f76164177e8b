"""The check-up."""

from typing import Annotated

from fastapi import Query

from auritas.app.access import Scope
from auritas.app.doctor import Finding
from auritas.server.caller import Mine, needs
from auritas.server.examples import shows
from auritas.server.router import Router

router = Router(prefix="/api/v1/doctor", tags=["doctor"], dependencies=[needs(Scope.STATUS)])
_EXAMPLE = [
    {
        "about": "log",
        "ok": True,
        "text": "812 entries, root 7f3a0c11d2e4b596…; all of it is verified on request",
        "remedy": "",
        "damage": False,
        "remark": False,
    }
]


@router.get("", responses=shows(_EXAMPLE))
def check_up(
    mine: Mine,
    *,
    check_audit: Annotated[bool, Query(description="Verify the whole audit log, too; it takes longer.")] = False,
) -> tuple[Finding, ...]:
    """Look at everything and return what was found, in the order in which to mend it."""
    return mine.doctor(check_audit=check_audit)
