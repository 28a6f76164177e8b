"""`auritas conversations`: find, read, rename, branch, move, archive, write out and delete what was said."""

from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated

import typer

from auritas.cli.keeping import NotConfirmedError
from auritas.kernel.errors import UsageError
from auritas.kernel.text import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from auritas.app.compose import Auritas
    from auritas.app.conversations import Branched, Conversation, ConversationPage, Deleted, Loss, Shown

app = typer.Typer(
    help="Your conversations: find, read, rename, branch, move, archive, write out, delete.",
    no_args_is_help=True,
    epilog='Example: auritas conversations show "capital of Australia"',
)

Name = Annotated[str, typer.Argument(metavar="CONVERSATION", help="Its id or the beginning of it, or its title.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
Yes = Annotated[bool, typer.Option("--yes", help="Do not ask.")]


@app.command("list", epilog="Example: auritas conversations list --project garden")
def listed(
    *,
    project: Annotated[str | None, typer.Option("--project", "-p", help="Only those of a project.")] = None,
    archived: Annotated[bool, typer.Option("--archived", help="Those that were archived.")] = False,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, max=1000, help="Conversations, last used first.")] = 20,
    cursor: Annotated[str | None, typer.Option("--after", help="Go on where the last page ended.")] = None,
    as_json: AsJson = False,
) -> None:
    """List your conversations, the last used first."""
    from auritas.cli.screen import print_json
    from auritas.cli.session import opened

    with opened() as auritas:
        page = auritas.conversations.newest(limit, project=project, archived=archived, cursor=cursor)
        if as_json:
            print_json({"conversations": [document(each) for each in page.conversations], "next": page.next})
        else:
            _show_page(auritas, page, filtered=project is not None, archived=archived)


@app.command(epilog="Example: auritas conversations show 019b77c3 --at 12")
def show(
    name: Name,
    *,
    at: Annotated[str | None, typer.Option("--at", help="Begin at this message: its number or id.")] = None,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, max=1000, help="Messages to show.")] = 50,
    as_json: AsJson = False,
) -> None:
    """Show the messages of a conversation with their numbers: the last ones, or those from a given one on."""
    from auritas.app.conversations import message_document
    from auritas.cli.screen import print_json
    from auritas.cli.session import opened

    with opened() as auritas:
        shown = auritas.conversations.show(name, at=at, count=limit)
        if as_json:
            messages = [message_document(said) for said in shown.messages]
            branches = [{"at": number, "id": each.id, "title": each.title} for number, each in shown.branches]
            print_json(document(shown.conversation) | {"messages": messages, "branches": branches})
        else:
            _show(auritas, shown)


@app.command(epilog='Example: auritas conversations rename 019b77c3 "Trip to Canberra"')
def rename(
    name: Name, title: Annotated[str, typer.Argument(help="Its new title.")], *, as_json: AsJson = False
) -> None:
    """Give a conversation a title of your own."""
    from auritas.cli.session import opened

    with opened() as auritas:
        before, now = auritas.conversations.rename(name, title)
    back = f"auritas conversations rename {now.short} {quote(before.title)}" if before.title else ""
    _say(now, f"It is called {now.title!r} now.", back, as_json=as_json)


@app.command(epilog="Example: auritas conversations branch 019b77c3 --before 3")
def branch(
    name: Name,
    *,
    at: Annotated[
        str | None, typer.Option("--at", help="The last message that it keeps; else the last of all.")
    ] = None,
    before: Annotated[
        str | None, typer.Option("--before", help="End just before this question, to ask it anew.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Begin a new conversation from the beginning of another, which stays as it is."""
    from auritas.cli.session import opened

    if at is not None and before is not None:
        raise UsageError("A branch ends at a message or before one, not both.", remedy="Give --at or --before.")
    with opened() as auritas:
        made = auritas.conversations.branch(name, at if before is None else before, before=before is not None)
    _show_branch(made, as_json=as_json)


@app.command(epilog="Example: auritas conversations move 019b77c3 garden")
def move(
    name: Name,
    project: Annotated[str | None, typer.Argument(help="The project it goes to.")] = None,
    *,
    out: Annotated[bool, typer.Option("--out", help="Take it out of its project.")] = False,
    as_json: AsJson = False,
) -> None:
    """Put a conversation into a project, or out of one."""
    from auritas.cli.session import opened

    if (project is None) is not out:
        raise UsageError("Name a project, or say --out.", remedy="See them: auritas projects list")
    with opened() as auritas:
        before, now = auritas.conversations.move(name, project)
    back = f"auritas conversations move {now.short} {quote(before.project)}" if before.project else ""
    back = back or (f"auritas conversations move {now.short} --out" if now.project else "")
    _say(
        now,
        f"It is in the project {now.project!r} now." if now.project else "It is in no project now.",
        back,
        as_json=as_json,
    )


@app.command(epilog="Example: auritas conversations archive 019b77c3")
def archive(name: Name, *, as_json: AsJson = False) -> None:
    """Hide a conversation from the list; it is still found, and marked as archived."""
    from auritas.cli.session import opened

    with opened() as auritas:
        _, now = auritas.conversations.archive(name)
    _say(now, f"{now.name!r} is archived.", f"auritas conversations unarchive {now.short}", as_json=as_json)


@app.command(epilog="Example: auritas conversations unarchive 019b77c3")
def unarchive(name: Name, *, as_json: AsJson = False) -> None:
    """Show an archived conversation in the list again."""
    from auritas.cli.session import opened

    with opened() as auritas:
        _, now = auritas.conversations.archive(name, archived=False)
    _say(now, f"{now.name!r} is in the list again.", f"auritas conversations archive {now.short}", as_json=as_json)


@app.command(epilog="Example: auritas conversations delete 019b77c3")
def delete(
    names: Annotated[list[str], typer.Argument(metavar="CONVERSATION...", help="Ids, beginnings of ids, or titles.")],
    *,
    with_memory: Annotated[
        bool, typer.Option("--with-memory", help="Also what you told Auritas there to remember everywhere.")
    ] = False,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Delete conversations for good, their words in the audit log included. There is no way back."""
    from auritas.cli.screen import confirm, err, plain
    from auritas.cli.session import opened

    with opened() as auritas:
        loss = auritas.conversations.loss(names)
        if not (as_json and yes):
            err.print(plain(f"This deletes {what_goes(loss)}. It cannot be undone."))
            if loss.kept_corrections:
                err.print(plain(_memory(loss, with_memory=with_memory)))
            if not yes:
                hide = " && ".join(f"auritas conversations archive {each.short}" for each in loss.conversations)
                err.print(plain(f"To hide {'it' if len(loss.conversations) == 1 else 'them'} only: {hide}", "dim"))
        if not confirm("Delete for good?", assumed=yes):
            raise NotConfirmedError("Nothing was deleted.", remedy="Add --yes to delete without being asked.")
        gone = auritas.conversations.delete([each.id for each in loss.conversations], with_memory=with_memory)
    show_deleted(gone, as_json=as_json)


@app.command(epilog="Example: auritas conversations export 019b77c3 --to talk.md")
def export(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[CONVERSATION...]", help="Ids, beginnings of ids, or titles.")
    ] = None,
    *,
    everything: Annotated[bool, typer.Option("--all", help="All of them, archived ones included.")] = False,
    target: Annotated[Path | None, typer.Option("--to", help="The file to write; else the screen.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an existing file.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="JSON, which can be imported again; else Markdown.")] = False,
) -> None:
    """Write conversations out, readable by anyone: as Markdown, or as JSON that auritas import reads."""
    from auritas.app.conversations import Form
    from auritas.cli.screen import err, plain, size
    from auritas.cli.session import opened

    if everything is bool(names):
        raise UsageError("Name conversations, or say --all.", remedy="See them: auritas conversations list")
    chosen, form = None if everything else names, Form.JSON if as_json else Form.MARKDOWN
    with opened() as auritas:
        if target is None:
            for piece in auritas.conversations.export(chosen, form):
                typer.echo(piece, nl=False)
            return
        written = auritas.conversations.export_to(target, chosen, form, force=force)
    err.print(plain(f"Wrote {target} ({size(written)}). It is not encrypted."))


def document(conversation: "Conversation") -> dict[str, object]:
    """Return a conversation without its messages as JSON values."""
    from auritas.app.conversations import head_of

    return head_of(conversation) | {"messages": conversation.messages}


def what_goes(loss: "Loss") -> str:
    """Return what deleting takes, as part of a sentence."""
    parts = []
    if loss.project is not None:
        parts.append(f"the project {loss.project.name!r}")
    if len(loss.conversations) == 1:
        parts.append(repr(loss.conversations[0].name))
    elif loss.conversations:
        parts.append(counted(len(loss.conversations), "conversation"))
    numbers = ((loss.messages, "message"), (loss.notes, "hand-off note"))
    parts += [counted(number, noun) for number, noun in numbers if number]
    parts += [remembered(loss.corrections)] if loss.corrections else []
    return " with ".join(parts[:2]) + "".join(f", {part}" for part in parts[2:])


def show_deleted(gone: "Deleted", *, as_json: bool) -> None:
    """Print what was deleted, and where words of it may still be."""
    from auritas.cli.screen import out, plain, print_json

    loss = gone.loss
    if as_json:
        numbers = {"messages": loss.messages, "questions": loss.questions, "corrections": loss.corrections}
        ids = {"deleted": [each.id for each in loss.conversations], "project": loss.project and loss.project.id}
        print_json(ids | numbers | {"entries": gone.entries, "backups": gone.backups, "lingers": gone.lingers})
        return
    out.print(plain(f"Deleted {what_goes(loss)}."))
    if gone.entries:
        out.print(
            plain(f"The audit log keeps no word of it: {_several(gone.entries, 'entry', 'entries')} lost theirs.")
        )
    if loss.branches:
        out.print(plain(f"Copies of messages stay in {_several(loss.branches, 'branch', 'branches')}."))
    if gone.backups:
        held = _several(gone.backups, "backup that may hold it", "backups that may hold it")
        out.print(plain(f"There is still {held}, encrypted; of daily ones the newest seven are kept."))
    if gone.lingers:
        out.print(plain("Another process is reading; the last traces go when it ends.", "yellow"))


def remembered(count: int) -> str:
    """Return how many things are remembered."""
    return _several(count, "memory", "memories")


def _several(count: int, one: str, many: str) -> str:
    return f"{count:,} {one if count == 1 else many}"


def _memory(loss: "Loss", *, with_memory: bool) -> str:
    kept = remembered(loss.kept_corrections)
    if with_memory:
        return f"What you told Auritas there to remember everywhere goes, too: {kept}."
    return f"What you told Auritas there to remember everywhere stays: {kept}. --with-memory deletes that, too."


def _show_page(auritas: "Auritas", page: "ConversationPage", *, filtered: bool, archived: bool) -> None:
    from rich.table import Table

    from auritas.cli.screen import brief, out, plain

    if not page.conversations:
        out.print(plain(_nothing(filtered=filtered, archived=archived)))
        return
    table = Table.grid(padding=(0, 2))
    for each in page.conversations:
        about = [counted(each.messages, "message"), auritas.conversations.when(each.updated_at)]
        about += [f"in {each.project}"] if each.project else []
        about += [f"from {each.source}"] if each.source != "auritas" else []
        table.add_row(plain(each.short, "dim"), brief(each.name, 60), brief(", ".join(about), 80, "dim"))
    out.print(table)
    if page.next:
        out.print(plain(f"More: the same with --after {page.next}", "dim"))


def _nothing(*, filtered: bool, archived: bool) -> str:
    if archived:
        return "Nothing is archived. Hide a conversation: auritas conversations archive CONVERSATION"
    if filtered:
        return "No conversation is in this project. Put one there: auritas conversations move CONVERSATION PROJECT"
    return "There is no conversation yet. Begin one: auritas chat, or bring yours along: auritas import FILE"


def _show(auritas: "Auritas", shown: "Shown") -> None:
    from rich.padding import Padding

    from auritas.cli.screen import brief, out, plain

    conversation = shown.conversation
    out.print(brief(conversation.name, 200, "bold"))
    marks = [conversation.id, counted(conversation.messages, "message")]
    marks += [f"in {conversation.project}"] if conversation.project else []
    marks += ["archived"] if conversation.archived else []
    out.print(brief(", ".join(marks), 200, "dim"))
    if shown.before:
        out.print(plain(f"… {counted(shown.before, 'message')} before: the same with --at 1", "dim"))
    branches: dict[int, list[str]] = {}
    for number, each in shown.branches:
        branches.setdefault(number, []).append(each.short)
    for said in shown.messages:
        who = "you" if said.role == "user" else _authors(said.models) or said.role
        sure = f"  {said.confidence}" if said.confidence else ""
        out.print(brief(f"{said.number}  {who}  {auritas.conversations.when(said.at)}{sure}", 200, "dim"))
        out.print(Padding(plain(said.text), (0, 0, 0, 2)))
        if said.number in branches:
            out.print(plain(f"   branches: {', '.join(branches[said.number])}", "dim"))
    if shown.after:
        following = shown.messages[-1].number + 1
        out.print(plain(f"… {counted(shown.after, 'message')} after: the same with --at {following}", "dim"))


def _authors(models: "Sequence[str]") -> str:
    """Return whose answer a message is. Of several seats it is not kept which one gave the chosen answer."""
    return models[0] if len(models) == 1 else f"council ({', '.join(models)})" if models else ""


def _show_branch(made: "Branched", *, as_json: bool) -> None:
    from auritas.cli.screen import brief, out, plain, print_json

    branch = made.conversation
    if as_json:
        print_json(document(branch) | {"origin": made.origin.id, "at": made.at.number, "asks_anew": made.asks_anew})
        return
    kept = counted(branch.messages, "message")
    out.print(plain(f"{branch.name!r} ({branch.short}) begins with {kept} of {made.origin.name!r}."))
    if made.asks_anew is not None:
        out.print(brief(f"The question was: {made.asks_anew}", 200, "dim"))
    out.print(plain(f"Go on with it: auritas chat --in {branch.id}", "dim"))


def _say(conversation: "Conversation", words: str, back: str, *, as_json: bool) -> None:
    from auritas.cli.screen import out, plain, print_json

    if as_json:
        print_json(document(conversation))
        return
    out.print(plain(words))
    if back:
        out.print(plain(f"Take it back: {back}", "dim"))
