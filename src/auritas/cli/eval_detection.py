"""`auritas eval detection`: how well corrections are heard, as a person reads it."""

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rich.console import RenderableType

    from auritas.app.detection_evaluation import DetectionReport, Measured, Rate

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
Wrong = Annotated[bool, typer.Option("--wrong", help="Also list the sentences that are heard otherwise than meant.")]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog="Example: auritas eval detection --wrong")(detection)


def detection(*, wrong: Wrong = False, as_json: AsJson = False) -> None:
    """Measure how well corrections are heard, on sentences written for that; stores nothing and asks no model."""
    from auritas.app.detection_evaluation import detection_report, to_document
    from auritas.cli.screen import out, print_json
    from auritas.cli.session import opened

    with opened() as auritas:
        report = detection_report(auritas.sentence_embedding, auritas.settings.detection_threshold)
    if as_json:
        print_json(to_document(report))
        return
    out.print(as_text(report, wrong=wrong))


def as_text(report: "DetectionReport", *, wrong: bool) -> "RenderableType":
    """Return precision and recall with their intervals, and each kind of sentence below."""
    from rich.console import Group
    from rich.text import Text

    how = f"with meaning ({report.embedder})" if report.embedder else "by rules alone: no embedder is installed"
    parts: list[RenderableType] = [Text(f"Detection of corrections, {how}, threshold {report.threshold:.2f}", "bold")]
    for measured in (report.apart, report.crossed):
        parts += [Text(), _figures(measured), Text(), _kinds(measured)]
        if wrong:
            parts += [
                Text(),
                *(Text(f"  {'missed' if each.meant else 'false'}: {each.said}") for each in measured.wrong),
            ]
    return Group(*parts)


def _figures(measured: "Measured") -> "RenderableType":
    from rich.text import Text

    told = f"{len(measured.judged)} sentences, {measured.name}"
    return Text(f"{told}: precision {_rate(measured.precision)}, recall {_rate(measured.recall)}")


def _rate(rate: "Rate") -> str:
    low, high = rate.interval
    return f"{rate.value:.3f} [{low:.3f}, {high:.3f}]"


def _kinds(measured: "Measured") -> "RenderableType":
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    table.add_column("kind")
    table.add_column("is one")
    table.add_column("right", justify="right")
    table.add_column("of", justify="right")
    for (meant, kind), rate in measured.by_kind.items():
        table.add_row(kind, "yes" if meant else "no", str(rate.hits), str(rate.of))
    return table
