"""The accuracy levels that can be asked for."""

from typing import Annotated, Literal

import typer

LEVELS = ("fast", "balanced", "high", "maximum")

Level = Annotated[
    Literal["fast", "balanced", "high", "maximum"] | None,
    typer.Option(
        "--level",
        "-l",
        help="How many members are asked: the best; two and more where needed; all, and one reviews; or all review.",
    ),
]
