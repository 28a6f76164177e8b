"""`auritas domains`: what your questions are about, and the tree that grows from it."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from auritas.kernel.clock import timestamp
from auritas.kernel.text import counted

if TYPE_CHECKING:
    from auritas.app.domain_job import Refreshed
    from auritas.app.domains import DomainsView, NodeView
    from auritas.council.domains.candidates import Change

CANDIDATES_SHOWN = 5

app = typer.Typer(
    help="What your questions are about: the tree of domains, and what may grow into it.",
    no_args_is_help=False,
    epilog="Example: auritas domains merge rust_language rust",
)

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
Node = Annotated[str, typer.Argument(help="A domain: its id or one of its names.")]


@app.callback(invoke_without_command=True)
def domains(context: typer.Context, *, as_json: AsJson = False) -> None:
    """Show the tree with what was counted, and the candidates."""
    if context.invoked_subcommand is not None:
        return
    from auritas.cli.screen import print_json
    from auritas.cli.session import opened

    with opened() as auritas:
        view = auritas.domains.view()
    if as_json:
        print_json({"domains": [_document(each) for each in view.nodes], "named": view.named})
    else:
        _show_tree(view)


@app.command(epilog="Example: auritas domains show code")
def show(node: Node, *, as_json: AsJson = False) -> None:
    """Show one domain: where it lies, its names, and what may grow below it."""
    from auritas.cli.screen import print_json
    from auritas.cli.session import opened

    with opened() as auritas:
        found = auritas.domains.show(node)
    if as_json:
        print_json(_document(found))
    else:
        _show_node(found)


@app.command(epilog="Example: auritas domains merge rust_language rust")
def merge(
    node: Node,
    into: Annotated[str, typer.Argument(help="The domain that takes over its names and what lies below it.")],
    *,
    as_json: AsJson = False,
) -> None:
    """Make two domains one."""
    from auritas.cli.session import opened

    with opened() as auritas:
        change = auritas.domains.merge(node, into)
    _say(change, f"Merged {change.node} into {into}.", as_json=as_json)


@app.command(epilog="Example: auritas domains demote rust")
def demote(node: Node, *, as_json: AsJson = False) -> None:
    """Dissolve a domain in its parent, which takes over its names."""
    from auritas.cli.session import opened

    with opened() as auritas:
        change = auritas.domains.demote(node)
    _say(change, f"Dissolved {change.node} in its parent.", as_json=as_json)


@app.command(epilog='Example: auritas domains rename rust "systems programming"')
def rename(
    node: Node,
    name: Annotated[str, typer.Argument(help="Its new name; the old one stays.")],
    *,
    as_json: AsJson = False,
) -> None:
    """Give a domain another name."""
    from auritas.cli.session import opened

    with opened() as auritas:
        change = auritas.domains.rename(node, name)
    _say(change, f"Renamed {change.node} to {name}.", as_json=as_json)


@app.command(epilog='Example: auritas domains alias code "software craft"')
def alias(
    node: Node, word: Annotated[str, typer.Argument(help="One more name for it.")], *, as_json: AsJson = False
) -> None:
    """Give a domain one more name."""
    from auritas.cli.session import opened

    with opened() as auritas:
        change = auritas.domains.alias(node, word)
    _say(change, f"{word} is a name of {change.node} now.", as_json=as_json)


@app.command(epilog="Example: auritas domains undo")
def undo(*, as_json: AsJson = False) -> None:
    """Take the newest change of the tree back, yours or the program's; run it again for the one before."""
    from auritas.cli.session import opened

    with opened() as auritas:
        change = auritas.domains.undo()
    _say(change, f"Took back: {_what(change)}.", as_json=as_json, hint="")


@app.command(epilog="Example: auritas domains prune")
def prune(*, as_json: AsJson = False) -> None:
    """Forget candidates that one question named more than thirty days ago."""
    from auritas.cli.screen import out, plain, print_json
    from auritas.cli.session import opened

    with opened() as auritas:
        gone = auritas.domains.job.prune()
    if as_json:
        print_json({"pruned": list(gone)})
    else:
        out.print(plain(f"Forgot {', '.join(gone)}." if gone else "Nothing is old enough to be forgotten."))


@app.command(epilog="Example: auritas domains refresh")
def refresh(*, as_json: AsJson = False) -> None:
    """Compare, promote and forget candidates now; otherwise it happens every five minutes."""
    from auritas.cli.screen import out, plain, print_json
    from auritas.cli.session import opened

    with opened() as auritas:
        done = auritas.domains.job.run()
    if as_json:
        print_json(_refreshed(done))
    elif done is None:
        out.print(plain("Another process is at it; nothing to do here."))
    else:
        _show_refreshed(done)


def _document(view: "NodeView") -> dict[str, Any]:
    return {
        "id": view.node.id,
        "parent": view.node.parent,
        "depth": view.node.depth,
        "aliases": list(view.node.aliases),
        "questions": view.questions,
        "children": list(view.children),
        "candidates": [
            {
                "name": each.string,
                "questions": each.questions,
                "models": list(each.models),
                "similarity": each.similarity,
                "first_seen": timestamp(each.first_seen),
                "last_seen": timestamp(each.last_seen),
            }
            for each in view.candidates
        ],
    }


def _refreshed(done: "Refreshed | None") -> dict[str, Any]:
    if done is None:
        return {"ran": False}
    return {
        "ran": True,
        "promoted": list(done.promoted),
        "pruned": list(done.pruned),
        "compared": done.compared,
        "decided": [
            {
                "name": each.string,
                "parent": each.parent,
                "node": each.node,
                "log_bayes_factor": each.verdict.log_bayes_factor,
                "difference": each.verdict.difference,
                "delta": each.verdict.delta,
                "reasons": list(each.verdict.reasons),
            }
            for each in done.decided
        ],
    }


def _say(change: "Change", sentence: str, *, as_json: bool, hint: str = "Take it back: auritas domains undo") -> None:
    from auritas.cli.screen import out, plain, print_json

    if as_json:
        after = [{"id": n.id, "parent": n.parent, "aliases": list(n.aliases)} for n in change.difference.after]
        print_json({"event": change.seq, "kind": change.kind, "node": change.node, "after": after})
        return
    out.print(plain(sentence))
    if hint:
        out.print(plain(hint, "dim"))


def _what(change: "Change") -> str:
    before = {name for node in change.difference.before for name in node.names}
    new = sorted({name for node in change.difference.after for name in node.names} - before)
    return (
        f"{change.kind} {', '.join(new)} of {change.node}"
        if change.kind == "alias"
        else f"{change.kind} of {change.node}"
    )


def _show_tree(view: "DomainsView") -> None:
    from rich.table import Table

    from auritas.cli.screen import brief, out, plain

    table = Table("domain", "questions", "may grow from it", box=None, header_style="bold")
    for each in view.nodes:
        grows = ", ".join(f"{c.string} ({c.questions})" for c in each.candidates[:CANDIDATES_SHOWN])
        more = len(each.candidates) - CANDIDATES_SHOWN
        rest = f" and {more} more" if more > 0 else ""
        name = plain("  " * each.node.depth + each.node.id)
        table.add_row(name, str(each.questions or ""), brief(grows + rest, 160, "dim"))
    out.print(table)
    out.print()
    if not view.named:
        out.print(plain("No member has named a field yet: the tree grows from what they file their answers under."))
        out.print(plain("Ask something first: auritas ask", "dim"))
    else:
        out.print(
            plain("A candidate becomes a domain when graded answers show that members do otherwise in it.", "dim")
        )


def _show_node(view: "NodeView") -> None:
    from auritas.cli.screen import out, plain

    out.print(plain(" < ".join(view.path), "bold"))
    out.print(plain(f"Also called: {', '.join(view.node.aliases) or 'nothing else'}"))
    out.print(plain(f"Named in questions: {view.questions}"))
    if view.children:
        out.print(plain(f"Below it: {', '.join(view.children)}"))
    for each in view.candidates:
        out.print(plain(f"  {each.string}: {counted(each.questions, 'question')}, named by {', '.join(each.models)}"))


def _show_refreshed(done: "Refreshed") -> None:
    from auritas.cli.screen import out, plain

    for each in done.decided:
        if each.node is not None:
            out.print(plain(f"{each.node} is a domain now, below {each.parent}.", "bold green"))
        else:
            out.print(plain(f"{each.string} stays a candidate: {'; '.join(each.verdict.reasons)}."))
    if done.pruned:
        out.print(plain(f"Forgot {', '.join(done.pruned)}."))
    if not done.decided:
        out.print(plain("No candidate was named often enough yet (5 questions, 2 models)."))
