"""`auritas grade` and `auritas pick`: say who was right, take it back, and see what was said."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from auritas.cli.hints import hint
from auritas.kernel.clock import timestamp

if TYPE_CHECKING:
    from collections.abc import Callable

    from auritas.app.grading import Graded, Grading, History, Mark

Question = Annotated[
    str | None,
    typer.Option("--question", "-q", help="Id of the question or its trace, or its beginning; else the last."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]

app = typer.Typer(
    help="Say who was right, so that the council learns whom to believe.",
    no_args_is_help=True,
    epilog="Example: auritas grade right",
)


def register(root: typer.Typer) -> None:
    """Add the commands to the tree."""
    root.add_typer(app, name="grade")
    root.command(epilog="Example: auritas pick ada")(pick)


@app.command(epilog="Example: auritas grade right")
def right(*, question: Question = None, as_json: AsJson = False) -> None:
    """Say that the answer that was shown is right."""
    _say(lambda grading: grading.verdict(question, right=True), as_json=as_json)


@app.command(epilog="Example: auritas grade wrong --question tr_abc123def456")
def wrong(*, question: Question = None, as_json: AsJson = False) -> None:
    """Say that the answer that was shown is wrong; the others stay as they are."""
    _say(lambda grading: grading.verdict(question, right=False), as_json=as_json)


@app.command(epilog="Example: auritas grade none")
def none(*, question: Question = None, as_json: AsJson = False) -> None:
    """Say that no answer is right."""
    _say(lambda grading: grading.none_right(question), as_json=as_json)


@app.command(epilog='Example: auritas grade key "53"')
def key(
    answer: Annotated[str, typer.Argument(help="The right answer, in words or as a number.")],
    *,
    question: Question = None,
    as_json: AsJson = False,
) -> None:
    """Give the right answer; every answer is compared with it."""
    _say(lambda grading: grading.key(question, answer), as_json=as_json)


@app.command(epilog="Example: auritas grade merge ada eve")
def merge(
    first: Annotated[str, typer.Argument(help="A seat, or a number in auritas compare.")],
    second: Annotated[str, typer.Argument(help="Another one.")],
    *,
    question: Question = None,
    as_json: AsJson = False,
) -> None:
    """Say that two answers say the same; they count as one from now on."""
    _say(lambda grading: grading.merge(question, first, second), as_json=as_json)


@app.command(epilog="Example: auritas grade undo")
def undo(
    act: Annotated[str | None, typer.Argument(help="Its id or the beginning of it; see auritas grade list.")] = None,
    *,
    as_json: AsJson = False,
) -> None:
    """Take back the last thing you said, or the one you name."""
    from auritas.cli.screen import print_json
    from auritas.cli.session import opened

    with opened() as auritas:
        graded = auritas.grading.undo(act)
    if as_json:
        print_json(_document(graded))
        return
    show_undone(graded)


@app.command("list", epilog="Example: auritas grade list --limit 5")
def listed(
    *,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, max=1000, help="Lines, newest first.")] = 20,
    cursor: Annotated[str | None, typer.Option("--after", help="Go on where the last page ended.")] = None,
    as_json: AsJson = False,
) -> None:
    """List what you said about answers, newest first."""
    from auritas.cli.screen import print_json
    from auritas.cli.session import opened

    with opened() as auritas:
        history = auritas.grading.history(limit, cursor)
    if as_json:
        print_json(_history(history))
    else:
        _show_history(history)


def pick(
    name: Annotated[str, typer.Argument(metavar="SEAT_OR_NUMBER", help="Who is right; see auritas compare.")],
    *,
    question: Question = None,
    as_json: AsJson = False,
) -> None:
    """Say which answer is right where the members disagree; the others count as wrong."""
    _say(lambda grading: grading.pick(question, name), as_json=as_json)


def _say(act: "Callable[[Grading], Graded]", *, as_json: bool) -> None:
    from auritas.cli.screen import print_json
    from auritas.cli.session import opened

    with opened() as auritas:
        graded = act(auritas.grading)
    if as_json:
        print_json(_document(graded))
    else:
        show(graded)


def show(graded: "Graded", *, in_chat: bool = False) -> None:
    """Print what came of something that was said. in_chat: with the commands of a conversation."""
    from auritas.cli.screen import out, plain

    out.print(plain(f"{'You have said so already' if graded.already else 'Noted'}: {graded.words}."))
    _show_marks(graded.marks)
    if graded.record.act.kind == "key" and all(mark.right is False for mark in graded.marks):
        unlike = "No answer says the same, so all count as wrong. If one does: auritas pick SEAT"
        out.print(plain(hint(unlike, in_chat=in_chat)))
    undoing = "auritas grade undo" if in_chat else f"auritas grade undo {graded.record.id}"
    out.print(plain(hint(f"Take it back: {undoing}", in_chat=in_chat), "dim"))


def show_undone(graded: "Graded") -> None:
    """Print what was taken back, and how the answers stand now."""
    from auritas.cli.screen import out, plain

    said = "That was taken back before" if graded.already else "Taken back"
    out.print(plain(f"{said}: {graded.words}."))
    _show_marks(graded.marks)


def _show_marks(marks: "tuple[Mark, ...]") -> None:
    from rich.padding import Padding
    from rich.table import Table
    from rich.text import Text

    from auritas.cli.screen import brief, out, plain

    table = Table.grid(padding=(0, 2))
    for mark in sorted(marks, key=lambda m: (m.right is not True, m.seat)):
        table.add_row(Text(*_SIGN[mark.right]), plain(mark.seat), brief(mark.text, 60), Text(_meaning(mark), "dim"))
    out.print(Padding(table, (0, 0, 0, 2)))


_SIGN = {True: ("✓", "green"), False: ("✗", "red"), None: ("·", "dim")}


def _meaning(mark: "Mark") -> str:
    if mark.right is None:
        return "not graded" if mark.p is None else "graders contradict each other"
    return "right" if mark.right else "wrong"


def _document(graded: "Graded") -> dict[str, Any]:
    record = graded.record
    return {
        "act": record.id,
        "kind": record.act.kind,
        "said": graded.words,
        "query_id": record.query_id,
        "question": graded.question,
        "at": timestamp(record.at),
        "already": graded.already,
        "undone": record.undone_at is not None,
        "answers": [
            {"seat": m.seat, "run_id": m.run_id, "text": m.text, "right": m.right, "p": m.p} for m in graded.marks
        ],
    }


def _history(history: "History") -> dict[str, Any]:
    return {
        "acts": [
            {
                "act": said.record.id,
                "kind": said.record.act.kind,
                "said": said.words,
                "query_id": said.record.query_id,
                "question": said.question,
                "at": timestamp(said.record.at),
                "state": said.state,
            }
            for said in history.said
        ],
        "next": history.next,
    }


def _show_history(history: "History") -> None:
    from rich.padding import Padding

    from auritas.cli.screen import brief, out, plain

    if not history.said:
        out.print(plain("You have not graded anything yet. After a question, say: auritas grade right"))
        return
    for said in history.said:
        state = "" if said.state == "holds" else f"  ({said.state.replace('_', ' ')})"
        out.print(plain(f"{said.record.at:%Y-%m-%d %H:%M} UTC  {said.words}{state}"))
        out.print(Padding(brief(f"on: {said.question}", 100, "dim"), (0, 0, 0, 2)))
        out.print(plain(f"  {said.record.id}", "dim"))
    if history.next:
        out.print(plain(f"More: auritas grade list --after '{history.next}'", "dim"))
