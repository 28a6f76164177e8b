"""The accuracy levels that can be asked for now. `maximum` joins them together with the reviewers it needs."""

from typing import Annotated, Literal

import typer

LEVELS = ("fast", "balanced", "high")

Level = Annotated[
    Literal["fast", "balanced", "high"] | None,
    typer.Option("--level", "-l", help="How many members are asked: the best, two and more where needed, or all."),
]
