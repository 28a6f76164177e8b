"""The tree of domains: see it, change it, take a change back."""

from typing import Annotated, Any

from fastapi import Body
from pydantic import BaseModel, ConfigDict, Field

from auritas.app.access import Scope
from auritas.app.shapes.domains import (
    DomainChange,
    DomainShown,
    DomainsRefreshed,
    DomainsShown,
    change_of,
    refreshed_of,
)
from auritas.server.caller import Desk, Mine, needs
from auritas.server.examples import shows
from auritas.server.paging import Name
from auritas.server.router import Router

router = Router(prefix="/api/v1/domains", tags=["domains"])
_READS, _WRITES = needs(Scope.STATUS), needs(Scope.CONFIG_WRITE)
_CHANGED = "domains"
_AT = "2026-11-20T10:00:00Z"
_NODE: dict[str, Any] = {
    "id": "choral_music",
    "name": "choral music",
    "parent": "arts",
    "depth": 1,
    "aliases": [],
    "path": ["choral_music", "arts"],
    "children": [],
    "questions": 14,
}
_GATE: dict[str, Any] = {
    "string": "vocal training",
    "below": "choral_music",
    "similarity": 0.71,
    "questions": 3,
    "models": ["ada"],
    "first_seen": _AT,
    "last_seen": _AT,
    "evidence": 0.4,
    "evidence_needed": 3.0,
    "difference": 0.02,
    "difference_needed": 0.15,
    "missing": ["named in 3 of 5 questions needed", "named by 1 of 2 models needed"],
}
_CHANGE: dict[str, Any] = {"seq": 3, "kind": "promote", "node": "choral_music", "at": _AT}


class NewName(BaseModel):
    """A name for a domain."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"name": "choir"}]})
    name: str = Field(max_length=200)


class MergeTarget(BaseModel):
    """The domain that takes over names and children."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"into": "choral_music"}]})
    into: str = Field(max_length=200)


@router.get(
    "",
    dependencies=[_READS],
    responses=shows({"nodes": [_NODE], "candidates": [_GATE], "changes": [_CHANGE], "named": 31}),
)
def list_domains(mine: Mine) -> DomainsShown:
    """Return the tree, what may become a node with what it still lacks, and the newest changes."""
    return mine.domain_pages.every()


@router.post("/undo", dependencies=[_WRITES], responses=shows(_CHANGE))
def undo_domain_change(mine: Mine, desk: Desk) -> DomainChange:
    """Take back the newest change of the tree, whoever made it."""
    change = change_of(mine.domains.undo())
    desk.changed(_CHANGED)
    return change


@router.post(
    "/refresh",
    dependencies=[_WRITES],
    responses=shows({"promoted": ["choral_music"], "pruned": [], "compared": 2, "busy": False}),
)
def refresh_domains(mine: Mine, desk: Desk) -> DomainsRefreshed:
    """Let the tree grow now: compare candidates, promote what has earned it, forget what nobody names any more."""
    found = refreshed_of(mine.domains.job.run())
    desk.changed(_CHANGED)
    return found


@router.get("/{domain}", dependencies=[_READS], responses=shows({"node": _NODE, "candidates": [_GATE]}))
def show_domain(mine: Mine, domain: Name) -> DomainShown:
    """Return one domain, by id or any of its names, with the candidates below it."""
    return mine.domain_pages.show(domain)


@router.post("/{domain}/merge", dependencies=[_WRITES], responses=shows(_CHANGE | {"kind": "merge"}))
def merge_domain(mine: Mine, desk: Desk, domain: Name, target: Annotated[MergeTarget, Body()]) -> DomainChange:
    """Let another domain take over the names and children of this one."""
    change = change_of(mine.domains.merge(domain, target.into))
    desk.changed(_CHANGED)
    return change


@router.post("/{domain}/demote", dependencies=[_WRITES], responses=shows(_CHANGE | {"kind": "demote"}))
def demote_domain(mine: Mine, desk: Desk, domain: Name) -> DomainChange:
    """Dissolve a domain in its parent."""
    change = change_of(mine.domains.demote(domain))
    desk.changed(_CHANGED)
    return change


@router.post("/{domain}/rename", dependencies=[_WRITES], responses=shows(_CHANGE | {"kind": "rename"}))
def rename_domain(mine: Mine, desk: Desk, domain: Name, wanted: Annotated[NewName, Body()]) -> DomainChange:
    """Give a domain another name; its old one still finds it."""
    change = change_of(mine.domains.rename(domain, wanted.name))
    desk.changed(_CHANGED)
    return change


@router.post("/{domain}/aliases", dependencies=[_WRITES], responses=shows(_CHANGE | {"kind": "alias"}))
def alias_domain(mine: Mine, desk: Desk, domain: Name, wanted: Annotated[NewName, Body()]) -> DomainChange:
    """Give a domain one more name."""
    change = change_of(mine.domains.alias(domain, wanted.name))
    desk.changed(_CHANGED)
    return change
