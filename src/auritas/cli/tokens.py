"""`auritas tokens`: who may use the server: programs, browsers, and further persons."""

import re
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Annotated

import typer

from auritas.kernel.clock import timestamp
from auritas.kernel.errors import InvalidError, UsageError, nearest

if TYPE_CHECKING:
    from auritas.app.access import Scope, TokenInfo

app = typer.Typer(
    help="Tokens: what programs and browsers show to use the server.",
    no_args_is_help=True,
    epilog="Example: auritas tokens create editor --scope query --scope stream",
)

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
_IN = re.compile(r"(?P<count>[1-9][0-9]{0,4})(?P<unit>[mhdw])")
_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


@app.command(epilog="Example: auritas tokens create editor --scope query --expires 30d")
def create(
    name: Annotated[str, typer.Argument(help="What it is for.")],
    *,
    scope: Annotated[
        list[str], typer.Option("--scope", help="What it may do; again for more. `auritas tokens scopes` lists them.")
    ],
    owner: Annotated[str, typer.Option("--owner", help="Whose it is.")] = "local",
    expires: Annotated[str, typer.Option("--expires", help="When it ends: 12h, 30d, or a date. Never, if empty.")] = "",
    as_json: AsJson = False,
) -> None:
    """Make a token for a program and show it, once."""
    from auritas.cli.screen import out, plain, print_json
    from auritas.cli.session import opened

    scopes = frozenset(_scope(text) for text in scope)
    with opened() as auritas:
        until = ending(expires, auritas.clock.now()) if expires else None
        made = auritas.access.create(name, scopes, owner, until)
    if as_json:
        print_json({"secret": made.secret, **_document(made.info)})
        return
    out.print(plain(made.secret))
    out.print(plain("It is shown only now. A program sends it as Authorization: Bearer …", "dim"))
    out.print(plain(f"Take it back: auritas tokens revoke {made.info.id}", "dim"))


@app.command("list", epilog="Example: auritas tokens list")
def listed(*, as_json: AsJson = False) -> None:
    """List tokens and browsers that can be used now, and everybody who was let in."""
    from rich.table import Table

    from auritas.cli.screen import brief, out, plain, print_json
    from auritas.cli.session import opened

    with opened() as auritas:
        found, people = auritas.access.list(), auritas.access.people()
    if as_json:
        print_json({"tokens": [_document(info) for info in found], "people": list(people)})
        return
    table = Table.grid(padding=(0, 2))
    for info in found:
        kind = "browser" if info.kind.value == "browser" else ", ".join(info.scopes)
        used = f"used {info.last_used_at:%Y-%m-%d %H:%M}Z" if info.last_used_at else "not used yet"
        table.add_row(info.id, brief(info.name, 40), info.owner, plain(kind, "dim"), plain(used, "dim"))
    out.print(table if found else plain("There is no token. Make one: auritas tokens create NAME --scope query"))
    if len(people) > 1:
        out.print(plain(f"People: {', '.join(people)}", "dim"))


@app.command(epilog="Example: auritas tokens revoke 0193a2c4-5d00-7000-8000-000000000001")
def revoke(
    token_id: Annotated[str, typer.Argument(metavar="ID", help="Its id, or the beginning of it.")],
    *,
    as_json: AsJson = False,
) -> None:
    """End a token, or sign a browser out. A running server refuses it from its next call on."""
    from auritas.app.access import NoTokenError
    from auritas.cli.screen import out, plain, print_json
    from auritas.cli.session import opened

    with opened() as auritas:
        found = [info for info in auritas.access.list() if info.id.startswith(token_id)]
        if not found:
            raise NoTokenError(token_id)
        if len(found) > 1:
            ids = ", ".join(info.id for info in found)
            raise UsageError(f"{token_id!r} begins several ids.", remedy=f"Give more of it: {ids}")
        auritas.access.revoke(found[0].id)
    if as_json:
        print_json({"revoked": found[0].id})
    else:
        out.print(plain(f"{found[0].name!r} ends with its next call."))


@app.command(epilog="Example: auritas tokens rotate")
def rotate(*, as_json: AsJson = False) -> None:
    """Replace the install token, by which the command line talks to the server."""
    from auritas.app.install_token import install_token
    from auritas.cli.screen import out, plain, print_json
    from auritas.cli.session import opened

    with opened() as auritas:
        install_token(auritas.settings.home).rotate()
        auritas.access.install_token_replaced()
    if as_json:
        print_json({"rotated": True})
    else:
        out.print(plain("The install token is a new one. Programs that had copied the old one are out."))


@app.command(epilog="Example: auritas tokens admit anna")
def admit(
    name: Annotated[str, typer.Argument(help="Up to 32 small letters, digits, - and _, beginning with a letter.")],
    *,
    as_json: AsJson = False,
) -> None:
    """Let a person in: they get a store of their own, which no token of yours can read."""
    from auritas.cli.screen import out, plain, print_json
    from auritas.cli.session import opened

    with opened() as auritas:
        auritas.access.admit(name)
    if as_json:
        print_json({"admitted": name})
    else:
        out.print(plain(f"{name} has a store now. A token: auritas tokens create NAME --owner {name} --scope query"))


@app.command(epilog="Example: auritas tokens scopes")
def scopes(*, as_json: AsJson = False) -> None:
    """List what a token may be allowed."""
    from auritas.app.access import Scope
    from auritas.cli.screen import out, plain, print_json

    if as_json:
        print_json({"scopes": [scope.value for scope in Scope]})
    else:
        out.print(plain("\n".join(Scope)))


def ending(text: str, now: datetime) -> datetime:
    """Return the moment that `text` names: so many minutes, hours, days or weeks from `now`, or a date.

    A date without a zone is one of UTC. Raises InvalidError for anything else.
    """
    try:
        if found := _IN.fullmatch(text.strip()):
            return now + timedelta(**{_UNITS[found["unit"]]: int(found["count"])})
        moment = datetime.fromisoformat(text.strip())
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError):
        raise InvalidError(f"{text!r} is no time.", remedy="Write 12h, 30d, 4w or a date such as 2027-01-31.") from None


def _scope(text: str) -> "Scope":
    from auritas.app.access import Scope

    try:
        return Scope(text)
    except ValueError:
        known = [scope.value for scope in Scope]
        remedy = nearest(text, known) or f"Scopes: {', '.join(known)}"
        raise InvalidError(f"There is no scope {text!r}.", remedy=remedy) from None


def _document(info: "TokenInfo") -> dict[str, object]:
    return {
        "id": info.id,
        "name": info.name,
        "owner": info.owner,
        "kind": info.kind.value,
        "scopes": [scope.value for scope in info.scopes],
        "created_at": timestamp(info.created_at),
        "expires_at": timestamp(info.expires_at) if info.expires_at else None,
        "last_used_at": timestamp(info.last_used_at) if info.last_used_at else None,
    }
