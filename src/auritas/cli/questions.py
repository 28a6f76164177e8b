"""`auritas questions` and `auritas why`: the questions of the past, and the reasons of one."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from auritas.kernel.clock import timestamp

if TYPE_CHECKING:
    from auritas.app.questions import Found

_ENDED = {"abandoned": "Auritas ended before it was answered"}
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]


def register(root: typer.Typer) -> None:
    """Add the commands to the tree."""
    root.command(epilog="Example: auritas questions --limit 5")(questions)
    root.command(epilog="Example: auritas why tr_abc123def456")(why)


def questions(
    *,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, max=1000, help="Questions, newest first.")] = 20,
    as_json: AsJson = False,
) -> None:
    """List the questions that were asked, newest first, with the ids by which to name them."""
    from rich.padding import Padding

    from auritas.cli.screen import brief, out, plain, print_json
    from auritas.cli.session import opened

    with opened() as auritas:
        found = auritas.questions.newest(limit)
    if as_json:
        print_json({"questions": [_document(each) for each in found]})
        return
    if not found:
        out.print(plain('There is no question yet. Try: auritas ask "What is the capital of Australia?"'))
    for each in found:
        name = each.trace_id or each.query_id  # both name it, and that of its trace is the shorter one
        out.print(
            plain(f"{each.at:%Y-%m-%d %H:%M} UTC  {name}  {each.level}  {_ENDED.get(each.status, each.status)}", "dim")
        )
        out.print(Padding(brief(each.text, 76), (0, 0, 0, 2)))


def _document(found: "Found") -> dict[str, Any]:
    return {
        "query_id": found.query_id,
        "trace_id": found.trace_id,
        "at": timestamp(found.at),
        "level": found.level,
        "status": found.status,
        "question": found.text,
    }


def why(
    question: Annotated[
        str | None, typer.Argument(help="Id of the question or its trace, or its beginning; else the last.")
    ] = None,
    *,
    as_json: AsJson = False,
) -> None:
    """Show why a question was decided so: what was seen, considered and chosen, and what you can do."""
    from auritas.app.questions import to_document
    from auritas.cli.report import as_sections
    from auritas.cli.screen import out, print_json
    from auritas.cli.session import opened

    with opened() as auritas:
        if as_json:
            print_json(to_document(auritas.questions.why(question)))
        else:
            out.print(as_sections(auritas.why(question)))
