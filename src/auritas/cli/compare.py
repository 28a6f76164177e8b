"""`auritas compare`: the candidates of a question side by side, with the words in which they differ."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from auritas.cli.hints import hint

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.text import Text

    from auritas.app.grading import SideBySide
    from auritas.council.disagreement import Compared, Voice

COLUMN_AT_LEAST = 34
"""Characters; narrower columns are harder to read than candidates one under another."""
GAP = 3


def register(root: typer.Typer) -> None:
    """Add the command to the tree."""
    root.command(epilog="Example: auritas compare")(compare)


def compare(
    question: Annotated[
        str | None, typer.Argument(help="Id of the question or its trace, or its beginning; else the last.")
    ] = None,
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Show the answers to a question side by side: who said what, how likely, and where they differ."""
    from auritas.cli.screen import out, print_json
    from auritas.cli.session import opened

    with opened() as auritas:
        side_by_side = auritas.grading.compare(question)
    if as_json:
        print_json(as_document(side_by_side))
    else:
        show(side_by_side, out, named=question is not None)


def as_document(view: "SideBySide") -> dict[str, Any]:
    """Return the comparison as plain JSON values."""
    compared = view.comparison
    return {
        "query_id": view.query_id,
        "question": view.question,
        "candidates": [_document(candidate) for candidate in compared.candidates],
        "unheard": [{"seat": each.seat, "why": each.why} for each in compared.unheard],
        "effective_votes": compared.effective_votes,
        "calibrated": compared.calibrated,
        "graded": {mark.seat: mark.right for mark in view.marks if mark.p is not None},
    }


def _document(candidate: "Compared") -> dict[str, Any]:
    return {
        "number": candidate.number,
        "id": candidate.id,
        "text": candidate.text,
        "chosen": candidate.chosen,
        "p": candidate.p,
        "spans": [{"kind": span.kind, "text": span.text} for span in candidate.spans],
        "voices": [
            {
                "seat": voice.seat,
                "run_id": voice.run_id,
                "text": voice.text,
                "explanation": voice.explanation,
                "confidence": voice.stated_confidence,
                "shown": voice.shown,
            }
            for voice in candidate.voices
        ],
    }


def show(view: "SideBySide", console: "Console", *, named: bool = True, in_chat: bool = False) -> None:
    """Print the comparison: in columns where there is room, one under another where there is not.

    named: whether the next steps name the question, as they must unless it is the last one. in_chat: whether they are
    commands of a conversation, which never name it.
    """
    from rich.padding import Padding
    from rich.table import Table

    from auritas.cli.screen import UNWRAPPED, brief, plain

    candidates = view.comparison.candidates
    console.print(brief(view.question, 200, "bold"))
    console.print(plain(_summary(view)))
    console.print()
    coloured = console.color_system is not None and not console.no_color
    cells = [_cell(candidate, view, coloured=coloured) for candidate in candidates]
    if len(cells) > 1 and len(cells) * (COLUMN_AT_LEAST + GAP) <= console.width < UNWRAPPED:
        table = Table.grid(padding=(0, GAP), expand=True)
        for _ in cells:
            table.add_column(ratio=1)
        table.add_row(*cells)
        console.print(table)
    else:
        for cell in cells:
            console.print(Padding(cell, (0, 0, 1, 0)))
    console.print()
    name = f" --question {view.query_id}" if named and not in_chat else ""
    for step in _next_steps(view, name):
        console.print(plain(hint(step, in_chat=in_chat), "dim"), soft_wrap=True)


def _summary(view: "SideBySide") -> str:
    compared = view.comparison
    members = sum(len(candidate.voices) for candidate in compared.candidates)
    parts = [f"{members} answers, {len(compared.candidates)} of them different"]
    if not compared.disagrees:
        parts = ["One answer" if members == 1 else f"{members} answers that say the same"]
    if compared.effective_votes is not None:
        parts.append(f"worth {compared.effective_votes:.1f} independent ones")
    parts += [f"{each.seat}: {each.why}" for each in compared.unheard]
    return "; ".join(parts) + "."


def _cell(candidate: "Compared", view: "SideBySide", *, coloured: bool) -> "RenderableType":
    from rich.console import Group
    from rich.text import Text

    said = {mark.seat: mark.right for mark in view.marks}
    head = f"{candidate.number}  " + ("chosen" if candidate.chosen else "not chosen")
    if candidate.p is not None:
        head += f", {'P' if view.comparison.calibrated else 'score'} {candidate.p:.2f}"
    lines: list[RenderableType] = [Text(head, "bold" if candidate.chosen else "dim"), _marked(candidate, coloured)]
    for voice in candidate.voices:
        lines += _voice(voice, candidate, _GRADED[said.get(voice.seat)])
    return Group(*lines)


_GRADED = {True: ", graded right", False: ", graded wrong", None: ""}


def _voice(voice: "Voice", candidate: "Compared", graded: str) -> "list[RenderableType]":
    from auritas.cli.screen import plain

    sure = "" if voice.stated_confidence is None else f", says it is {voice.stated_confidence:.0%} sure"
    lines: list[RenderableType] = [plain(f"{voice.seat}{sure}{graded}", "cyan")]
    if voice.text.strip() != candidate.text:
        lines.append(plain(voice.text.strip()))
    if voice.explanation.strip() not in {"", voice.text.strip()}:
        lines.append(plain(voice.explanation.strip(), "dim"))
    return lines


def _marked(candidate: "Compared", coloured: bool) -> "Text":  # noqa: FBT001  one private use
    """Return the words with those that differ in colour, or between angles where there is none."""
    from rich.text import Text

    from auritas.cli.screen import plain

    text = Text()
    for span in candidate.spans:
        if span.kind != "differs":
            text.append_text(plain(span.text))
        elif coloured:
            text.append_text(plain(span.text, "bold yellow"))
        else:
            words = span.text.rstrip()
            text.append_text(plain(f"«{words}»{span.text[len(words) :]}"))
    return text


def _next_steps(view: "SideBySide", name: str) -> list[str]:
    steps = [f"One is right: auritas pick NUMBER{name}", f"None is right: auritas grade none{name}"]
    if view.comparison.disagrees:
        steps.append(f"Two say the same: auritas grade merge 1 2{name}")
    else:
        steps[0] = f"It is right: auritas grade right{name}"
    return steps
