"""`auritas eval`: what the council gains, on recorded answers and on real models."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from auritas.cli import eval_detection, eval_recall
from auritas.kernel.answers import AccuracyLevel

if TYPE_CHECKING:
    from auritas.app.compose import Auritas
    from auritas.app.live import LiveReport

app = typer.Typer(no_args_is_help=True, help="Measure what the council gains, on recorded answers or on your models.")

eval_detection.register(app)
eval_recall.register(app)

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]


@app.command(epilog="Example: auritas eval council --data answers.jsonl.gz --pool frontier --plot pictures")
def council(
    data: Annotated[Path, typer.Option("--data", help="A table of recorded answers: JSON lines, maybe in gzip.")],
    *,
    pool: Annotated[
        str, typer.Option(help="Models, with commas between them, or a named pool: frontier, local, dominant, all.")
    ] = "",
    policy: Annotated[list[str] | None, typer.Option(help="Only this policy; may be given several times.")] = None,
    splits: Annotated[int, typer.Option(min=1, max=100, help="Random halves to learn on and measure on.")] = 5,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same figures.")] = 0,
    scores: Annotated[Path | None, typer.Option(help="A TOML file of public scores that win over ours.")] = None,
    no_scores: Annotated[bool, typer.Option("--no-scores", help="Believe nothing of any model beforehand.")] = False,
    no_curves: Annotated[bool, typer.Option("--no-curves", help="Leave out cascade and learning curve.")] = False,
    plot: Annotated[Path | None, typer.Option(help="Draw pictures into this folder.")] = None,
    random_pools: Annotated[
        int, typer.Option(min=0, max=1000, help="Also draw so many random pools: how often is the council worse?")
    ] = 0,
    as_json: AsJson = False,
) -> None:
    """Run a table of recorded answers through the code of a live question; needs no models and opens no store."""
    from auritas.app.evaluating import CouncilEvaluation, evaluate_council, to_document
    from auritas.cli.screen import out, print_json

    wanted = CouncilEvaluation(
        data=data,
        pool=tuple(name.strip() for name in pool.split(",") if name.strip()),
        policies=tuple(policy or ()),
        splits=splits,
        seed=seed,
        scores=scores,
        with_scores=not no_scores,
        curves=not no_curves,
        plot=plot,
        random_pools=random_pools,
    )
    with _progress() as heard:
        evaluation = evaluate_council(wanted, heard)
    if as_json:
        print_json(to_document(evaluation))
        return
    from auritas.cli.eval_report import as_text

    out.print(as_text(evaluation))


@app.command(epilog="Example: auritas eval live --level balanced")
def live(
    level: Annotated[
        Literal["fast", "balanced", "high"], typer.Option(help="How many members are asked; without reviews.")
    ] = "high",
    *,
    questions: Annotated[Path | None, typer.Option(help="A TOML file of questions with keys.")] = None,
    as_json: AsJson = False,
) -> None:
    """Ask your own members forty questions with known answers; nothing of it enters your history or their records."""
    from auritas.app.live import read_exam, to_document
    from auritas.cli.screen import count_bar, out, print_json
    from auritas.cli.session import opened

    exam = read_exam(questions)
    with opened() as auritas, count_bar("Questions") as update:
        measuring = auritas.live_evaluation(exam, AccuracyLevel(level), lambda done, total: update(level, done, total))
        report = asyncio.run(_closing(auritas, measuring))
    if as_json:
        print_json(to_document(report))
        return
    from auritas.cli.eval_live import as_text

    out.print(as_text(report))


async def _closing(auritas: "Auritas", work: "Awaitable[LiveReport]") -> "LiveReport":
    try:
        return await work
    finally:
        await auritas.aclose()


@contextmanager
def _progress() -> Iterator[Callable[[str], None]]:
    """Say what is going on, on standard error and only to a terminal."""
    from auritas.cli.screen import brief, err

    if not err.is_terminal:
        yield lambda _: None
        return
    with err.status("Evaluating") as status:
        yield lambda what: status.update(brief(f"Evaluating: {what}", err.width - 4))
