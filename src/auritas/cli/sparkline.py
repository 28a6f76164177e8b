"""Small curves for a terminal: a row of blocks, with the numbers beside it."""

from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from auritas.cli.screen import out

_BLOCKS = "▁▂▃▄▅▆▇█"
_PLAIN = "_.-=+*%#"
"""For terminals that cannot show blocks."""


def sparkline(values: Sequence[float], span: tuple[float, float] | None = None) -> str:
    """Return one sign for each value, its height between the ends of `span`, by default the least and the greatest."""
    if not values:
        return ""
    signs = _BLOCKS if out.encoding.lower().startswith("utf") else _PLAIN
    low, high = span or (min(values), max(values))
    width = high - low
    heights = [(value - low) / width if width else 0.5 for value in values]
    return "".join(signs[min(max(int(height * len(signs)), 0), len(signs) - 1)] for height in heights)


def rows(*listed: tuple[str, Sequence[str], str]) -> Table:
    """Return rows of a title, cells under one another, and a curve."""
    table = Table.grid(padding=(0, 1))
    table.add_column(style="dim", no_wrap=True)
    for _ in range(max(len(cells) for _, cells, _ in listed)):
        table.add_column(justify="right", no_wrap=True)
    table.add_column(no_wrap=True)
    for title, cells, curve in listed:
        table.add_row(title, *cells, Text(f" {curve}"))
    return table
