"""`auritas models stats` and `auritas models score`: how members stand, and what is believed of them beforehand."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from auritas.kernel.errors import UsageError
from auritas.kernel.text import counted

if TYPE_CHECKING:
    from auritas.app.scores import PublicScore, Scores
    from auritas.app.stats import Rate, Standing, Standings

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]

_HEADINGS = ("member", "asked", "graded", "right, %", "weight", "silent", "first", "total", "cost")
_LEGEND = (
    "right: expected share of right answers with its 95 % interval, grades and prior together. weight: of its vote. "
    "silent: of the questions meant for it. first, total: median time of an answer."
)


def register(models: typer.Typer) -> None:
    """Add the commands to the group `models`."""
    models.command("stats", epilog="Example: auritas models stats --json")(stats)
    models.command("score", epilog='Example: auritas models score my-model .73 --source "MMLU, model card"')(score)


def stats(*, as_json: AsJson = False) -> None:
    """Show how often each member was right, by domain, what it took, and which rule is in force and why."""
    from auritas.cli.screen import out, plain, print_json
    from auritas.cli.session import opened

    with opened() as auritas:
        found = auritas.stats()
    if as_json:
        print_json(_document(found))
        return
    if not any(one.runs.asked for one in found.seats):
        out.print(plain("No question has been asked yet, so nobody has a record. Try: auritas ask"))
    if any(one.runs.asked for one in found.seats) or len(found.seats) > 1:
        _show(found)
    out.print(plain(found.why))
    if not found.calibrated:
        out.print(plain(f"{counted(found.grades, 'question')} graded; below 100 what is said of P is a score.", "dim"))


def _show(found: "Standings") -> None:
    from auritas.cli.blocks import rows
    from auritas.cli.screen import out, plain

    out.print(rows(_HEADINGS, [_cells(one) for one in found.seats], out))
    for one in found.seats:
        if one.domains:
            out.print(plain(f"{one.seat}: {_domains(one)}", "dim"))
    out.print(plain(_LEGEND, "dim"))


def _cells(one: "Standing") -> list[str]:
    from auritas.cli.screen import money

    runs = one.runs
    return [
        one.seat,
        str(runs.asked),
        f"{one.rate.graded:.0f}",
        _rate(one.rate),
        "" if one.weight is None else f"{one.weight:.2f}",
        "" if runs.silence is None else f"{100 * runs.silence:.0f} %",
        _time(runs.first_token_ms),
        _time(runs.total_ms),
        money(runs.cost_micros),
    ]


def _rate(rate: "Rate") -> str:
    return f"{100 * rate.mean:.0f} [{100 * rate.low:.0f}, {100 * rate.high:.0f}]"


def _domains(one: "Standing") -> str:
    return ", ".join(f"{name} {_rate(rate)} of {rate.graded:.0f}" for name, rate in one.domains.items())


def _time(milliseconds: float | None) -> str:
    from auritas.cli.screen import seconds

    return "" if milliseconds is None else seconds(milliseconds)


def _document(found: "Standings") -> dict[str, Any]:
    from dataclasses import asdict

    document = asdict(found)
    for one, shown in zip(found.seats, document["seats"], strict=True):
        shown["runs"]["silence"] = one.runs.silence
    return document


def score(
    name: Annotated[str | None, typer.Argument(help="A model's name; without one, every score is listed.")] = None,
    value: Annotated[float | None, typer.Argument(help="Share of right answers, between 0 and 1.")] = None,
    *,
    source: Annotated[str, typer.Option(help="Where the figure is from.")] = "",
    forget: Annotated[bool, typer.Option("--forget", help="Remove your own score.")] = False,
    as_json: AsJson = False,
) -> None:
    """See or set how often a model was right in a public examination: what is believed of it before any grade."""
    from auritas.cli.screen import print_json
    from auritas.cli.session import opened

    _require_sense(name, value, source, forget=forget)
    with opened() as auritas:
        found = _found(auritas.scores, name, value, source, forget=forget)
    if as_json:
        print_json({"scores": [_row(row) for row in found]})
        return
    _list(found, gone=name if forget else None)


def _found(
    scores: "Scores", name: str | None, value: float | None, source: str, *, forget: bool
) -> list["PublicScore"]:
    """Do what was asked, and return the rows that count now."""
    if name is None:
        return list(scores.list())
    if forget:
        row = scores.forget(name)
        return [row] if row else []
    return [scores.get(name) if value is None else scores.put(name, value, source)]


def _require_sense(name: str | None, value: float | None, source: str, *, forget: bool) -> None:
    if name is None and (forget or source):
        raise UsageError("Which model?", remedy="Try: auritas models score NAME .73 --source TEXT")
    if forget and value is not None:
        raise UsageError("A score is either set or forgotten.", remedy="Leave the value out, or --forget.")
    if value is not None and not source.strip():
        raise UsageError("A score needs its source.", remedy='Say where it is from: --source "MMLU, model card"')
    if value is None and source:
        raise UsageError("A source needs its score.", remedy="Try: auritas models score NAME .73 --source TEXT")


def _row(row: "PublicScore") -> dict[str, Any]:
    return {"model": row.model, "score": row.score, "source": row.source, "own": row.own}


def _list(found: list["PublicScore"], *, gone: str | None) -> None:
    from rich.table import Table

    from auritas.cli.screen import brief, out, plain

    if gone is not None:
        now = f"what counts is {found[0].score:.3f} ({found[0].source})" if found else "nothing is known of it"
        out.print(plain(f"Your score of {gone} is forgotten; now {now}."))
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("model")
    table.add_column("score", justify="right")
    table.add_column("source")
    for row in found:
        table.add_row(
            brief(row.model, 40), f"{row.score:.3f}", plain(f"yours: {row.source}" if row.own else row.source)
        )
    out.print(table)
