"""Rows with headings: a table where it fits, one block under another where it does not, so that no name is broken."""

from collections.abc import Sequence

from rich.console import Console, Group, RenderableType
from rich.measure import Measurement
from rich.padding import Padding
from rich.table import Table

from auritas.cli.screen import UNWRAPPED, plain

NARROWEST_TABLE = 70
"""Columns of a terminal; in fewer, numbers stand too close to be told apart."""


def rows(headings: Sequence[str], listed: Sequence[Sequence[str]], console: Console) -> RenderableType:
    """Return rows whose first cell is a name and whose others are figures; a block leaves out what is empty."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for place, heading in enumerate(headings):
        table.add_column(heading, justify="right" if place else "left", no_wrap=True)
    for cells in listed:
        table.add_row(*map(plain, cells))
    if console.width >= NARROWEST_TABLE and _width(table, console) <= console.width:
        return table
    return Group(*(_block(headings, cells) for cells in listed))


def _width(table: Table, console: Console) -> int:
    """Return the columns that nothing of a table is cut in."""
    return Measurement.get(console, console.options.update_width(UNWRAPPED), table).maximum


def _block(headings: Sequence[str], cells: Sequence[str]) -> RenderableType:
    block = Table.grid(padding=(0, 2))
    block.add_column(style="dim", no_wrap=True)
    for heading, cell in zip(headings[1:], cells[1:], strict=True):
        if cell:
            block.add_row(plain(heading), plain(cell))
    return Group(plain(cells[0], "bold"), Padding(block, (0, 0, 0, 2), expand=False))
