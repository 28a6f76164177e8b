"""`auritas reviewers`: how far each reviewer can be believed, and checks that measure it."""

import asyncio
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from auritas.app.compose import Auritas
    from auritas.app.reviewing import ReviewerState

reviewers = typer.Typer(no_args_is_help=True, help="See and measure how far each reviewer can be believed.")

_HEADINGS = ("reviewer", "sensitivity", "specificity", "checks", "length", "place", "judge")
_LEGEND = (
    "sensitivity: right answers called correct. specificity: wrong answers called incorrect. length, place: how much "
    "more often long answers are called correct, and the one shown first is preferred (of how many)."
)

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]


def register(app: typer.Typer) -> None:
    """Add the commands to the tree."""
    app.add_typer(reviewers, name="reviewers")


@reviewers.command("list", epilog="Example: auritas reviewers list --json")
def list_(*, as_json: AsJson = False) -> None:
    """List reviewers with sensitivity, specificity, biases and their record as the content judge."""
    from auritas.cli.session import opened

    with opened() as auritas:
        _show(auritas.reviewers.list(), as_json=as_json)


@reviewers.command(epilog="Example: auritas reviewers check qwen2.5-coder-1.5b --checks 40")
def check(
    name: Annotated[str | None, typer.Argument(help="A reviewer; all of them without a name.")] = None,
    *,
    checks: Annotated[int, typer.Option("--checks", "-n", min=1, help="Known answers to ask about.")] = 20,
    as_json: AsJson = False,
) -> None:
    """Ask reviewers about answers whose truth is known, and keep how they did."""
    from auritas.cli.screen import count_bar
    from auritas.cli.session import opened

    with opened() as auritas, count_bar("Checks") as update:
        states = asyncio.run(_closing(auritas, auritas.reviewers.check(name, checks, update)))
    _show(states, as_json=as_json)


async def _closing(auritas: "Auritas", work: Any) -> Any:
    try:
        return await work
    finally:
        await auritas.aclose()


def _show(states: "tuple[ReviewerState, ...]", *, as_json: bool) -> None:
    from auritas.cli.blocks import rows
    from auritas.cli.screen import out, plain, print_json

    if as_json:
        print_json({"reviewers": [_document(state) for state in states]})
        return
    if not states:
        out.print(plain("Nobody may review: no model passed its self-test. Try: auritas models get standard"))
        return
    out.print(rows(_HEADINGS, [_cells(state) for state in states], out))
    out.print(plain(_LEGEND, "dim"))
    for state in states:
        out.print(plain(f"{state.seat}: {_meaning(state)}", "dim"))


def _cells(state: "ReviewerState") -> list[str]:
    return [
        state.seat,
        f"{state.reliability.sensitivity:.2f}",
        f"{state.reliability.specificity:.2f}",
        str(state.checks),
        _bias(state.length),
        _bias(state.position),
        _judge(state),
    ]


def _bias(bias: Any) -> str:
    return "" if bias is None else f"{bias.difference:+.2f} ({bias.count})"


def _judge(state: "ReviewerState") -> str:
    if not state.judge.graded:
        return ""
    low, high = state.judge_interval
    return f"{state.judge.right} of {state.judge.graded} ({low:.2f} to {high:.2f})"


def _meaning(state: "ReviewerState") -> str:
    worth = f"informedness {state.reliability.informedness:.2f}"
    if not state.grades:
        return f"no better than chance ({worth}): its verdicts are shown and grade nothing."
    if not state.measured:
        return f"not measured yet ({worth} by the prior and {state.reliability.checks} plain verdicts)."
    decides = "; as content judge it may change close answers" if state.judge_decides else ""
    return f"its verdicts grade answers with reliability {state.reliability.of_a_grade:.2f} ({worth}){decides}."


def _document(state: "ReviewerState") -> dict[str, Any]:
    from dataclasses import asdict

    document = asdict(state)
    document["reliability"] |= {
        "informedness": state.reliability.informedness,
        "of_a_grade": state.reliability.of_a_grade,
    }
    return document
