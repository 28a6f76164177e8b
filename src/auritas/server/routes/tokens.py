"""Tokens of programs, sessions of browsers, and the persons who are let in."""

from typing import Annotated

from fastapi import Path, Query, Request, Response
from pydantic import AwareDatetime, BaseModel, ConfigDict, Field

from auritas.app.access import Caller, NotAdmittedError, NoTokenError, Scope, TokenInfo, TokenKind
from auritas.kernel.errors import RefusedError
from auritas.server.caller import ForbiddenError, House, Me, needs
from auritas.server.examples import shows
from auritas.server.guard.credentials import cookie_name, no_cookie
from auritas.server.paging import DEFAULT_LIMIT, After, Limit
from auritas.server.router import Router

router = Router(prefix="/api/v1", tags=["tokens"])
TokenId = Annotated[str, Path(max_length=64)]
_ID = "0193a2c4-5d00-7000-8000-000000000001"
_INFO = {
    "id": _ID,
    "name": "Editor",
    "owner": "local",
    "kind": "api",
    "scopes": ["query", "stream"],
    "created_at": "2026-11-20T10:00:00Z",
    "expires_at": None,
    "last_used_at": "2026-11-21T08:30:00Z",
}
_ME = {"id": _ID, "owner": "local", "scopes": ["admin"], "session": True}


class NotKeptError(RefusedError):
    """The install token is no token that could be signed out."""

    code = "install_token"


class TokenView(BaseModel):
    """A token or session; `kind` browser is a session. Its secret was shown once and is not kept."""

    id: str
    name: str
    owner: str
    kind: TokenKind
    scopes: list[Scope]
    created_at: AwareDatetime
    expires_at: AwareDatetime | None
    last_used_at: AwareDatetime | None


class TokenPage(BaseModel):
    """Tokens and sessions that can be used now, the newest first."""

    items: list[TokenView]
    next: str | None


class TokenWanted(BaseModel):
    """A token to be made. owner: whose it is, yours where it is left out. expires_at: it never ends where left out."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"name": "Editor", "scopes": ["query", "stream"]}]})
    name: str = Field(min_length=1, max_length=80)
    scopes: list[Scope] = Field(min_length=1, max_length=len(Scope))
    owner: str | None = Field(None, max_length=32)
    expires_at: AwareDatetime | None = None


class TokenMade(BaseModel):
    """A token that was made just now. secret: to be shown as `Authorization: Bearer`; it can be read only here."""

    secret: str
    token: TokenView


class Myself(BaseModel):
    """Who makes this request. session: whether it is a browser's."""

    id: str
    owner: str
    scopes: list[Scope]
    session: bool


class Person(BaseModel):
    """Somebody who uses this installation, with a store of their own."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"name": "anna"}]})
    name: str = Field(max_length=32, description="Up to 32 small letters, digits, - and _, beginning with a letter.")


class People(BaseModel):
    """Everybody who was let in, the one who installed the program first."""

    items: list[Person]
    next: str | None = None


@router.get("/me", dependencies=[needs(Scope.STATUS)], responses=shows(_ME))
def show_me(me: Me) -> Myself:
    """Say who you are here, and what you may do."""
    return Myself(id=me.id, owner=me.owner, scopes=_in_order(me.scopes), session=me.session)


@router.delete("/me", dependencies=[needs(Scope.STATUS)], status_code=204)
def sign_out(house: House, me: Me, request: Request, response: Response) -> None:
    """End the session or token that makes this request."""
    try:
        house.access.revoke(me.id, actor=me.id)
    except NoTokenError:
        raise NotKeptError(
            "The install token is not signed out.", remedy="Replace it instead: auritas tokens rotate"
        ) from None
    if me.session:
        name = cookie_name(house.settings.home)
        response.headers["set-cookie"] = no_cookie(name, secure=request.url.scheme == "https")


@router.get("/tokens", dependencies=[needs(Scope.TOKENS_READ)], responses=shows({"items": [_INFO], "next": None}))
def list_tokens(
    house: House,
    me: Me,
    *,
    kind: Annotated[TokenKind | None, Query(description="Only programs' tokens or only browsers' sessions.")] = None,
    limit: Limit = DEFAULT_LIMIT,
    after: After = None,
) -> TokenPage:
    """List tokens and sessions that can be used now: yours, or everybody's for an admin."""
    found = [info for info in house.access.list(_reach(me)) if kind in {None, info.kind}]
    ids = [info.id for info in found]
    start = ids.index(after) + 1 if after in ids else 0 if after is None else len(found)
    shown = found[start : start + limit]
    return TokenPage(items=[_view(info) for info in shown], next=shown[-1].id if start + limit < len(found) else None)


@router.post(
    "/tokens",
    status_code=201,
    dependencies=[needs(Scope.TOKENS_WRITE)],
    responses=shows({"secret": "aur_" + "x" * 43, "token": _INFO | {"last_used_at": None}}, 201),
)
def create_token(house: House, me: Me, wanted: TokenWanted) -> TokenMade:
    """Make a token for a program. It can do no more than you, and is yours unless you are an admin."""
    owner = wanted.owner or me.owner
    _require_reach(me, owner, wanted.scopes)
    made = house.access.create(wanted.name, frozenset(wanted.scopes), owner, wanted.expires_at)
    return TokenMade(secret=made.secret, token=_view(made.info))


@router.delete("/tokens/{token_id}", dependencies=[needs(Scope.TOKENS_WRITE)], status_code=204)
def revoke_token(house: House, me: Me, token_id: TokenId) -> None:
    """Revoke a token or sign a browser out; it ends with its next call."""
    house.access.revoke(token_id, _reach(me), actor=me.id)


@router.get(
    "/people",
    dependencies=[needs(Scope.ADMIN)],
    responses=shows({"items": [{"name": "local"}, {"name": "anna"}], "next": None}),
)
def list_people(house: House) -> People:
    """List everybody who uses this installation."""
    return People(items=[Person(name=name) for name in house.access.people()])


@router.post("/people", dependencies=[needs(Scope.ADMIN)], status_code=201, responses=shows({"name": "anna"}, 201))
def admit_person(house: House, wanted: Person) -> Person:
    """Let a person in: they get a store of their own. Their browser is let in by `POST /api/v1/handover`."""
    house.admit(wanted.name)
    return wanted


def _reach(me: Caller) -> str | None:
    """Return whose tokens a caller sees, None for everybody's."""
    return None if me.may(Scope.ADMIN) else me.owner


def _require_reach(me: Caller, owner: str, scopes: list[Scope]) -> None:
    """Nobody makes a token that can do more than their own. Raises ForbiddenError; a stranger is not there."""
    if owner != me.owner and not me.may(Scope.ADMIN):
        raise NotAdmittedError(owner)
    for scope in scopes:
        if not me.may(scope):
            raise ForbiddenError(scope)


def _in_order(scopes: frozenset[Scope]) -> list[Scope]:
    return [scope for scope in Scope if scope in scopes]


def _view(info: TokenInfo) -> TokenView:
    return TokenView(
        id=info.id,
        name=info.name,
        owner=info.owner,
        kind=info.kind,
        scopes=list(info.scopes),
        created_at=info.created_at,
        expires_at=info.expires_at,
        last_used_at=info.last_used_at,
    )
