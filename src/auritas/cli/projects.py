"""`auritas projects`: what scopes conversations and memory."""

from shlex import quote
from typing import TYPE_CHECKING, Annotated

import typer

from auritas.cli.conversations import remembered, show_deleted, what_goes
from auritas.cli.keeping import NotConfirmedError
from auritas.kernel.clock import timestamp
from auritas.kernel.text import counted

if TYPE_CHECKING:
    from auritas.app.projects import Project

app = typer.Typer(
    help="Projects: they keep conversations together, and what you tell Auritas there holds only there.",
    no_args_is_help=True,
    epilog="Example: auritas projects new garden",
)

Name = Annotated[str, typer.Argument(metavar="PROJECT", help="Its name, a part of it, or its id.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]


@app.command("list", epilog="Example: auritas projects list")
def listed(
    *,
    archived: Annotated[bool, typer.Option("--archived", help="Those that were archived.")] = False,
    as_json: AsJson = False,
) -> None:
    """List your projects; an asterisk marks the one that new conversations join."""
    from rich.table import Table

    from auritas.cli.screen import brief, out, plain, print_json
    from auritas.cli.session import opened

    with opened() as auritas:
        found = auritas.projects.every(archived=archived)
    if as_json:
        print_json({"projects": [_document(each) for each in found]})
        return
    if not found:
        out.print(
            plain("Nothing is archived." if archived else "There is no project. Make one: auritas projects new NAME")
        )
        return
    table = Table.grid(padding=(0, 2))
    for each in found:
        numbers = f"{counted(each.conversations, 'conversation')}, {remembered(each.corrections)}"
        table.add_row("*" if each.active else " ", brief(each.name, 80), plain(numbers, "dim"))
    out.print(table)


@app.command(epilog="Example: auritas projects new garden")
def new(
    name: Annotated[str, typer.Argument(help="What to call it.")],
    *,
    stay: Annotated[bool, typer.Option("--no-use", help="Do not make it the active one.")] = False,
    as_json: AsJson = False,
) -> None:
    """Make a project; new conversations join it."""
    from auritas.cli.session import opened

    with opened() as auritas:
        made = auritas.projects.create(name, use=not stay)
    _say(made, f"New conversations join {made.name!r} now." if made.active else f"Made {made.name!r}.", as_json=as_json)


@app.command(epilog="Example: auritas projects use garden")
def use(name: Name, *, as_json: AsJson = False) -> None:
    """Make a project the active one: new conversations join it."""
    from auritas.cli.session import opened

    with opened() as auritas:
        found = auritas.projects.use(name)
    _say(found, f"New conversations join {found.name!r} now.", "auritas projects leave", as_json=as_json)


@app.command(epilog="Example: auritas projects leave")
def leave(*, as_json: AsJson = False) -> None:
    """Let new conversations join no project."""
    from auritas.cli.screen import out, plain, print_json
    from auritas.cli.session import opened

    with opened() as auritas:
        left = auritas.projects.leave()
    if as_json:
        print_json({"left": left and left.id})
    elif left is None:
        out.print(plain("No project is active."))
    else:
        _say(left, "New conversations join no project now.", f"auritas projects use {quote(left.name)}", as_json=False)


@app.command(epilog="Example: auritas projects rename garden allotment")
def rename(
    name: Name, wanted: Annotated[str, typer.Argument(metavar="NAME", help="Its new name.")], *, as_json: AsJson = False
) -> None:
    """Give a project another name."""
    from auritas.cli.session import opened

    with opened() as auritas:
        before, now = auritas.projects.rename(name, wanted)
    back = f"auritas projects rename {quote(now.name)} {quote(before.name)}"
    _say(now, f"It is called {now.name!r} now.", back, as_json=as_json)


@app.command(epilog="Example: auritas projects archive garden")
def archive(name: Name, *, as_json: AsJson = False) -> None:
    """Hide a project from the list. Its conversations stay where they are; if it was active, it is left."""
    from auritas.cli.session import opened

    with opened() as auritas:
        _, now = auritas.projects.archive(name)
    _say(now, f"{now.name!r} is archived.", f"auritas projects unarchive {quote(now.name)}", as_json=as_json)


@app.command(epilog="Example: auritas projects unarchive garden")
def unarchive(name: Name, *, as_json: AsJson = False) -> None:
    """Show an archived project in the list again."""
    from auritas.cli.session import opened

    with opened() as auritas:
        _, now = auritas.projects.archive(name, archived=False)
    _say(now, f"{now.name!r} is in the list again.", f"auritas projects archive {quote(now.name)}", as_json=as_json)


@app.command(epilog="Example: auritas projects delete garden")
def delete(
    name: Name,
    *,
    with_conversations: Annotated[
        bool, typer.Option("--with-conversations", help="Also its conversations, for good.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    as_json: AsJson = False,
) -> None:
    """Delete a project and what was remembered in it only. Its conversations stay, unless you say otherwise."""
    from auritas.cli.screen import confirm, err, plain
    from auritas.cli.session import opened

    with opened() as auritas:
        loss = auritas.projects.loss(name, with_conversations=with_conversations)
        if not (as_json and yes):
            err.print(plain(f"This deletes {what_goes(loss)}. It cannot be undone."))
            held = loss.project.conversations if loss.project else 0
            if held and not with_conversations:
                stay = "Its conversation stays" if held == 1 else f"Its {held:,} conversations stay"
                err.print(plain(f"{stay} and will be in no project."))
            if not yes and loss.project:
                err.print(plain(f"To hide it only: auritas projects archive {quote(loss.project.name)}", "dim"))
        if not confirm("Delete for good?", assumed=yes):
            raise NotConfirmedError("Nothing was deleted.", remedy="Add --yes to delete without being asked.")
        project_id = loss.project.id if loss.project else name
        gone = auritas.projects.delete(project_id, with_conversations=with_conversations)
    show_deleted(gone, as_json=as_json)


def _document(project: "Project") -> dict[str, object]:
    return {
        "id": project.id,
        "name": project.name,
        "created_at": timestamp(project.created_at),
        "archived": project.archived,
        "active": project.active,
        "conversations": project.conversations,
        "corrections": project.corrections,
    }


def _say(project: "Project", words: str, back: str = "", *, as_json: bool) -> None:
    from auritas.cli.screen import out, plain, print_json

    if as_json:
        print_json(_document(project))
        return
    out.print(plain(words))
    if back:
        out.print(plain(f"Take it back: {back}", "dim"))
