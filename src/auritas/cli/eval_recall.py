"""`auritas eval recall` and `auritas eval preferences`: what memory and search find on data of others."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]


def register(app: typer.Typer) -> None:
    """Add the commands to `auritas eval`."""
    app.command(epilog="Example: auritas eval recall --data conversations")(recall)
    app.command(epilog="Example: auritas eval preferences --data preferences --store 50")(preferences)


def recall(
    data: Annotated[Path, typer.Option("--data", exists=True, help="A folder of long conversations with questions.")],
    *,
    as_json: AsJson = False,
) -> None:
    """Ask about long conversations and count how much of the evidence is recalled; needs no language model."""
    from auritas.app.recall_evaluation import evaluate_recall, to_document
    from auritas.cli.screen import out, print_json
    from auritas.cli.session import opened

    with opened() as auritas, _progress() as heard:
        report = evaluate_recall(data, auritas.sentence_embedding(), auritas.entropy, heard)
    document = to_document(report)
    if as_json:
        print_json(document)
        return
    from auritas.cli.eval_recall_report import recall_text

    out.print(recall_text(document))


def preferences(
    data: Annotated[Path, typer.Option("--data", exists=True, help="A folder of preferences with questions.")],
    *,
    store: Annotated[int, typer.Option(min=2, help="How many preferences a store holds.")] = 50,
    seed: Annotated[int, typer.Option(min=0, help="The same seed draws the same stores.")] = 0,
    as_json: AsJson = False,
) -> None:
    """Ask a question in a store of many preferences and see whether the right one is found; needs no language model."""
    from auritas.app.preference_evaluation import evaluate_preferences, to_document
    from auritas.cli.screen import out, print_json
    from auritas.cli.session import opened

    with opened() as auritas, _progress() as heard:
        embedder = auritas.sentence_embedding()
        report = evaluate_preferences(data, embedder, auritas.clock, store, seed=seed, heard=heard)
    document = to_document(report)
    if as_json:
        print_json(document)
        return
    from auritas.cli.eval_recall_report import preferences_text

    out.print(preferences_text(document))


@contextmanager
def _progress() -> Iterator[Callable[[str], None]]:
    """Say what is going on, on standard error and only to a terminal."""
    from auritas.cli.screen import brief, err

    if not err.is_terminal:
        yield lambda _: None
        return
    with err.status("Evaluating") as status:
        yield lambda what: status.update(brief(f"Evaluating: {what}", err.width - 4))
