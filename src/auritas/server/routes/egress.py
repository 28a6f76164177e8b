"""The egress ledger: what has left the machine."""

from datetime import datetime
from typing import Annotated

from fastapi import Query
from pydantic import AwareDatetime, BaseModel

from auritas.app.access import Scope
from auritas.app.egress import EgressPage, HostTotal
from auritas.server.caller import Mine, needs
from auritas.server.examples import shows
from auritas.server.paging import DEFAULT_LIMIT, After, Limit
from auritas.server.router import Router

router = Router(prefix="/api/v1/egress", tags=["egress"], dependencies=[needs(Scope.STATUS)])
Since = Annotated[AwareDatetime | None, Query(description="Only what was sent from this moment on.")]
Model = Annotated[str | None, Query(max_length=200, description="Only what was sent to this model.")]
_LINE = {
    "id": "01JAV3Q0-0000-7000-8000-000000000001",
    "at": "2026-11-20T10:00:00Z",
    "method": "POST",
    "host": "api.example.com",
    "url": "https://api.example.com/v1/chat/completions",
    "model": "cloud",
    "why": "answer a question",
    "query_id": None,
    "conversation_id": None,
    "bytes_out": 1834,
    "commitment": "7f3a",
    "loopback": False,
    "status": "200",
    "audit_seq": 12,
}
_TOTAL = {"day": "2026-11-20", "host": "api.example.com", "loopback": False, "requests": 3, "bytes_out": 5502}


class EgressLine(BaseModel):
    """One request. commitment: salted hash of what was sent, in hex. status: what came back, None while unknown."""

    id: str
    at: datetime
    method: str
    host: str
    url: str
    model: str
    why: str
    query_id: str | None
    conversation_id: str | None
    bytes_out: int
    commitment: str
    loopback: bool
    status: str | None
    audit_seq: int | None


class EgressLines(BaseModel):
    """A page of requests, newest first."""

    items: list[EgressLine]
    next: str | None


@router.get("", responses=shows({"items": [_LINE], "next": None}))
def list_egress(
    mine: Mine, limit: Limit = DEFAULT_LIMIT, after: After = None, since: Since = None, model: Model = None
) -> EgressLines:
    """List requests that were about to leave this program, newest first; each is listed before it is sent."""
    return _lines(mine.egress.page(size=limit, cursor=after, since=since, model=model))


@router.get("/totals", responses=shows([_TOTAL]))
def total_egress(mine: Mine, since: Since = None, model: Model = None) -> tuple[HostTotal, ...]:
    """Return requests and bytes by day (UTC) and host, newest day first."""
    return mine.egress.totals(since=since, model=model)


def _lines(page: EgressPage) -> EgressLines:
    items = [
        EgressLine(
            id=each.id,
            at=each.at,
            method=each.method,
            host=each.host,
            url=each.url,
            model=each.model,
            why=each.why,
            query_id=each.query_id,
            conversation_id=each.conversation_id,
            bytes_out=each.bytes_out,
            commitment=each.commitment.hex(),
            loopback=each.loopback,
            status=each.status,
            audit_seq=each.audit_seq,
        )
        for each in page.records
    ]
    return EgressLines(items=items, next=page.next)
